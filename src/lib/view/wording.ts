import type { Words } from './words.ts'

/** How those on one side of a door write a parameter. */
export type Writing = {
  /** On its own: `payment-id`, or `payment_id`. */
  name(param: string): string
  /** With what is written before it: `--payment-id`, or `payment_id`. */
  flag(param: string): string
  yesOrNo: string
}

/** `paymentId` -> `payment id`, in a sentence. */
export const wordsOfParam = (param: string): string => flagOf(param).replaceAll('-', ' ')

/** A sentence that names parameters, so that each door can say it in its own way. */
export type Wording<T extends Words = string> = T | ((as: Writing) => T)

export const worded = <T extends Words>(words: Wording<T>, as: Writing): T =>
  typeof words === 'function' ? words(as) : words

/** `paymentId` -> `payment-id` */
export const flagOf = (param: string): string =>
  param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `paymentId` -> `payment_id` */
export const fieldOf = (param: string): string => flagOf(param).replaceAll('-', '_')

/** For who types a line, or fills in a form. */
export const inLines: Writing = {
  name: flagOf,
  flag: (param) => `--${flagOf(param)}`,
  yesOrNo: 'yes or no',
}

/** For programs, which give fields by name. */
export const inFields: Writing = { name: fieldOf, flag: fieldOf, yesOrNo: 'true or false' }
