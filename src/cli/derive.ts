import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { messengers } from '../../adapters/index.ts'
import { manifestOf } from '../../adapters/slack/manifest.ts'
import { loadCommandsOrExit } from '../../commands/load.ts'
import { guessNotes } from '../../packs/notes.ts'
import { unshownFields } from '../../packs/unshown-fields.ts'
import { commandsDoc, nounList } from '../reference/commands-page.ts'
import { deployFiles } from '../reference/deploy-files.ts'
import { intentsDoc } from '../reference/intents-page.ts'
import { refusalsDoc } from '../reference/refusals-page.ts'
import { servicesDoc } from '../reference/services-page.ts'
import { allRows, type RowId } from '../services/endpoints/tables.ts'
import { judgePatterns } from './gate/patterns.ts'

/** The generated files: written by `npm run derive`, compared by `npm run derive -- --check`. */
const registry = await loadCommandsOrExit(messengers)
const derived: Record<string, string> = {
  'manifest.yml': manifestOf(registry),
  'adapters/discord/commands.json': `${JSON.stringify(discordCommandsOf(registry), null, 2)}\n`,
  'docs/commands.md': commandsDoc(registry),
  'docs/intents.md': intentsDoc(registry),
  'docs/services.md': servicesDoc(usedBy(), { guesses: guessNotes, unshown: unshownFields }),
  'docs/refusals.md': refusalsDoc(),
  ...between('README.md', 'commands', nounList(registry)),
  ...deployFiles(readFileSync('docs/deploy.md', 'utf8')),
}

const isCheck = process.argv.includes('--check')
// The gate judges what is not listed there, so the list is never wrong, only slow.
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

/** The text of a file with the part between two markers replaced. */
function between(file: string, mark: string, part: string): Record<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [start, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`${file} has no ${start} and ${end} markers`)
  return { [file]: `${text.slice(0, from + start.length)}\n\n${part}\n\n${text.slice(to)}` }
}
