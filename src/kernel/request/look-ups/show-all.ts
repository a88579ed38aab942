import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { rowById, serviceWords } from '../../../lib/services/endpoints/tables.ts'
import { noSuchChange, refusal } from '../../../lib/view/refusals.ts'
import { textOfView } from '../../../lib/view/text.ts'
import { type Block, code, note, text, unfolded, type View } from '../../../lib/view/view.ts'
import { visibleLine, visibleText } from '../../../lib/view/visible.ts'
import { isDecider, partyOf } from '../../actors/authorization.ts'
import { changeFor, delegatedVotes } from '../../actors/delegates.ts'
import { cardOf, wholeCardOf } from '../../cards/card.ts'
import { behindDetails } from '../../cards/card-buttons.ts'
import { isPressable } from '../../cards/pressable.ts'
import { storedChunksOf } from '../../change/asking/pinned-set.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand, OutFile } from '../../command/define.ts'
import { definitionOf } from '../../command/registry.ts'
import { allSent, boundOf, newIdMark } from '../../context/bound.ts'
import type { Core } from '../../core.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { createSpool } from '../../messenger/spool.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { SentRequest } from '../../model/bound.ts'
import type { Change } from '../../model/change.ts'
import { readButton } from '../../model/shown.ts'
import { requestAuthors } from '../../policy/behind-request.ts'
import { personNow } from '../../policy/people.ts'

/** The whole of a change: its card with nothing cut, and what is sent for it, as a file where that is long. */
export const showAll = async (core: Core, actor: Actor, button: string): Promise<Result<Reply>> => {
  const { id } = readButton(button)
  const change = await changeFor(core, actor, id)
  if (change === null) return no(noSuchChange(id))
  const isOwn = actor.person === personNow(core.policy, change.requester)
  const mayVote = isDecider(core.policy, actor, change) || (await delegatedVotes(core, actor))(change)
  if (!isOwn && !mayVote) {
    return no(refusal('may_not_approve', 'All of it is for whoever asked for it or may approve it.'))
  }
  await core.store.audit.append(entryBy(actor, 'opened', change, { what: 'details' }))
  const isBehind = requestAuthors(change, core.policy).includes(actor.person)
  const viewer = { party: partyOf(actor), mayVote: mayVote && !isBehind }
  const whole = wholeCardOf(change, core.now())
  const isLong =
    change.pinned !== undefined ||
    cardOf(change, core.now()).isCut ||
    [textOfView(whole), sentIn(change, core.registry).map(requestText).join('')].some(
      ({ length }) => length > longText,
    )
  const file = isLong ? await fileOf(core, change) : undefined
  return ok({
    ...detailsReply(change.command, {
      ...whole,
      actions: behindDetails(change, core.now()).filter(({ verb }) =>
        isPressable(change, verb, viewer, core.now()),
      ),
      blocks: [
        ...(file === undefined ? [] : [note('plain', `All of it is in ${file.name}.`)]),
        ...whole.blocks,
        ...(file === undefined ? sentBlocks(change, core.registry) : []),
      ],
    }),
    ...defined({ file }),
  })
}

/** More of what somebody looks at, with nothing left out that a first screen has no room for. */
export const detailsReply = (command: string, view: View): Extract<Reply, { kind: 'answer' }> => ({
  kind: 'answer',
  command,
  isDetails: true,
  view: { ...view, blocks: view.blocks.map(unfolded) },
})

/** What is longer than a screen or two is handed over as a file too. */
const longText = 3_000

const fileOf = async (core: Core, change: Change): Promise<OutFile> => {
  const spool = createSpool(`change-${change.id}.txt`, 'text/plain')
  await spool.add(`${textOfView(wholeCardOf(change, core.now()))}\n\nLine\n  ${visibleLine(change.line)}\n`)
  await spool.add(`\n${sentTitle}\n`)
  const add = (sent: readonly SentRequest[]) =>
    spool.add(
      sent
        .map((one) => `${visibleText(`${toWords(one)}\n${requestText(one)}`).replace(/^/gm, '  ')}\n`)
        .join('\n'),
    )
  const definition = definitionOf(core.registry, change)
  const plan = definition?.plan.safeParse(change.plan)
  if (change.pinned !== undefined && definition?.bulk !== undefined && plan?.success) {
    for await (const { items } of storedChunksOf(core.store, change.pinned.set))
      if (items.length > 0) await add(allSent(definition.bulk.requests(plan.data, items)))
    return spool.end()
  }
  const sent = sentIn(change, core.registry)
  await (sent.length === 0 ? spool.add(`  ${nothingWords(definition)}\n`) : add(sent))
  return spool.end()
}

const sentTitle = 'What is sent'
const nothingWords = (definition: ChangeCommand | undefined): string => {
  const isSending = definition?.uses.some((id) => rowById(id).row.effect !== 'read')
  return definition === undefined || (isSending && definition.requests === undefined)
    ? 'The command does not say beforehand what it sends.'
    : 'Nothing is sent to a service: Bellhop changes what it keeps itself.'
}

/** The requests as they leave. What an older version stored is written down now, as it would be sent. */
const sentIn = (change: Change, registry: Core['registry']): readonly SentRequest[] => {
  if (change.bound !== undefined) return change.bound.sent
  const definition = definitionOf(registry, change)
  const plan = definition?.plan.safeParse(change.plan)
  return definition !== undefined && plan?.success ? boundOf(definition, plan.data).sent : []
}

const sentBlocks = (change: Change, registry: Core['registry']): Block[] => {
  const sent = sentIn(change, registry)
  return sent.length === 0
    ? [text(sentTitle), text(nothingWords(definitionOf(registry, change)))]
    : [text(sentTitle), ...sent.flatMap((one) => [text(toWords(one)), code(requestText(one))])]
}

const toWords = ({ service, body = '' }: SentRequest): string =>
  `To ${serviceWords(service)}:${body.includes(newIdMark) ? ` ${newIdMark} is made when it leaves.` : ''}`

const requestText = ({ method, path, body }: SentRequest): string =>
  `${method} ${path}${body === undefined ? '' : `\n${JSON.stringify(JSON.parse(body), null, 2)}`}`
