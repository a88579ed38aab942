import { registerHooks } from 'node:module'
import type { Planted } from './planted.ts'

const { file, from, to }: Planted = JSON.parse(process.env.PLANTED ?? '')

/** Loaded before anything else in each process of a test, which then has the fault in its source. */
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (url.split('?')[0] !== file) return loaded
    const source = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source)
    if (source.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`)
    return { ...loaded, source: source.replace(from, () => to) }
  },
})
