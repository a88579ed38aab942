import { isCutCard, wholeCardOf } from '../../approvals/card.ts'
import { behindDetails } from '../../approvals/card-buttons.ts'
import { storedChunksOf } from '../../bulk/pinned-set.ts'
import type { Asker } from '../../command/context.ts'
import type { OutFile } from '../../command/define.ts'
import type { Core } from '../../core/core.ts'
import { isDecider } from '../../core/people/authorization.ts'
import { changeFor, delegatedVotes } from '../../core/people/delegates.ts'
import { defined } from '../../defined.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { createSpool } from '../../messenger/spool.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { personNow } from '../../policy/people.ts'
import { noSuchChange, refusal } from '../../view/refusals.ts'
import { textOfView } from '../../view/text.ts'
import { code, note, text } from '../../view/view.ts'
import { visibleLine, visibleText } from '../../view/visible.ts'

/** The whole of a change as a file: its card with nothing cut, the stored plan, and every member of a pinned set. */
export const showAll = async (core: Core, asker: Asker, button: string): Promise<Result<Reply>> => {
  const id = button.split('.')[0] ?? ''
  const change = await changeFor(core, asker, id)
  if (change === null) return no(noSuchChange(id))
  const isOwn = asker.person === personNow(core.policy, change.requester)
  const isTheirs = isOwn || isDecider(core.policy, asker, change)
  if (!isTheirs && !(await delegatedVotes(core, asker))(change)) {
    return no(refusal('may_not_approve', 'All of it is for whoever asked for it or may approve it.'))
  }
  await core.store.audit.append(entryBy(asker, 'ran', change, { line: `show all of ${change.id}` }))
  const whole = wholeCardOf(change, core.now())
  const isLong = isCutCard(change, core.now()) || textOfView(whole).length > longText
  const file = isLong ? await fileOf(core, change) : undefined
  return ok({
    kind: 'answer',
    command: change.command,
    isDetails: true,
    view: {
      ...whole,
      actions: behindDetails(change, core.now()),
      blocks: [
        ...(file === undefined ? [] : [note('plain', `All of it is in ${file.name}.`)]),
        ...whole.blocks,
        ...(file === undefined ? [text('What is sent'), code(JSON.stringify(change.plan, null, 2))] : []),
      ],
    },
    ...defined({ file }),
  })
}

/** What is longer than a screen or two is handed over as a file too. */
const longText = 3_000

const fileOf = async (core: Core, change: Change): Promise<OutFile> => {
  const spool = createSpool(`change-${change.id}.txt`, 'text/plain')
  await spool.add(`${textOfView(wholeCardOf(change, core.now()))}\n\nLine\n  ${visibleLine(change.line)}\n`)
  await spool.add(`\nPlan\n${visibleText(JSON.stringify(change.plan, null, 2)).replace(/^/gm, '  ')}\n`)
  if (change.pinned === undefined) return spool.end()
  await spool.add(`\nAll ${change.pinned.total}\n`)
  for await (const { items } of storedChunksOf(core.store, change.pinned.set)) {
    await spool.add(items.map((item) => `  ${memberLine(item)}\n`).join(''))
  }
  return spool.end()
}

const memberLine = (item: unknown): string =>
  visibleLine(typeof item === 'string' ? item : JSON.stringify(item))
