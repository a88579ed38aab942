import type { Pack } from '../../kernel/command/pack.ts'

/** The version of the public surface, `bellhop/pack`. A pack names the major version that it is written for. */
export const packVersion = { major: 1, minor: 0 } as const

/** Likewise of `bellhop/feature`. */
export const featureVersion = { major: 1, minor: 0 } as const

/** Only its type matters here; the pack is checked when it is loaded. */
export const definePack = <const P extends Pack>(pack: P): P => pack
