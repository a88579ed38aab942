import { qualified, unqualified, workspaceIn } from '../model/workspace.ts'
import type { View } from '../view/view.ts'
import type { Bot } from './bot.ts'
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
  return {
    ...bot,
    get people() {
      return bot.people
    },
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
      ...bot.intake,
      take: (on, delivery, what) => bot.intake.take(on, delivery, { ...what, account: named(what.account) }),
    },
    suggest: (from, ...rest) => bot.suggest(sender(from), ...rest),
    reading: (from, said) => bot.reading(sender(from), said),
    menuOf: (from, answer) => bot.menuOf(sender(from), answer),
    readsOf: (from) => bot.readsOf(sender(from)),
    replayDraft: (from, ...rest) => bot.replayDraft(sender(from), ...rest),
    agents: Object.assign(Object.create(bot.agents), {
      oweRefusal: (on: string, handle: string, message: string) =>
        bot.agents.oweRefusal(on, named(handle), message),
    }),
    groupsNow: (from) => bot.groupsNow({ ...from, account: named(from.account) }),
    groupsOf: (on) => bot.groupsOf(on, workspace).map(unqualified),
    undelivered: (from, error) => bot.undelivered(sender(from), error),
    drafts: {
      save: (from, draft) => bot.drafts.save(sender(from), draft),
      find: (from, id) => bot.drafts.find(sender(from), id),
    },
    formOf: (from, draft) => bot.formOf(sender(from), draft),
    cards: {
      ...bot.cards,
      add: (on, change, address) => bot.cards.add(on, change, named(address)),
      keep: (on, view, address) => bot.cards.keep(on, view, named(address)),
      isAt: (on, address) => bot.cards.isAt(on, named(address)),
      view: async (change, at) => shown(await bot.cards.view(change, at)),
    },
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
  return {
    ...first,
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
    remove: async (address) => (await of(address)).one.remove?.(unqualified(address)),
    direct: async (account, view, file) => {
      const { one, workspace } = await of(account)
      return qualified(workspace, await one.direct(unqualified(account), drawn(view, workspace), file))
    },
    ...(first.complete === undefined
      ? {}
      : { complete: async (handle, end) => (await of(handle)).one.complete?.(unqualified(handle), end) }),
    ...(first.posted === undefined
      ? {}
      : {
          posted: async function* (channel) {
            yield* (await of(channel)).one.posted?.(unqualified(channel)) ?? []
          },
        }),
    ...(first.mayRead === undefined
      ? {}
      : {
          mayRead: async (account, channel) =>
            workspaceIn(account) === workspaceIn(channel) &&
            ((await (await of(channel)).one.mayRead?.(unqualified(account), unqualified(channel))) ?? false),
        }),
    ...(first.zone === undefined
      ? {}
      : { zone: async (account) => (await of(account)).one.zone?.(unqualified(account)) }),
    ...(first.membership === undefined
      ? {}
      : {
          membership: async (account) => {
            const { one, workspace } = await of(account)
            const groups = (await one.membership?.(unqualified(account))) ?? []
            return groups.map((group) => qualified(workspace, group))
          },
        }),
  }
}
