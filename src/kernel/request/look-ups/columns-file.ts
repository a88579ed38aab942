import { csvLine } from '../../../lib/codecs/csv.ts'
import { ok, type Result } from '../../../lib/result.ts'
import { plural } from '../../../lib/view/button-labels.ts'
import { type TableBlock, wholeTables } from '../../../lib/view/view.ts'
import type { Actor } from '../../command/context.ts'
import type { Core } from '../../core.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { answerBehind } from './query.ts'

/** Every column of the tables of a stored answer, with exact times. */
export const columnsFile = async (core: Core, actor: Actor, id: string): Promise<Result<Reply>> => {
  const behind = await answerBehind(core, actor, id)
  if (!behind.ok) return behind
  const { command, view } = behind.value
  const tables = wholeTables(view)
  const rows = tables.reduce((sum, { rows: some }) => sum + some.length, 0)
  return ok({
    kind: 'answer',
    command,
    view: { title: `${view.title}, as a file`, tone: 'plain', blocks: [], footer: plural(rows, 'row') },
    file: {
      name: `${command.replaceAll(' ', '-')}.csv`,
      type: 'text/csv',
      content: tables.map(csvOf).join('\r\n'),
    },
  })
}

const csvOf = ({ columns, rows }: TableBlock): string =>
  [
    csvLine(columns.map(({ label }) => label)),
    ...rows.map((row, line) =>
      csvLine(row.map((cell, at) => exactOf(columns[at]?.times?.[line]?.at) ?? cell)),
    ),
  ].join('')

const exactOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString()
