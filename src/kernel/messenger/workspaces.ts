import { defined } from '../../lib/defined.ts'
import type { View } from '../../lib/view/view.ts'
import { qualified, unqualified, workspaceIn } from '../model/workspace.ts'
import type { Bot, CardCopy } from './bot.ts'
import type { Inbound, Intent, Reply, Sender } from './inbound.ts'
import type { Messenger } from './messenger.ts'

/**
 * The bot as the part of an adapter sees it that works for one further workspace: there ids are as the workspace itself writes
 * them, and here is the one place where they get that of the workspace before them.
 */
export const botWithin = (bot: Bot, platform: string, workspace: string): Bot => {
  const named = (id: string): string => qualified(workspace, id)
  const maybe = <T extends string | null | undefined>(id: T): T =>
    (typeof id === 'string' ? named(id) : id) as T
  const sender = (from: Sender): Sender => ({
    ...from,
    account: named(from.account),
    groups: from.groups.map(named),
  })
  const place = (given: Inbound['place']): Inbound['place'] => ({
    ...given,
    channel: maybe(given.channel),
    handle: maybe(given.handle),
  })
  const intent = (given: Intent): Intent =>
    given.kind === 'reply' ? { ...given, to: named(given.to) } : given
  const shown = (view: View): View => viewWithin(view, platform, workspace)
  const ownCopy = (copy: CardCopy): CardCopy[] =>
    workspaceIn(copy.address) === workspace ? [{ ...copy, address: unqualified(copy.address) }] : []
  const reply = (given: Reply): Reply => {
    if (given.kind === 'change') {
      const { origin } = given.change
      const here = (id: string | null) => (id === null ? null : localIn(workspace, id))
      return {
        ...given,
        change: {
          ...given.change,
          origin: { ...origin, channel: here(origin.channel), handle: here(origin.handle) },
        },
        view: shown(given.view),
      }
    }
    return 'view' in given ? { ...given, view: shown(given.view) } : given
  }
  const { agents, intake, cards, installations } = bot
  // Each member by its name: one that the bot is given later is refused here until somebody has said which of it are ids.
  return {
    registry: bot.registry,
    now: bot.now,
    ticks: bot.ticks,
    handle: async (inbound) =>
      reply(
        await bot.handle({
          ...inbound,
          from: sender(inbound.from),
          place: place(inbound.place),
          intent: intent(inbound.intent),
          pressedOn: maybe(inbound.pressedOn),
        }),
      ),
    intake: {
      // The payload is the platform's own: whoever is given it again reads from it which workspace it is of.
      take: (on, delivery, what) => intake.take(on, delivery, { ...what, account: named(what.account) }),
      done: intake.done,
      forget: intake.forget,
    },
    ackQueue: bot.ackQueue,
    suggest: (from, ...rest) => bot.suggest(sender(from), ...rest),
    reading: (from, said) => bot.reading(sender(from), said),
    menuOf: (from, ...rest) => bot.menuOf(sender(from), ...rest),
    readsOf: (from) => bot.readsOf(sender(from)),
    compareDraft: (from, ...rest) => bot.compareDraft(sender(from), ...rest),
    agents: {
      get all() {
        return agents.all
      },
      refuseFrozen: (from) => agents.refuseFrozen(sender(from)),
      policyFor: (from) => agents.policyFor(sender(from)),
      change: (from, id) => agents.change(sender(from), id),
      owns: (from, change) => agents.owns(sender(from), change),
      waiting: (from) => agents.waiting(sender(from)),
      changes: (from, page) => agents.changes(sender(from), page),
      firstAnswer: (from, id) => agents.firstAnswer(sender(from), id),
      keepAnswer: (from, id, answer) => agents.keepAnswer(sender(from), id, answer),
      recordRead: (from, line) => agents.recordRead(sender(from), line),
      count: agents.count,
      oweRefusal: (on, handle, message) => agents.oweRefusal(on, named(handle), message),
    },
    get people() {
      return bot.people
    },
    groupsNow: (from) => bot.groupsNow({ ...from, account: named(from.account) }),
    groupsOf: (on) => bot.groupsOf(on, workspace).map(unqualified),
    workspacesOf: bot.workspacesOf,
    countRefused: bot.countRefused,
    undelivered: (from, error) => bot.undelivered(sender(from), error),
    failureView: bot.failureView,
    drafts: {
      save: (from, draft) => bot.drafts.save(sender(from), draft),
      find: (from, id) => bot.drafts.find(sender(from), id),
    },
    formOf: (from, draft) => bot.formOf(sender(from), draft),
    signIns: bot.signIns,
    passkeys: bot.passkeys,
    cards: {
      open: async (on) => (await cards.open(on)).flatMap(ownCopy),
      of: async (on, change) => (await cards.of(on, change)).flatMap(ownCopy),
      add: (on, change, address) => cards.add(on, change, named(address)),
      keep: (on, view, address) => cards.keep(on, view, named(address)),
      isAt: (on, address) => cards.isAt(on, named(address)),
      view: async (change, at) => shown(await cards.view(change, at)),
    },
    installations,
    leases: bot.leases,
  }
}

/** Whoever has no account in this workspace is named there, and not mentioned. */
const viewWithin = (view: View, platform: string, workspace: string): View =>
  view.mentions === undefined
    ? view
    : {
        ...view,
        mentions: view.mentions.map((mention) => {
          const { [platform]: id, ...others } = mention.accounts
          const local = id === undefined ? undefined : localIn(workspace, id)
          return {
            ...mention,
            accounts: local === undefined || local === id ? others : { ...others, [platform]: local },
          }
        }),
      }

const localIn = (workspace: string, id: string): string =>
  workspaceIn(id) === workspace ? unqualified(id) : id

/**
 * One messenger over all workspaces of a platform: whatever the core names goes to the workspace that it is of, in that
 * workspace's own words. `within` throws for one that is not there.
 */
export const messengerOverAll = (
  first: Messenger,
  within: (workspace: string) => Promise<Messenger>,
): Messenger => {
  const { platform } = first
  const of = async (id: string | null): Promise<{ one: Messenger; workspace: string | undefined }> => {
    const workspace = id === null ? undefined : workspaceIn(id)
    return { one: workspace === undefined ? first : await within(workspace), workspace }
  }
  const drawn = (view: View, workspace: string | undefined): View =>
    workspace === undefined ? view : viewWithin(view, platform, workspace)
  const local = (id: string | null, workspace: string | undefined): string | null =>
    id === null || workspace === undefined ? id : localIn(workspace, id)
  // Each by its name here too; what a platform does not offer is left out.
  const all: { [K in keyof Required<Messenger>]: Messenger[K] } = {
    platform,
    isShared: first.isShared,
    redeliver: first.redeliver,
    post: async (place, view, file) => {
      const { channel, handle, onlyFor } = place
      const { one, workspace } = await of(channel ?? handle ?? onlyFor)
      return qualified(
        workspace,
        await one.post(
          {
            channel: local(channel, workspace),
            handle: local(handle, workspace),
            onlyFor: local(onlyFor, workspace),
          },
          drawn(view, workspace),
          file,
        ),
      )
    },
    edit: async (address, view) => {
      const { one, workspace } = await of(address)
      await one.edit(unqualified(address), drawn(view, workspace))
    },
    isSame: (one, other) =>
      workspaceIn(one) === workspaceIn(other) &&
      (first.isSame?.(unqualified(one), unqualified(other)) ?? one === other),
    postedAt: first.postedAt && ((address) => first.postedAt?.(unqualified(address))),
    isWhole: first.isWhole,
    remove: async (address) => (await of(address)).one.remove?.(unqualified(address)),
    direct: async (account, view, file) => {
      const { one, workspace } = await of(account)
      return qualified(workspace, await one.direct(unqualified(account), drawn(view, workspace), file))
    },
    complete:
      first.complete && (async (handle, end) => (await of(handle)).one.complete?.(unqualified(handle), end)),
    posted:
      first.posted &&
      async function* (channel) {
        yield* (await of(channel)).one.posted?.(unqualified(channel)) ?? []
      },
    mayRead:
      first.mayRead &&
      (async (account, channel) =>
        workspaceIn(account) === workspaceIn(channel) &&
        ((await (await of(channel)).one.mayRead?.(unqualified(account), unqualified(channel))) ?? false)),
    zone: first.zone && (async (account) => (await of(account)).one.zone?.(unqualified(account))),
    isGone:
      first.isGone &&
      (async (account) => (await (await of(account)).one.isGone?.(unqualified(account))) ?? false),
    membership:
      first.membership &&
      (async (account) => {
        const { one, workspace } = await of(account)
        const groups = (await one.membership?.(unqualified(account))) ?? []
        return groups.map((group) => qualified(workspace, group))
      }),
  }
  return defined(all) as Messenger
}
