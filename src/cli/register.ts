import { registerCommands } from '../../adapters/discord/registration/register.ts'
import { discordErrorFields } from '../../adapters/discord/transport/errors.ts'
import { messengers } from '../../adapters/index.ts'
import { exitCodes } from './exit-codes.ts'
import { ownEnvironment, withSecrets } from './start/environment.ts'
import { loadCommandsOrExit } from './start/load-commands.ts'

/**
 * `npm run register`: registers the Discord commands if they differ; `-- --dry-run` only shows what would
 * change.
 */
const problems: string[] = []
const env = withSecrets(ownEnvironment(), ['DISCORD_TOKEN'], problems)
const { DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: applicationId, DISCORD_API_URL: apiUrl } = env

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(exitCodes.refused)
}

if (!token || !applicationId) {
  console.error('Set DISCORD_TOKEN and DISCORD_APPLICATION_ID; docs/discord.md says where they are.')
  process.exit(exitCodes.refused)
}

try {
  const dryRun = process.argv.includes('--dry-run')
  const { lines, isPut } = await registerCommands(
    { token, applicationId, apiUrl },
    await loadCommandsOrExit(messengers),
    {
      dryRun,
    },
  )
  for (const line of lines) console.log(line)
  if (lines.length === 0) console.log('Everything is registered as it is defined.')
  else console.log(isPut ? 'Registered. Discord shows them at once.' : 'Nothing was changed (dry run).')
} catch (error) {
  console.error(`Discord refused: ${JSON.stringify(discordErrorFields(error))}`)
  process.exit(exitCodes.failed)
}
