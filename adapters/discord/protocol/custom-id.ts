import { verbNames, verbs } from '../../../src/lib/view/button-labels.ts'
import type { Verb } from '../../../src/lib/view/view.ts'

/** What a button or a modal of ours says: a verb and an id, nothing else. State stays in the store. */
export type CustomId =
  | { kind: 'press'; verb: Verb; id: string }
  /** Opens the form that a draft was kept for. */
  | { kind: 'open'; draft: string }
  /** A form that was filled in; `isNew` where its answer stands beside the message that led to it. */
  | { kind: 'form'; draft: string; isNew: boolean }
  /** The menu of an answer; what was chosen comes with it. */
  | { kind: 'menu' }
  /** What can be marked to be decided on together; what was marked comes with it. */
  | { kind: 'marks' }
  /** A reason that was written down. */
  | { kind: 'reason'; verb: Verb; id: string }

export const buttonId = (verb: Verb, id: string): string => `bh:${verb}:${id}`
export const openFormId = (draft: string): string => `bh:open:${draft}`
export const marksId = 'bh:marks:all'
export const menuId = (answer: string): string => `bh:menu:${answer}`
export const formModalId = (draft: string, isNew = false): string =>
  `bh:${isNew ? 'form.new' : 'form'}:${draft}`
export const reasonModalId = (verb: Verb, id: string): string => `bh:why.${verb}:${id}`

/** Undefined for what is not ours. */
export const readCustomId = (customId: string): CustomId | undefined => {
  const [, word = '', id = ''] = /^bh:([a-z_.]+):(.*)$/s.exec(customId) ?? []
  if (id === '') return undefined
  if (word === 'open') return { kind: word, draft: id }
  if (word === 'menu' || word === 'marks') return { kind: word }
  if (word === 'form' || word === 'form.new') return { kind: 'form', draft: id, isNew: word === 'form.new' }
  const verb = verbNames().find((one) => one === word || `why.${one}` === word)
  if (verb === undefined) return undefined
  if (word === verb) return { kind: 'press', verb, id }
  return verbs[verb].asks !== undefined ? { kind: 'reason', verb, id } : undefined
}

/** The field for another reason than the usual ones, which are chosen in the field of the flag itself. */
export const otherReasonId = (flag: string): string => `${otherReason}${flag}`
export const flagOfOther = (id: string): string | undefined =>
  id.startsWith(otherReason) ? id.slice(otherReason.length) : undefined

const otherReason = 'other:'
