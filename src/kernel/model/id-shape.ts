import { kindsByPrefix, kindsWith } from '../../lib/things/kinds.ts'
import type { ThingKind } from '../../lib/view/thing.ts'

/** What a value looks like, whatever it is meant to be: `kinds` are the things that are told by such a value. */
export type IdShape = { words: string; kinds: readonly ThingKind[] }

const addressWords = 'an email address'
const numberWords = 'a phone number'

/** Whether it is what people are known by everywhere. */
export const isOfPeople = ({ words }: IdShape): boolean => words === addressWords || words === numberWords

/** Undefined for what could be the id of anything, as most ids could. */
export const shapeOfId = (value: string): IdShape | undefined => {
  const text = value.trim()
  if (/^<?[a-z][a-z\d+.-]{1,20}:\/\//i.test(text) || /^www\./i.test(text)) {
    return { words: 'a web address', kinds: [] }
  }
  if (/^<?[@#!]/.test(text)) return { words: 'a mention of somebody or of a channel', kinds: [] }
  if (/^[^\s@]{1,64}@[^\s@]{1,200}$/.test(text))
    return { words: addressWords, kinds: kindsWith(({ knownBy }) => knownBy === 'address') }
  if (/^(?:\+|00)[1-9][\d\s().-]{5,24}$/.test(text))
    return { words: numberWords, kinds: kindsWith(({ knownBy }) => knownBy === 'number') }
  if (/^[[{]/.test(text)) return { words: 'JSON', kinds: [] }
  const kinds = kindsByPrefix(text)
  const [first] = kinds ?? []
  if (kinds === undefined || first === undefined) return undefined
  return { words: `the id of ${withArticle(first)}`, kinds }
}

export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
