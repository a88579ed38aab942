import { writeFileSync } from 'node:fs'
import { commandsWith } from '../test/harness/commands.ts'
import { changedIn, readRecord, recordFile, recordOf } from '../test/intent/record.ts'

/** Says which sayings of the corpora are now read otherwise than the record has them, and writes it unless `--check` is given. */
const maxShown = 60
const lines = recordOf(commandsWith())
const changed = changedIn(readRecord(), lines)
for (const line of changed.slice(0, maxShown)) console.log(line)
if (changed.length > maxShown) console.log(`and ${changed.length - maxShown} more lines`)
if (changed.length > 0 && process.argv.includes('--check')) {
  console.log('test/intent/understood.txt is out of date: look at each line, then run npm run sayings.')
  process.exitCode = 1
} else if (changed.length > 0) writeFileSync(recordFile, `${lines.join('\n')}\n`)
