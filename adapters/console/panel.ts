import { statusOf } from '../../src/approvals/card.ts'
import { type Verdict, verify } from '../../src/audit/verify.ts'
import type { Asker } from '../../src/command/context.ts'
import type { Command } from '../../src/command/define.ts'
import { usageOf } from '../../src/command/line/usage.ts'
import { mayDecide } from '../../src/core/authorization.ts'
import type { Core } from '../../src/core/core.ts'
import type { Change } from '../../src/model/change.ts'
import { policyNamesOf } from '../../src/pipeline/prepare.ts'
import { isConfirmOnly } from '../../src/policy/clauses.ts'
import { mayRun } from '../../src/policy/people.ts'
import type { Policy } from '../../src/policy/policy.ts'

const mostWaiting = 50
const mostEntries = 40

export const mayRunCommand = (policy: Policy, asker: Asker, command: Command): boolean =>
  mayRun(policy, asker, command.kind === 'change' ? policyNamesOf(command) : [command.name])

/** The commands this persona may run, by noun. */
export const commandsFor = ({ registry, policy }: Core, asker: Asker) =>
  registry.nouns.flatMap((noun) => {
    const commands = registry
      .under(noun)
      .filter((command) => mayRunCommand(policy, asker, command))
      .map((command) => ({
        name: command.name,
        summary: command.summary,
        usage: usageOf(command),
        kind: kindOf(command),
        examples: command.examples,
      }))
    return commands.length === 0 ? [] : [{ noun, commands }]
  })

/** What waits for somebody, as far as this persona may know of it. */
export const openChangesFor = async ({ store, policy, now }: Core, asker: Asker) => {
  const found = await store.changes.list({ states: ['pending', 'unknown'], limit: mostWaiting })
  return found
    .filter((change) => maySee(policy, asker, change))
    .map((change) => ({
      id: change.id,
      title: change.preview.title,
      status: statusOf(change, now()),
      state: change.state,
      by: change.requester.name,
      at: change.createdAt,
      expiresAt: change.state === 'pending' ? change.expiresAt : null,
      isForYou: isTurnOf(policy, asker, change),
    }))
}

const isTurnOf = (policy: Policy, asker: Asker, change: Change): boolean => {
  const isOwn = change.requester.person === asker.person
  const isTheirs = isConfirmOnly(change.clauses) && change.state !== 'unknown'
  return isTheirs ? isOwn : !isOwn && mayDecide(policy, asker, change)
}

/** What somebody confirms alone is theirs alone, until nobody knows what became of it. */
export const maySee = (policy: Policy, asker: Asker, change: Change): boolean =>
  change.requester.person === asker.person ||
  ((!isConfirmOnly(change.clauses) || change.state === 'unknown') &&
    (mayDecide(policy, asker, change) || mayRun(policy, asker, ['approval list'])))

/** The end of the audit log, and whether its chain holds; `null` for somebody who may not read it. */
export const auditFor = async ({ store, policy }: Core, asker: Asker, check: boolean) => {
  if (!mayRun(policy, asker, ['audit find'])) return null
  const started = performance.now()
  const verdict = check && mayRun(policy, asker, ['audit verify']) ? await verify(store) : null
  const entries = await store.audit.find({ limit: mostEntries })
  return {
    verdict:
      verdict === null
        ? null
        : { ok: verdict.ok, sentence: sentenceOf(verdict), ms: performance.now() - started },
    entries: entries.map(({ seq, at, kind, name, platform, command, changeId, hash }) => ({
      seq,
      at,
      kind,
      name,
      platform,
      command,
      changeId,
      hash,
    })),
  }
}

const sentenceOf = (verdict: Verdict): string =>
  verdict.ok
    ? `Verified: ${verdict.entries.toLocaleString('en-US')} entries, none changed, none missing.`
    : verdict.sentence

const kindOf = (command: Command): string => {
  if (command.kind === 'query') return 'look-up'
  if (command.kind === 'change') return command.area === 'billing' ? 'money' : 'change'
  return command.kind === 'decision' ? 'decision' : 'any'
}
