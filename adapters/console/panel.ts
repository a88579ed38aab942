import { statusOf } from '../../src/kernel/cards/card.ts'
import { cardFor, requestFor, viewerOf } from '../../src/kernel/cards/pressable.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { Command } from '../../src/kernel/command/define.ts'
import { usageOf } from '../../src/kernel/command/line/usage.ts'
import { isMoneyCommand } from '../../src/kernel/command/moves-money.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import { needsApproval } from '../../src/kernel/law/clauses.ts'
import { entryKindWords } from '../../src/kernel/model/audit-entry.ts'
import { type Change, unsettledStates } from '../../src/kernel/model/change.ts'
import { deedSentence } from '../../src/kernel/model/deeds.ts'
import { freezeWords, unfreezeAction } from '../../src/kernel/model/freeze.ts'
import { msBetween, ticks } from '../../src/lib/clock.ts'
import { countWords, someWhere } from '../../src/lib/some.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { recipientOf } from './cards.ts'
import { toRowsJson, toViewJson } from './message-json.ts'

const maxOpen = 500
/** Of one requester, so that whoever asks for much hides nothing that others ask for. */
const maxOfOne = 50
const maxEntries = 40
/** More lines than anybody reads; the list of requests has pages. */
const maxRows = 50

/** The commands this persona may run, by noun. Examples speak of what is in the sandbox: elsewhere a line begins with the command alone. */
export const commandsFor = (registry: Registry, { records }: ReadContext, demo: boolean) =>
  registry.nouns.flatMap((noun) => {
    const commands = registry
      .under(noun)
      .filter(({ name }) => records.mayRun(name))
      .map((command) => ({
        name: command.name,
        summary: command.summary,
        usage: usageOf(command),
        kind: kindOf(command),
        /** Without more it says nothing. */
        needsMore: command.params.some(({ required }) => required),
        examples: demo ? command.examples : [command.name],
      }))
    return commands.length === 0 ? [] : [{ noun, commands }]
  })

/** What waits for somebody, as far as this persona may know of it. */
export const openChangesFor = async (reads: ReadContext) => {
  const { records, actor, now } = reads
  const isTurn = await records.turns()
  const found = await records.changes({ states: ['pending', ...unsettledStates], limit: maxOpen, page: 1 })
  const addressed = someWhere(found, (change) => [null, actor.person].includes(recipientOf(change)))
  const changes = [...Map.groupBy(addressed.items, ({ requester }) => requester.person).values()]
    .flatMap((ofOne) => ofOne.slice(0, maxOfOne))
    .toSorted((one, other) => other.updatedAt - one.updatedAt)
    .map((change) => ({
      id: change.id,
      title: change.preview.title,
      status: statusOf(change, now),
      state: change.state,
      by: change.requester.name,
      at: change.createdAt,
      expiresAt: change.state === 'pending' ? change.expiresAt : null,
      isForYou: isTurn(change),
      isMarkable:
        isTurn(change) &&
        change.state === 'pending' &&
        needsApproval(change.clauses) &&
        change.frozen === undefined,
    }))
  const isOthers = (change: Change) => !isTurn(change)
  const isOpen = new Set(changes.map(({ id }) => id))
  const open = addressed.items.filter(({ id }) => isOpen.has(id))
  const decidersOf = await records.deciders()
  const rowsOf = (some: readonly Change[]) =>
    Promise.all(
      some
        .toSorted((one, other) => other.updatedAt - one.updatedAt)
        .slice(0, maxRows)
        .map(async (change) => requestFor(change, await viewerOf(reads, change, decidersOf), now, 'inbox')),
    ).then((requests) => toRowsJson(requests))
  const freezes = await records.freezes()
  return {
    changes,
    /** A line each with its buttons, as everywhere. */
    mine: await rowsOf(open.filter(isTurn)),
    others: await rowsOf(open.filter(isOthers)),
    /** With what ends each, in the banner of the page. */
    freezes: freezes.map((freeze) => ({ words: freezeWords(freeze), action: unfreezeAction(freeze) })),
    counts: {
      mine: countWords(someWhere(addressed, isTurn)),
      others: countWords(someWhere(addressed, isOthers)),
    },
  }
}

/** The card of a change as this person reads it. */
export const cardOfChange = async (reads: ReadContext, change: Change) => {
  const { mentions: _, ...card } = cardFor(
    change,
    await viewerOf(reads, change, await reads.records.deciders()),
    reads.now,
  )
  return toViewJson(card)
}

/** The end of the audit log, and whether it is as it was written; `null` for somebody who may not read it. */
export const auditFor = async ({ records }: ReadContext, check: boolean) => {
  if (!records.mayRun('audit find')) return null
  const started = ticks()
  const verdict = check && records.mayRun('audit verify') ? await records.audit.verify() : null
  const entries = await records.audit.find({ limit: maxEntries, page: 1 })
  const ids = [...new Set(entries.flatMap(({ changeId }) => changeId ?? []))]
  const changes = new Map((await records.changesById(ids)).map((one) => [one.id, one]))
  return {
    verdict:
      verdict === null
        ? null
        : { ok: verdict.ok, sentence: sentenceOf(verdict), ms: msBetween(started, ticks()) },
    entries: entries
      .slice(0, maxEntries)
      .map(({ seq, at, kind, name, platform, command, changeId, id, doc }) => ({
        seq,
        at,
        kind: entryKindWords({ kind, changeId }),
        deed: deedSentence({ kind, command, changeId, doc }, changes.get(changeId ?? '')),
        name,
        platform,
        command,
        changeId,
        id,
      })),
  }
}

type Verdict = Awaited<ReturnType<ReadContext['records']['audit']['verify']>>

const sentenceOf = (verdict: Verdict): string =>
  verdict.ok
    ? `Verified: ${formatNumber(verdict.entries)} entries, none changed, none missing.${verdict.otherKey === undefined ? '' : ` ${verdict.otherKey}`}`
    : verdict.sentence

const kindOf = (command: Command): string => {
  if (command.kind === 'query') return 'look-up'
  if (command.kind === 'change') return isMoneyCommand(command) ? 'money' : 'change'
  return command.kind === 'decision' ? 'decision' : 'any'
}
