import { statusOf } from '../../src/approvals/card.ts'
import type { ReadContext } from '../../src/command/context.ts'
import type { Command } from '../../src/command/define.ts'
import { usageOf } from '../../src/command/line/usage.ts'
import { isMoneyCommand } from '../../src/command/moves-money.ts'
import type { Registry } from '../../src/command/registry.ts'
import { needsApproval } from '../../src/policy/clauses.ts'
import { formatNumber } from '../../src/view/format-number.ts'
import { recipientOf } from './cards.ts'

const mostOpen = 500
/** Of one requester, so that whoever asks for much hides nothing that others ask for. */
const mostOfOne = 50
const mostEntries = 40

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
  const { records, asker, now } = reads
  const isTurn = await records.turns()
  const found = await records.changes({ states: ['pending', 'unknown'], limit: mostOpen, page: 1 })
  const addressed = found.filter((change) => [null, asker.person].includes(recipientOf(change)))
  return [...Map.groupBy(addressed, ({ requester }) => requester.person).values()]
    .flatMap((ofOne) => ofOne.slice(0, mostOfOne))
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
      isMarkable: isTurn(change) && change.state === 'pending' && needsApproval(change.clauses),
    }))
}

/** The end of the audit log, and whether it is as it was written; `null` for somebody who may not read it. */
export const auditFor = async ({ records }: ReadContext, check: boolean) => {
  if (!records.mayRun('audit find')) return null
  const started = performance.now()
  const verdict = check && records.mayRun('audit verify') ? await records.audit.verify() : null
  const entries = await records.audit.find({ limit: mostEntries, page: 1 })
  return {
    verdict:
      verdict === null
        ? null
        : { ok: verdict.ok, sentence: sentenceOf(verdict), ms: performance.now() - started },
    entries: entries
      .slice(0, mostEntries)
      .map(({ seq, at, kind, name, platform, command, changeId, id }) => ({
        seq,
        at,
        kind,
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
