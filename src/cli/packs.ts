import { ConfigError } from '../config.ts'
import { pinPacks } from '../pack/lock.ts'
import { toolLine } from '../tool-words.ts'
import { exitCodes } from './exit-codes.ts'

const usage = toolLine('packs', 'pin')

/** `npm run packs -- pin`: puts the packs that bellhop.yml names, as they are now, into packs.lock beside it. */
try {
  const [verb, ...surplus] = process.argv.slice(2)
  if (verb !== 'pin' || surplus.length > 0) throw new ConfigError([`Say: ${usage}`])
  const lines = pinPacks(process.env)
  for (const line of lines) console.log(line)
  console.log(
    lines.length === 0 ? 'bellhop.yml names no packs.' : 'Pinned in packs.lock, beside bellhop.yml.',
  )
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}
