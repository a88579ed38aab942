import type { Refusal } from '../view/refusals.ts'

/** An expected "no" is a value; what is broken is thrown. */
export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const no = (refusal: Refusal): { ok: false; refusal: Refusal } => ({ ok: false, refusal })
