import { toolLine } from '../kernel/tool-words.ts'
import { exitCodes } from './exit-codes.ts'
import { pinPacks } from './packs/lock.ts'
import { takeInTools } from './packs/tool-pins.ts'
import { ConfigError } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'

const usage = toolLine('packs', 'pin')

/** `npm run packs -- pin`: puts the packs that bellhop.yml names, as they are now, into packs.lock beside it. */
try {
  const [verb, ...surplus] = process.argv.slice(2)
  if (verb !== 'pin' || surplus.length > 0) throw new ConfigError([`Say: ${usage}`])
  const env = ownEnvironment()
  for (const line of await takeInTools(env)) console.log(line)
  const { lines, next } = pinPacks(env)
  for (const line of lines) console.log(line)
  console.log(next)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}
