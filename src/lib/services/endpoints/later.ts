import type { OpenRecord } from './open-record.ts'

/** How a service says of one write how it stands. A path names fields from the top of a body: `refund.status`. */
export type LaterForm = {
  /** The statuses of HTTP with which it says so; any success if not given. A refusal in this form is none. */
  readonly status?: readonly number[]
  /** Where the id stands under which the service knows it. */
  readonly id: string
  /** Where a page for people stands. */
  readonly link?: string
  /** Where it says who decides there. */
  readonly by?: string
  /** Where it says why. */
  readonly why?: string
  /** When it came to stand so, in ISO 8601 or as seconds: what is older than what is known says nothing. */
  readonly at?: string
  /** Where it says how it stands, and which words are which. */
  readonly state: string
  /** Nothing is done until somebody at the service agrees. */
  readonly held?: readonly string[]
  /** It is done unless the service says otherwise later. */
  readonly accepted?: readonly string[]
  readonly done?: readonly string[]
  readonly failed?: readonly string[]
}

/** How a service answers a write that it carries out later. */
export type Later = {
  /** The forms of the answer to the write; the first that fits counts. */
  readonly says: readonly LaterForm[]
  /** The row that reads how it stands, the parameter of its path that takes the id, and the forms of its answer if they are others. */
  readonly ask?: { readonly row: string; readonly by: string; readonly says?: readonly LaterForm[] }
}

export const laterStates = ['held', 'accepted', 'done', 'failed'] as const
export type LaterState = (typeof laterStates)[number]

/** How it stands by the word of the service. */
export type ServiceStanding = {
  state: LaterState
  id: string
  /** The word of the service itself. */
  said: string
  link?: string
  by?: string
  why?: string
  at?: number
}

/**
 * How something stands by this body; undefined where no form fits. A success with a word that no form knows is taken for
 * accepted: it is not done as far as anybody can tell.
 */
export const standingIn = (
  forms: readonly LaterForm[],
  body: unknown,
  status?: number,
): ServiceStanding | undefined => {
  for (const form of forms) {
    if (status !== undefined && !isStatusOf(form, status)) continue
    const said = textAt(body, form.state)
    const id = textAt(body, form.id)
    if (said === undefined || id === undefined) continue
    const state = laterStates.find((one) => form[one]?.includes(said))
    if (state === undefined && form.status !== undefined) continue
    const [link, by, why, at] = [form.link, form.by, form.why, form.at].map(
      (path) => path && textAt(body, path),
    )
    const time = timeOf(at)
    return {
      state: state ?? 'accepted',
      id,
      said,
      ...(link !== undefined && isWebPage(link) && { link }),
      ...(by && { by }),
      ...(why && { why }),
      ...(time !== undefined && { at: time }),
    }
  }
  return undefined
}

const isStatusOf = ({ status }: LaterForm, given: number): boolean =>
  status === undefined ? given >= 200 && given < 300 : status.includes(given)

const maxText = 300

/** A short text or a number at a path. */
export const textAt = (body: unknown, path: string): string | undefined => {
  const value = valueAt(body, path)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= maxText ? value : undefined
}

export const valueAt = (body: unknown, path: string): unknown => {
  let value: unknown = body
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as OpenRecord)[key]
  }
  return value
}

export const timeOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const ms = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Number.isSafeInteger(ms) ? ms : undefined
}

const isWebPage = (text: string): boolean =>
  text.length <= maxText && URL.canParse(text) && new URL(text).protocol === 'https:'
