import { csvLine } from '../../bulk/csv.ts'
import type { Asker } from '../../command/context.ts'
import type { Core } from '../../core/core.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { ok, type Result } from '../../model/result.ts'
import { plural } from '../../view/button-labels.ts'
import type { TableBlock } from '../../view/view.ts'
import { answerBehind } from './query.ts'

/** Every column of the tables of a stored answer, with exact times. */
export const columnsFile = async (core: Core, asker: Asker, id: string): Promise<Result<Reply>> => {
  const behind = await answerBehind(core, asker, id)
  if (!behind.ok) return behind
  const { command, view } = behind.value
  const tables = view.blocks.flatMap((block) => (block.kind === 'table' ? block : []))
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
