import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { discordCommandsOf } from '../adapters/discord/registration/definitions.ts'
import { messengers } from '../adapters/index.ts'
import { manifestOf } from '../adapters/slack/manifest.ts'
import { loadCommandsOrExit } from '../src/cli/start/load-commands.ts'
import { allRows, type RowId } from '../src/lib/services/endpoints/tables.ts'
import { judgePatterns } from './gate/patterns.ts'
import { commandsDoc } from './reference/commands-page.ts'
import { deployFiles } from './reference/deploy-files.ts'
import { guessNotes } from './reference/guess-notes.ts'
import { intentsDoc } from './reference/intents-page.ts'
import { refusalsDoc } from './reference/refusals-page.ts'
import { servicesDoc } from './reference/services-page.ts'
import { unshownFields } from './reference/unshown-fields.ts'

/** The generated files: written by `npm run derive`, compared by `npm run derive -- --check`. */
const registry = await loadCommandsOrExit(messengers)
const derived: Record<string, string> = {
  'manifest.yml': manifestOf(registry),
  'adapters/discord/commands.json': `${JSON.stringify(discordCommandsOf(registry), null, 2)}\n`,
  'docs/commands.md': commandsDoc(registry),
  'docs/intents.md': intentsDoc(registry),
  'docs/services.md': servicesDoc(usedBy(), { guesses: guessNotes, unshown: unshownFields }),
  'docs/refusals.md': refusalsDoc(),
  ...deployFiles(readFileSync('docs/deploy.md', 'utf8')),
}

const isCheck = process.argv.includes('--check')
// The gate compares this one where it judges the patterns.
if (!isCheck) Object.assign(derived, (await judgePatterns()).judged)
for (const [file, text] of Object.entries(derived)) {
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === text
  if (isCurrent) continue
  if (isCheck) {
    console.log(`${file} is out of date: run npm run derive and commit it.`)
    process.exitCode = 1
  } else {
    writeFileSync(file, text)
    console.log(`wrote ${file}`)
  }
}

function usedBy(): Map<RowId, string[]> {
  const users = new Map<RowId, string[]>()
  for (const { id } of allRows()) {
    const names = registry.all.filter(({ uses }) => uses.includes(id)).map(({ name }) => name)
    users.set(id, names)
  }
  return users
}
