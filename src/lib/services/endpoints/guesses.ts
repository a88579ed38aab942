import type { z } from 'zod'

// Documents declare some request fields as strings although they contain lists, pairs or numbers, and do not show the
// exact text. What a pack guesses about that text stands in its own file; `guesses` in bellhop.yml chooses another form.

export type GuessForm = 'text' | 'json' | 'json-object' | 'list' | 'object'

/** The forms that each field can be sent in; the first is sent where nobody chose. */
export type GuessForms = Readonly<Record<string, readonly [GuessForm, ...GuessForm[]]>>

/** The guessed fields and their forms: each pack merges its own into this. */
// biome-ignore lint/suspicious/noEmptyInterface: packs merge into it, and the core knows none of them.
export interface GuessedFields {}

export type Guesses = { readonly [F in keyof GuessedFields]: GuessedFields[F] }

export type FormsOf<F extends GuessForms> = { readonly [K in keyof F]: F[K][number] }

export type Json = z.infer<ReturnType<typeof z.json>>

export const inForm = (
  form: GuessForm,
  { text, list, object }: { text?: string; list?: Json; object?: Json },
): Json => {
  switch (form) {
    case 'text':
      return text ?? ''
    case 'json':
      return JSON.stringify(list ?? object)
    case 'json-object':
      return JSON.stringify(object)
    case 'list':
      return list ?? []
    case 'object':
      return object ?? {}
  }
}

/** Names as one text with commas between them, as JSON text, or as a list. */
export const toNames = (names: readonly string[], form: GuessForm) =>
  inForm(form, { text: names.join(','), list: [...names] })

/** A number where the documents declare a string. */
export function toNumberText(value: number) {
  if (!Number.isFinite(value)) throw new RangeError('only a finite number can be sent as text')
  const text = String(value)
  return text.includes('e')
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text
}

/** A yes or no where the documents declare a string. */
export const toFlagText = (value: boolean) => (value ? 'true' : 'false')
