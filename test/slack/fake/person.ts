import { setTimeout as pause } from 'node:timers/promises'
import { workingView } from '../../../src/kernel/messenger/intake.ts'
import { defined } from '../../../src/lib/defined.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { optionGroupsIn } from './blocks.ts'
import { applySubmitAnswer, type Fields, submittedState } from './modal.ts'
import {
  buttonNamed,
  markedIn,
  menuIn,
  type PressableButton,
  seenBy,
  textOfBlocks,
  textOfMessage,
} from './reading.ts'
import {
  dmOf,
  type FakeMessage,
  type FakeState,
  type FakeView,
  newResponseUrl,
  newTrigger,
  nextId,
  nextTs,
} from './state.ts'
import type { Delivered, DeliveryKind, Wire } from './wire.ts'

type Times = { times?: number }
type OptionGroups = ReturnType<typeof optionGroupsIn>

/** Somebody at a keyboard. They see what Slack shows them, and press what they see. */
export const createPerson = (state: FakeState, wire: () => Wire, id: string) => {
  const user = () => {
    const found = state.users.get(id)
    if (found === undefined) throw new Error(`nobody is called ${id}`)
    return found
  }
  const actor = () => ({ id, username: user().name, name: user().name, team_id: user().team })
  const { organization } = state
  const common = () => ({
    team: { id: state.team, domain: 'home' },
    ...(organization === undefined
      ? {}
      : { enterprise: { id: organization.id }, is_enterprise_install: true }),
    api_app_id: 'A0BELLHOP',
    token: 'legacy',
  })
  const send = async (
    kind: DeliveryKind,
    payload: Record<string, unknown>,
    { times = 1 }: Times,
  ): Promise<Delivered> => {
    const all = await Promise.all(
      Array.from({ length: times }, (_, at) => wire().deliver(kind, payload, kind === 'events_api' ? at : 0)),
    )
    return all[0] as Delivered
  }
  const event = (inner: Record<string, unknown>, options: Times) =>
    send(
      'events_api',
      {
        type: 'event_callback',
        team_id: state.team,
        api_app_id: 'A0BELLHOP',
        event_id: nextId(state, 'Ev'),
        event_time: Math.floor(Date.now() / 1000),
        ...defined({ enterprise_id: organization?.id }),
        authorizations: [
          {
            user_id: state.bot,
            is_bot: true,
            ...(organization === undefined
              ? { team_id: state.team }
              : { team_id: null, enterprise_id: organization.id, is_enterprise_install: true }),
          },
        ],
        event: { user: id, team: user().team, user_team: user().team, ...inner },
      },
      options,
    )
  const press = (
    { actionId, blockId, value }: PressableButton,
    from: Record<string, unknown>,
    options: Times,
  ) =>
    send(
      'interactive',
      {
        type: 'block_actions',
        ...common(),
        user: actor(),
        trigger_id: newTrigger(state, id),
        actions: [
          {
            action_id: actionId,
            block_id: blockId,
            action_ts: nextTs(state),
            ...(value === undefined
              ? { type: 'button' }
              : { type: 'overflow', selected_option: { text: {}, value } }),
          },
        ],
        ...from,
      },
      options,
    )
  const askOptions = async (
    actionId: string,
    value: string,
    from: Record<string, unknown>,
  ): Promise<OptionGroups> => {
    const answer = await send(
      'interactive',
      {
        type: 'block_suggestion',
        ...common(),
        user: actor(),
        action_id: actionId,
        block_id: 'menu',
        value,
        ...from,
      },
      {},
    )
    return optionGroupsIn(answer.body)
  }
  const modal = (): FakeView => {
    const open = state.modals.findLast((view) => view.user === id)
    if (open === undefined) throw new Error(`${user().name} has no modal open`)
    return open
  }

  return {
    id,
    types: (line: string, channel: string, options: Times & { text?: string } = {}) => {
      const [command = '', ...rest] = line.split(' ')
      return send(
        'slash_commands',
        {
          token: 'legacy',
          team_id: user().team,
          team_domain: 'home',
          channel_id: channel,
          channel_name: channel.startsWith('D') ? 'directmessage' : 'general',
          user_id: id,
          user_name: user().name,
          command,
          text: options.text ?? rest.join(' '),
          api_app_id: 'A0BELLHOP',
          is_enterprise_install: String(organization !== undefined),
          ...defined({ enterprise_id: organization?.id }),
          response_url: newResponseUrl(state, channel, id),
          trigger_id: newTrigger(state, id),
        },
        options,
      )
    },
    mentions: (line: string, channel: string, options: Times & { thread?: string } = {}) =>
      event(
        {
          type: 'app_mention',
          text: `<@${state.bot}> ${line}`,
          channel,
          ts: nextTs(state),
          ...defined({ thread_ts: options.thread }),
        },
        options,
      ),
    writes: (text: string, more: Record<string, unknown> & Times = {}) => {
      const dm = dmOf(id)
      state.channels.set(dm, { id: dm, members: new Set([id, state.bot]), isArchived: false })
      const { times = 1, ...fields } = more
      return event(
        { type: 'message', channel_type: 'im', channel: dm, text, ts: nextTs(state), ...fields },
        { times },
      )
    },
    /** Below a message in a channel. An app hears of it only with the scope that reads the channel. */
    replies: (text: string, on: FakeMessage, options: Times = {}) => {
      if (!state.scopes.has('channels:history')) return undefined
      const place = { channel: on.channel, channel_type: 'channel', thread_ts: on.thread ?? on.ts }
      return event({ type: 'message', text, ts: nextTs(state), ...place }, options)
    },
    /** Posts a message with a link; the app hears of it as Slack tells those that have said which links are theirs. */
    pastes: async (url: string, channel: string): Promise<FakeMessage> => {
      const message: FakeMessage = {
        channel,
        ts: nextTs(state),
        text: url,
        blocks: [],
        onlyFor: undefined,
        thread: undefined,
        edits: 0,
        isDeleted: false,
        isResponse: false,
      }
      state.messages.push(message)
      const links = [{ url, domain: new URL(url).hostname }]
      if (state.scopes.has('links:read')) {
        await event(
          {
            type: 'link_shared',
            channel,
            message_ts: message.ts,
            links,
            team: undefined,
            user_team: undefined,
          },
          {},
        )
      }
      return message
    },
    /** Opens what a link has unfurled to, and is shown what the app says. */
    opensEntity: async (entity: Record<string, unknown>): Promise<Record<string, unknown> | undefined> => {
      const trigger = newTrigger(state, id)
      const { id: ref } = entity.external_ref as { id: string }
      const pane: { id: string; user: string; shown: Record<string, unknown> | undefined } = {
        id: ref,
        user: id,
        shown: undefined,
      }
      state.panes.set(trigger, pane)
      await event(
        {
          type: 'entity_details_requested',
          trigger_id: trigger,
          external_ref: entity.external_ref,
          entity_url: entity.url,
          link: { url: entity.url, domain: new URL(String(entity.url)).hostname },
          user_locale: 'en-US',
          team: undefined,
          user_team: undefined,
        },
        {},
      )
      for (let tries = 0; pane.shown === undefined && tries < 1_000; tries++) await pause(10)
      return pane.shown
    },
    opensHome: () => event({ type: 'app_home_opened', tab: 'home', channel: dmOf(id) }, {}),
    home: () => textOfBlocks(state.homes.get(id) ?? []),
    clicksHome: (label: string, marked: string[] = []) => {
      const blocks = state.homes.get(id) ?? []
      const button = buttonNamed(blocks, label)
      if (button === undefined) throw new Error(`no ${label} on the Home tab`)
      return press(
        button,
        {
          container: { type: 'view', view_id: 'V0HOME' },
          view: { id: 'V0HOME', type: 'home', state: markedIn(blocks, marked) },
        },
        {},
      )
    },
    /** Everything they see in a channel, or anywhere. */
    sees: (channel?: string) => seenBy(state, id, channel).map(textOfMessage),
    /** The same without the notices that a busy machine shows meanwhile. */
    answers: (channel?: string) =>
      seenBy(state, id, channel)
        .map(textOfMessage)
        .filter((text) => !text.includes(plainWords(workingView.title))),
    /** The newest message they see that contains the words. */
    finds: (words: string, channel?: string): FakeMessage => {
      const found = seenBy(state, id, channel).findLast((message) => textOfMessage(message).includes(words))
      if (found === undefined)
        throw new Error(
          `${user().name} sees no "${words}" in ${JSON.stringify(seenBy(state, id, channel).map(textOfMessage))}`,
        )
      return found
    },
    clicks: (label: string, options: Times & { on?: FakeMessage; marked?: string[] } = {}) => {
      const labelled = (message: FakeMessage) => buttonNamed(message.blocks, label) !== undefined
      const message = options.on ?? seenBy(state, id).findLast(labelled)
      const button = message && buttonNamed(message.blocks, label)
      if (message === undefined || button === undefined) {
        throw new Error(
          `${user().name} sees no button ${label}: ${JSON.stringify(seenBy(state, id).map(textOfMessage))}`,
        )
      }
      return press(
        button,
        {
          channel: { id: message.channel, name: 'general' },
          response_url: newResponseUrl(state, message.channel, id, message),
          state: markedIn(message.blocks, options.marked ?? []),
          container: {
            type: 'message',
            message_ts: message.ts,
            channel_id: message.channel,
            is_ephemeral: message.onlyFor !== undefined,
            ...defined({ thread_ts: message.thread }),
          },
        },
        options,
      )
    },
    /** Opens the menu of a message and chooses an action of a thing; what is offered comes back. */
    chooses: async (message: FakeMessage, label: string, action: string, typed = '') => {
      const from = {
        channel: { id: message.channel, name: 'general' },
        container: {
          type: 'message',
          message_ts: message.ts,
          channel_id: message.channel,
          is_ephemeral: message.onlyFor !== undefined,
        },
      }
      const select = menuIn(message)
      const offered =
        select.type === 'static_select'
          ? (select.option_groups ?? [])
          : await askOptions(select.action_id, typed, from)
      const option = offered
        .find((group) => group.label.text.includes(label))
        ?.options.find(({ text }) => text.text === action)
      if (option === undefined) throw new Error(`no ${action} of ${label} in ${JSON.stringify(offered)}`)
      return send(
        'interactive',
        {
          type: 'block_actions',
          ...common(),
          user: actor(),
          trigger_id: newTrigger(state, id),
          response_url: newResponseUrl(state, message.channel, id, message),
          actions: [
            {
              type: select.type,
              action_id: select.action_id,
              block_id: 'menu',
              selected_option: option,
              action_ts: nextTs(state),
            },
          ],
          ...from,
        },
        {},
      )
    },
    /** What the menu of a message offers, by thing. */
    offered: async (message: FakeMessage, typed = ''): Promise<Record<string, string[]>> => {
      const select = menuIn(message)
      const groups =
        select.type === 'static_select'
          ? (select.option_groups ?? [])
          : await askOptions(select.action_id, typed, {})
      return Object.fromEntries(
        groups.map(({ label, options }) => [label.text, options.map(({ text }) => text.text)]),
      )
    },
    shortcut: () =>
      send(
        'interactive',
        {
          type: 'shortcut',
          ...common(),
          user: actor(),
          callback_id: 'run_command',
          trigger_id: newTrigger(state, id),
          action_ts: nextTs(state),
        },
        {},
      ),
    looksUp: (text: string, channel: string) =>
      send(
        'interactive',
        {
          type: 'message_action',
          ...common(),
          user: actor(),
          callback_id: 'look_up_email',
          trigger_id: newTrigger(state, id),
          action_ts: nextTs(state),
          message_ts: nextTs(state),
          channel: { id: channel, name: 'general' },
          message: { type: 'message', user: 'U0SOMEONE', ts: nextTs(state), text },
          response_url: newResponseUrl(state, channel, id),
        },
        {},
      ),
    /** Types into a select of the open modal whose options come from the app. */
    suggests: (blockId: string, value: string) => {
      const open = modal()
      return send(
        'interactive',
        {
          type: 'block_suggestion',
          ...common(),
          user: actor(),
          container: { type: 'view', view_id: open.id },
          view: { ...open.view, id: open.id, hash: open.hash },
          block_id: blockId,
          action_id: 'value',
          value,
        },
        {},
      )
    },
    modal: () => modal().view,
    hasModal: () => state.modals.some((view) => view.user === id),
    modalErrors: () => modal().errors,
    /** Fills the fields by their labels and presses the modal's button. */
    submits: async (fields: Fields, options: Times = {}): Promise<Delivered> => {
      const open = modal()
      const answer = await send(
        'interactive',
        {
          type: 'view_submission',
          ...common(),
          user: actor(),
          trigger_id: newTrigger(state, id),
          view: {
            ...open.view,
            id: open.id,
            hash: open.hash,
            team_id: state.team,
            root_view_id: open.id,
            state: { values: submittedState(state, open.view, fields) },
          },
          response_urls: [],
        },
        options,
      )
      applySubmitAnswer(state, open, answer.body)
      return answer
    },
  }
}
export type Person = ReturnType<typeof createPerson>
