import { no } from '../../lib/result.ts'
import { DatabaseError } from '../../lib/sql/database.ts'
import { refusal, refusalView } from '../../lib/view/refusals.ts'
import { note, type View } from '../../lib/view/view.ts'
import { actorOf } from '../actors/authorization.ts'
import { askGroups } from '../actors/membership.ts'
import { createPasskeys } from '../actors/passkeys.ts'
import { createSignIns } from '../actors/sign-ins.ts'
import { viewFor } from '../cards/card-publisher.ts'
import { recordCopy } from '../cards/copies.ts'
import { byParamName } from '../command/params.ts'
import { readContext } from '../context/command-context.ts'
import { refusalOf } from '../context/error-refusals.ts'
import type { Core } from '../core.ts'
import { allFeatures } from '../feature.ts'
import type { Bot, CardCopies } from '../messenger/bot.ts'
import { bounds } from '../messenger/bounds.ts'
import type { Sender } from '../messenger/inbound.ts'
import type { MessengerError } from '../messenger/messenger.ts'
import { bellhop, entryBy } from '../model/audit-entry.ts'
import { openStates } from '../model/change.ts'
import { workspaceIn } from '../model/workspace.ts'
import { deliver, waysTo } from '../telling/deliver.ts'
import { suggest } from '../things/suggest.ts'
import { createAgentAccess } from './agent-access.ts'
import { createIntake } from './intake.ts'
import { answerBehind } from './look-ups/query.ts'
import { menuBehind } from './reading/act.ts'
import { draftsOf } from './reading/drafts.ts'
import { filledForm } from './reading/filled-form.ts'
import { readingOf } from './reading/understand.ts'

/** The part of the bot that adapters see. */
export const createBot = (core: Core, { handle, ackQueue }: Pick<Bot, 'handle' | 'ackQueue'>): Bot => {
  const { registry, store, now, ticks } = core
  return {
    registry,
    now,
    ticks,
    handle,
    intake: createIntake(core),
    ackQueue,
    suggest: (from, param, typed, within) =>
      suggest(core, actorOf(core.policy, from), param, typed.slice(0, bounds.name), within),
    reading: (from, said) => readingOf(core, actorOf(core.policy, from), said).catch(() => undefined),
    menuOf: async (from, id, typed = '') => {
      const actor = actorOf(core.policy, from)
      const behind = await answerBehind(core, actor, id)
      return behind.ok ? menuBehind(core, actor, id, behind.value, typed.slice(0, bounds.name)) : undefined
    },
    readsOf: (from) => readContext({ ...core }, actorOf(core.policy, from)),
    compareDraft: async (from, draft) => {
      const compare = allFeatures().find(({ compareDraft }) => compareDraft)?.compareDraft
      return (
        (await compare?.({ ...core }, actorOf(core.policy, from), draft)) ??
        no(refusal('not_allowed_now', 'This bot compares no drafts.'))
      )
    },
    agents: createAgentAccess(core),
    get people() {
      return core.policy.people.map(({ id, name, roles }) => ({ id, name, roles }))
    },
    groupsNow: async (from) => (await askGroups(core, [from]))(from) ?? [],
    groupsOf: (platform, workspace) =>
      Object.keys(core.policy.groups[platform] ?? {}).filter((id) => workspaceIn(id) === workspace),
    workspacesOf: (platform) => core.policy.workspaces[platform] ?? [],
    countRefused: (platform, reason) => core.count({ kind: 'refused_delivery', platform, reason }),
    undelivered: (from, error) => tellElsewhere(core, from, error),
    failureView: (error, fields) =>
      refusalView(
        refusalOf(
          core,
          error instanceof DatabaseError ? error : new Error('a messenger failed', { cause: fields }),
        ),
      ),
    drafts: draftsOf(core),
    formOf: async (from, { command: name, values }) => {
      const command = registry.get(name)
      const given = command && byParamName(command, values)
      return given && filledForm(core, actorOf(core.policy, from), { command, given })
    },
    signIns: createSignIns(core),
    passkeys: createPasskeys(core),
    cards: cardsOf(core),
    installations: {
      ...store.installations,
      record: async (what, platform, id) => {
        await store.audit.append(
          entryBy(bellhop, what, { command: 'bellhop status' }, { platform, workspace: id }),
        )
      },
      isFirstUse: (id) => store.deliveries.first(`install:${id}`),
    },
    leases: {
      acquire: (name, ms) => store.leases.acquire(name, core.process, ms),
      release: (name) => store.leases.release(name, core.process),
    },
  }
}

/** In person, wherever whoever asked can be reached. */
const tellElsewhere = async (core: Core, from: Sender, error: MessengerError): Promise<void> => {
  try {
    const { person, name: to, platform } = actorOf(core.policy, from)
    const message = { kind: 'answer' as const, to, about: { command: 'bellhop status' } }
    const refused = { platform, send: () => Promise.reject(error) }
    const inPerson = waysTo(core, { ...from, person }, (messenger, account) =>
      messenger.direct(account, unshownView(error)),
    )
    await deliver(core, message, [refused, ...inPerson])
  } catch (cause) {
    core.log.error({ err: cause }, 'an answer that was not shown could not be put on record')
  }
}

const unshownView = ({ words }: MessengerError): View => ({
  title: 'An answer could not be shown where you asked',
  tone: 'warn',
  blocks: [
    note('warn', `${words}.`),
    note('plain', 'Ask again here, or in a conversation with the bot alone.'),
  ],
})

const maxOpen = 100

const cardsOf = (core: Core): CardCopies => {
  const { store } = core
  const of: CardCopies['of'] = async (platform, change) => {
    const copies = await store.cards.of(change.id)
    return copies
      .filter((copy) => copy.platform === platform)
      .map(({ address, place }) => ({ change, address, place }))
  }
  return {
    of,
    open: async (platform) => {
      const changes = await store.changes.list({ states: openStates, limit: maxOpen })
      const inOrder = changes.toSorted((one, other) => one.createdAt - other.createdAt)
      return (await Promise.all(inOrder.map((change) => of(platform, change)))).flat()
    },
    isAt: async (platform, address) => (await store.cards.at(platform, address)) !== undefined,
    view: (change, place) => viewFor(core, change, place),
    keep: async (platform, { change }, address) => {
      if (change === undefined) return
      const { id: changeId, version = 0 } = change
      await recordCopy(core, { changeId, platform, address, place: 'adopted', version })
    },
    add: (platform, { id: changeId, version }, address) =>
      recordCopy(core, { changeId, platform, address, place: 'mirror', version }),
  }
}
