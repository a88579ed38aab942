import type { Refusal } from './view/refusals.ts'

/** A refusal is a value; a fault is an exception. */
export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const no = (refusal: Refusal): { ok: false; refusal: Refusal } => ({ ok: false, refusal })
