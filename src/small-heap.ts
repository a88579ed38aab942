import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * On a machine with much memory V8 lets garbage grow to most of a gigabyte before the first full collection.
 * The bot shares its machine with other programs, so it collects once after the start, all that can be freed,
 * and then whenever live memory has grown by two fifths. The young generation can only be sized by a flag:
 * `npm start` makes it small, so that its collections are short and do not delay acknowledgements.
 */
export const keepHeapSmall = (): void => {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort' }) => void
  setTimeout(collect, 3_000, { type: 'major', flavor: 'last-resort' }).unref()
}
