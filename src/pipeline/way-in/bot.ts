import { recordCopy, viewFor } from '../../approvals/card-publisher.ts'
import { byParamName } from '../../command/params.ts'
import { readContext } from '../../core/context/command-context.ts'
import { refusalOf } from '../../core/context/error-refusals.ts'
import type { Core } from '../../core/core.ts'
import { askerOf } from '../../core/people/authorization.ts'
import { askGroups } from '../../core/people/membership.ts'
import { createPasskeys } from '../../core/people/passkeys.ts'
import { createSignIns } from '../../core/people/sign-ins.ts'
import { deliver, waysTo } from '../../core/telling/deliver.ts'
import type { Bot, CardCopies } from '../../messenger/bot.ts'
import { bounds } from '../../messenger/bounds.ts'
import type { Sender } from '../../messenger/inbound.ts'
import type { MessengerError } from '../../messenger/messenger.ts'
import { bellhop, entryBy } from '../../model/audit-entry.ts'
import { workspaceIn } from '../../model/workspace.ts'
import { DatabaseError } from '../../storage/database/database.ts'
import { suggest } from '../../things/suggest.ts'
import { refusalView } from '../../view/refusals.ts'
import { note, type View } from '../../view/view.ts'
import { replayDraft } from '../explaining/replay/draft.ts'
import { answerBehind } from '../look-ups/query.ts'
import { menuBehind } from '../reading/act.ts'
import { draftsOf } from '../reading/drafts.ts'
import { filledForm } from '../reading/filled-form.ts'
import { readingOf } from '../reading/understand.ts'
import { createAgentAccess } from './agent-access.ts'
import { createIntake } from './intake.ts'

/** The part of the bot that adapters see. */
export const createBot = (core: Core, { handle, ackQueue }: Pick<Bot, 'handle' | 'ackQueue'>): Bot => {
  const { registry, store, now } = core
  return {
    registry,
    now,
    handle,
    intake: createIntake(core),
    ackQueue,
    suggest: (from, param, typed, within) =>
      suggest(core, askerOf(core.policy, from), param, typed.slice(0, bounds.name), within),
    reading: (from, said) => readingOf(core, askerOf(core.policy, from), said).catch(() => undefined),
    menuOf: async (from, id) => {
      const asker = askerOf(core.policy, from)
      const behind = await answerBehind(core, asker, id)
      return behind.ok ? menuBehind(core, asker, id, behind.value) : undefined
    },
    readsOf: (from) => readContext({ ...core }, askerOf(core.policy, from)),
    replayDraft: (from, text, sinceMs) => replayDraft({ ...core }, askerOf(core.policy, from), text, sinceMs),
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
      return given && filledForm(core, askerOf(core.policy, from), { command, given })
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
    const { person, name: to, platform } = askerOf(core.policy, from)
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

const openStates = ['pending', 'approved', 'applying', 'unknown'] as const
const mostOpen = 100

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
      const changes = await store.changes.list({ states: openStates, limit: mostOpen })
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
