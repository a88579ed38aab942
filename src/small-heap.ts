import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * On a machine with much memory V8 lets garbage grow to most of a gigabyte before it looks for the first time. A bot
 * lives beside other things: it looks once after the start, and from then on when what is alive has grown by two fifths.
 * The space for young objects can only be set by a flag: `npm start` makes it small, so that a look at it is short and
 * keeps nobody waiting for an acknowledgement.
 */
export const keepHeapSmall = (): void => {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setTimeout(collect, 3_000).unref()
}
