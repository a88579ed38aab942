import { createRequire } from 'node:module'
import type * as dateFns from 'date-fns'

const load = createRequire(import.meta.url)

/**
 * Loads date-fns on first use: Node reads its 200 kB package.json for each of its files, which takes a tenth
 * of the start-up time.
 */
export const date = <N extends keyof typeof dateFns>(name: N): (typeof dateFns)[N] =>
  load(`date-fns/${name}`)[name]
