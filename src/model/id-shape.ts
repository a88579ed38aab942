import type { ThingKind } from '../view/thing.ts'

/** What a value looks like, whatever it is meant to be: `kinds` are the things that are told by such a value. */
export type IdShape = { words: string; kinds: readonly ThingKind[] }

/** Undefined for what could be the id of anything, as most ids could. */
export const shapeOfId = (value: string): IdShape | undefined => {
  const text = value.trim()
  if (/^<?[a-z][a-z\d+.-]{1,20}:\/\//i.test(text) || /^www\./i.test(text)) {
    return { words: 'a web address', kinds: [] }
  }
  if (/^<?[@#!]/.test(text)) return { words: 'a mention of somebody or of a channel', kinds: [] }
  if (/^[^\s@]{1,64}@[^\s@]{1,200}$/.test(text)) return { words: 'an email address', kinds: ['subscriber'] }
  if (/^(?:\+|00)[1-9][\d\s().-]{5,24}$/.test(text)) return { words: 'a phone number', kinds: ['contact'] }
  if (/^[[{]/.test(text)) return { words: 'JSON', kinds: [] }
  const kinds = kindsByPrefix(text)
  const [first] = kinds ?? []
  if (kinds === undefined || first === undefined) return undefined
  return { words: `the id of ${withArticle(first)}`, kinds }
}

export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** `pay_1001` is a payment, and `sub_1` a subscription or a subscriber. */
export const kindsByPrefix = (id: string): readonly ThingKind[] | undefined => {
  const prefix = /^([a-z]{2,12})_[\w-]+$/i.exec(id)?.[1]?.toLowerCase()
  return prefix === undefined ? undefined : prefixes.get(prefix)
}

/** A map, since a word may be what every object has, such as constructor. */
const prefixes: ReadonlyMap<string, readonly ThingKind[]> = new Map(
  Object.entries<readonly ThingKind[]>({
    pay: ['payment'],
    payment: ['payment'],
    txn: ['payment'],
    tx: ['payment'],
    tr: ['payment'],
    ch: ['payment'],
    inv: ['payment'],
    cus: ['customer'],
    cust: ['customer'],
    customer: ['customer'],
    sub: ['subscription', 'subscriber'],
    subscription: ['subscription'],
    cmp: ['campaign'],
    camp: ['campaign'],
    campaign: ['campaign'],
    lst: ['list'],
    list: ['list'],
    plan: ['plan'],
    prod: ['product'],
    product: ['product'],
    addon: ['add-on'],
    lic: ['license'],
    license: ['license'],
    mp: ['multiplan'],
    multiplan: ['multiplan'],
    con: ['contact'],
    contact: ['contact'],
    ct: ['contact'],
    job: ['job'],
  }),
)
