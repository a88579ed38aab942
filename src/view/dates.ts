import { createRequire } from 'node:module'
import type * as dateFns from 'date-fns'

const load = createRequire(import.meta.url)

/** From date-fns when it is first needed: Node reads its 200 kB package.json for each of its files, a tenth of the start. */
export const date = <N extends keyof typeof dateFns>(name: N): (typeof dateFns)[N] =>
  load(`date-fns/${name}`)[name]
