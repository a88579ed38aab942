import { cardOf } from '../approvals/card.ts'
import type { Change as Stored } from '../approvals/change.ts'
import { holdFrom } from '../approvals/law.ts'
import { putTasks } from '../approvals/transition.ts'
import { digestOf } from '../audit/canonical.ts'
import type { Asker } from '../command/context.ts'
import type { Change, Command } from '../command/define.ts'
import type { Input } from '../command/parse.ts'
import { lineOf } from '../command/print.ts'
import { no, ok, type Result } from '../result.ts'
import { partyOf } from './asker.ts'
import { executeOrLeave } from './execute.ts'
import type { Inbound, Reply } from './inbound.ts'
import { pin } from './pin.ts'
import { askedOf, namesOf, prepare, whyFrozen } from './prepare.ts'
import { weigh } from './weigh.ts'
import type { World } from './world.ts'

/** A change that somebody asks for: prepare, preview, what the policy needs, then a card or, if nothing, the deed. */
export const ask = async (
  world: World,
  asker: Asker,
  command: Command,
  definition: Change,
  given: Input,
  place: Inbound['place'],
): Promise<Result<Reply>> => {
  const frozen = await whyFrozen(world.store, definition.area)
  if (frozen !== undefined) return no(frozen)
  const asked = await pin(world, asker, definition, given)
  if (!asked.ok) return asked
  const { input, pinned } = asked.value
  const prepared = await prepare(world, asker, definition, input, pinned)
  if (!prepared.ok) return prepared
  const requester = partyOf(asker)
  const change = await world.store.tx(async (store) => {
    const id = world.newId()
    const createdAt = world.now()
    const names = namesOf(definition)
    const intent = digestOf(
      definition.intent === undefined
        ? { command: names.toSorted(), input }
        : definition.intent(input, pinned),
    )
    const { amount } = prepared.value
    const decision = await weigh(
      world,
      store,
      { id, names, area: definition.area, amount, intent, requester, createdAt },
      'ask',
    )
    const need = askedOf(definition, prepared.value, decision, createdAt)
    const stored: Stored = {
      id,
      version: 1,
      state: need.requirement.kind === 'none' ? 'approved' : 'pending',
      command: command.name,
      names,
      area: definition.area,
      line: lineOf(command.name, command.params, input),
      input,
      intent,
      requester,
      origin: { platform: asker.platform, ...place },
      votes: [],
      createdAt,
      updatedAt: createdAt,
      drift: null,
      claimedBy: null,
      ended: null,
      outcome: null,
      pinned,
      ...need,
      ...(need.requirement.kind === 'none' ? holdFrom(need, createdAt) : {}),
    }
    await store.audit.append({
      kind: 'asked',
      who: requester.person,
      name: requester.name,
      platform: requester.platform,
      command: command.name,
      changeId: id,
      doc: {
        line: stored.line,
        account: requester.account,
        channel: place.channel,
        plan: stored.plan,
        digest: stored.digest,
        rule: stored.rule,
        requirement: stored.requirement,
        amount,
        warnings: stored.warnings,
      },
    })
    if (!(await store.changes.insert(stored))) throw new Error(`the id ${id} is taken`)
    if (pinned !== undefined) await store.bulk.attach(pinned.set, id)
    await putTasks(world, store, stored)
    return stored
  })
  world.count({ kind: 'change', state: change.state })
  world.onStep('asked', change.id)
  const after = change.state === 'approved' ? await executeOrLeave(world, change) : change
  world.nudge()
  return ok({ kind: 'change', change: after, view: cardOf(after, world.now()) })
}
