import { constants } from 'node:fs'
import { access, appendFile, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type Change,
  type Core,
  checkFailed,
  checkPassed,
  defineFeature,
  keys,
  type PolicySection,
  ruleOf,
  taskOf,
  text,
  z,
} from 'bellhop/feature'

/** `ledger` of bellhop.yml. */
const section: PolicySection<{ file: string } | undefined> = {
  key: 'ledger',
  schema: () => keys({ file: text }).optional(),
  words: {
    ledger: 'A CSV file with a row for each change that was done.',
    'ledger.file': 'Where the file is, as the bot that writes it sees it.',
  },
}

const columns = ['Change', 'Done at', 'Command', 'Amount', 'Currency', 'Asked by', 'Approved by']

/** What a spreadsheet would take for a formula is text. */
const cell = (value: string | number | null): string =>
  `"${String(value ?? '')
    .replace(/^[=+\-@\t\r]/, "'$&")
    .replaceAll('"', '""')}"`

const rowOf = ({ id, updatedAt, command, amount, currency, requester, votes }: Change): string =>
  [
    id,
    ...[new Date(updatedAt).toISOString(), command, amount, currency, requester.name].map(cell),
    cell(votes.map(({ by }) => by.name).join(', ')),
  ].join(',')

/** Once for each change, however often it is tried: a row that is there, whole, is not written again. */
const write = async ({ policy, store }: Core, id: string): Promise<void> => {
  const [rule, change] = [ruleOf(policy, section), await store.changes.get(id)]
  if (rule === undefined || change === null) return
  await writeFile(rule.file, `${columns.map(cell).join(',')}\n`, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const rows = (await readFile(rule.file, 'utf8')).split('\n')
  const cut = rows.pop()
  if (rows.some((row) => row.startsWith(`${id},`))) return
  await appendFile(rule.file, `${cut === '' ? '' : '\n'}${rowOf(change)}\n`)
}

/** A feature from outside: everything that was done, in a file for whoever keeps the books. */
export const feature = defineFeature({
  name: 'ledger',
  surface: 1,
  policy: section,
  onStep: (tx, { before, after, policy }) => {
    if (ruleOf(policy, section) === undefined) return
    if (after.state !== 'applied' || before?.state === 'applied') return
    return tx.tasks.put({
      kind: 'ledger',
      key: `ledger:${after.id}`,
      doc: { id: after.id },
      dueAt: after.updatedAt,
    })
  },
  tasks: { ledger: taskOf(z.object({ id: z.string() }), (core, { id }) => write(core, id)) },
  doctor: async ({ policy }) => {
    const rule = ruleOf(policy, section)
    if (rule === undefined) return []
    const folder = dirname(rule.file)
    return access(folder, constants.W_OK).then(
      () => [checkPassed('ledger', `${rule.file} can be written.`)],
      () => [checkFailed('ledger', `Nothing can be written in ${folder}: make it, or name another file.`)],
    )
  },
})
