import { createActions } from '../../adapters/console/actions.ts'
import type { ConsoleMessage, Conversation } from '../../adapters/console/conversation.ts'
import { handleInteraction } from '../../adapters/discord/inbound/interactions.ts'
import { handleMessage } from '../../adapters/discord/inbound/messages.ts'
import { componentType, optionType } from '../../adapters/discord/protocol/codes.ts'
import { buttonId, formModalId, reasonModalId } from '../../adapters/discord/protocol/custom-id.ts'
import { createRequests } from '../../adapters/mcp/requests.ts'
import { createWaitingRoom } from '../../adapters/mcp/wait.ts'
import { blockIdOf, inputId } from '../../adapters/slack/forms/command-form.ts'
import { toModalMetadata } from '../../adapters/slack/forms/modal-metadata.ts'
import { reasonBlock, reasonInput } from '../../adapters/slack/forms/reason-modal.ts'
import { onButtonClick } from '../../adapters/slack/inbound/button-clicks.ts'
import { onModalSubmission } from '../../adapters/slack/inbound/modal-submissions.ts'
import { onSlashCommand } from '../../adapters/slack/inbound/slash-commands.ts'
import { valuesOfLine } from '../../src/kernel/command/line/parse.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import type { Inbound, Intent } from '../../src/kernel/messenger/inbound.ts'
import type { Policy } from '../../src/kernel/policy/policy.ts'
import { actionsIn } from '../../src/lib/view/view.ts'
import type { Account } from './world.ts'

/** What somebody does, and where: what comes in by it is read by the code of that adapter. */
export type Coming = {
  by: Account
  intent: Exclude<Intent, { kind: 'options' | 'form' | 'reply' }>
  delivery: string
}

/** What the adapters are told of the world. */
export type Around = {
  registry: Registry
  bot: Pick<Bot, 'groupsNow'>
  /** Whoever is none of them has no token. */
  agents: Policy['agents']
  isHomeKnown: boolean
  groups: readonly string[]
  /** What stands on the pages of the console. */
  conversation: Conversation
}

type Values = Record<string, string>
/** A line as it is typed, as options, and as a form that was filled in; a press, with the reason where it asks for one. */
type Door = (coming: Coming, context: Context) => Promise<unknown> | undefined
type Context = Around & { bot: Bot; command: string; values: Values }

export const home = 'T1'

const slackBody = ({ by, delivery }: Coming) => ({
  user: { id: by.account, team_id: by.workspace ?? home },
  team: { id: home },
  trigger_id: delivery,
})

const slackOf = ({ bot, isHomeKnown, groups }: Context) => {
  const known = isHomeKnown ? { teamId: home, botId: 'B1', botUserId: 'UBOT' } : undefined
  return {
    ...{ bot, givenUp: new Map(), newestResponseUrls: new Map(), progressNotices: new Map() },
    identity: { known: () => known, soon: async () => known },
    userGroups: { of: async () => groups },
    log: silent,
  } as never
}

const slackModal = (
  coming: Coming,
  context: Context,
  callback_id: string,
  private_metadata: string,
  values: object,
) => {
  const view = {
    ...{ id: coming.delivery, hash: '1', callback_id, private_metadata, state: { values } },
    blocks: Object.keys(values).map((block_id) => ({ type: 'input', block_id })),
  }
  const body = { ...slackBody(coming), view }
  return onModalSubmission(slackOf(context))({ ack: async () => undefined, body, view, context: {} } as never)
}
const place = { channel: 'D1', handle: null }

const slackDoors: Door[] = [
  (coming, context) => {
    if (coming.intent.kind !== 'line') return undefined
    const [command, ...rest] = coming.intent.line.split(' ')
    const text = rest.join(' ')
    const { id: user_id, team_id: user_team_id } = slackBody(coming).user
    const payload = { command: `/${command}`, text, user_id, user_team_id, team_id: home, channel_id: 'D1' }
    const stored = Promise.resolve('first' as const)
    return onSlashCommand(slackOf(context))({ ...payload, trigger_id: coming.delivery } as never, stored)
  },
  (coming, context) => {
    if (coming.intent.kind !== 'line') return undefined
    const { command, values } = context
    const fields = Object.entries(values).map(([name, value]) => [
      blockIdOf({ name }),
      { [inputId]: { value } },
    ])
    const metadata = toModalMetadata<'form'>({ ...place, command })
    return slackModal(coming, context, 'form', metadata, Object.fromEntries(fields))
  },
  (coming, context) => {
    if (coming.intent.kind !== 'press') return undefined
    const { verb, id, reason } = coming.intent
    if (reason !== undefined)
      return slackModal(coming, context, 'reason', toModalMetadata<'reason'>({ ...place, verb, id }), {
        [reasonBlock]: { [reasonInput]: { value: reason } },
      })
    const marks = { selected_options: id.split(',').map((value) => ({ value })) }
    const state = { values: { any: { 'bh-marks': marks } } }
    const actions = [{ type: 'button', action_id: `bh:${verb}:${id}`, block_id: 'b', action_ts: '1' }]
    const body = { ...slackBody(coming), channel: { id: 'D1' }, actions, state }
    return onButtonClick(slackOf(context))(body as never, async () => undefined)
  },
]

const discordContext = ({ bot }: Context) => ({ bot, api: {}, apiUrl: undefined, log: silent }) as never
const interaction = (type: number, { by, delivery }: Coming, { groups }: Context, data: object) =>
  ({
    ...{ type, id: delivery, token: 't', channel_id: '1', data },
    member: { roles: groups, user: { id: by.account } },
  }) as never
const fieldOf = ([custom_id, value]: [string, string]) => ({
  component: { type: componentType.textInput, custom_id, value },
})
const interact = (type: number, coming: Coming, context: Context, data: object) =>
  handleInteraction(discordContext(context), interaction(type, coming, context, data), async () => undefined)

const discordDoors: Door[] = [
  (coming, context) => {
    const { by, intent, delivery: id } = coming
    if (intent.kind !== 'line') return undefined
    const member = { roles: [...context.groups] }
    const message = { ...{ id, channel_id: '1', content: intent.line, type: 0 }, author: { id: by.account } }
    return handleMessage(discordContext(context), { ...message, member } as never, '9')
  },
  (coming, context) => {
    if (coming.intent.kind !== 'line') return undefined
    const [name = '', sub] = context.command.split(' ')
    const options = Object.entries(context.values).map(([name, value]) => ({
      ...{ name, value },
      type: optionType.text,
    }))
    const inner = sub === undefined ? options : [{ name: sub, type: optionType.subcommand, options }]
    return interact(2, coming, context, { name, options: inner })
  },
  (coming, context) =>
    coming.intent.kind !== 'line'
      ? undefined
      : interact(5, coming, context, {
          custom_id: formModalId('draft'),
          components: Object.entries(context.values).map(fieldOf),
        }),
  (coming, context) => {
    if (coming.intent.kind !== 'press') return undefined
    const { verb, id, reason } = coming.intent
    return reason === undefined
      ? interact(3, coming, context, { custom_id: buttonId(verb, id) })
      : interact(5, coming, context, {
          custom_id: reasonModalId(verb, id),
          components: [fieldOf(['reason', reason])],
        })
  },
]

const page = ({ by: { account: id }, delivery }: Coming, { bot, conversation }: Context) => ({
  actions: createActions(bot, conversation),
  persona: { id, name: id, roles: [] },
  sent: { as: id, delivery },
})
/** The message on somebody's page that has this button, if one does. */
const messageWith = ({ by, intent }: Coming, { conversation }: Context): string | undefined => {
  const shown = conversation.resume(by.account, undefined)
  const has = ({ body }: ConsoleMessage) =>
    body.kind === 'view' && intent.kind === 'press' && actionsIn(body.view).some(({ id }) => id === intent.id)
  return shown.kind === 'all' ? shown.messages.find(has)?.id : undefined
}
const consoleDoors: Door[] = [
  (coming, context) => {
    if (coming.intent.kind !== 'line') return undefined
    const { actions, persona, sent } = page(coming, context)
    return actions.say(persona, { ...sent, line: coming.intent.line })
  },
  (coming, context) => {
    if (coming.intent.kind !== 'line') return undefined
    const { actions, persona, sent } = page(coming, context)
    return actions.submit(persona, { ...sent, command: context.command, values: context.values })
  },
  (coming, context) => {
    if (coming.intent.kind !== 'press') return undefined
    const { actions, persona, sent } = page(coming, context)
    const { verb, id, reason } = coming.intent
    return actions.press(persona, { ...sent, verb, id, reason, message: messageWith(coming, context) })
  },
]

/** Nothing is shown to a program that it could press: it calls the command of a decision. */
const agentDoors: Door[] = [
  ({ by, intent }, { bot, registry, agents, command, values }) => {
    const isPress = intent.kind === 'press'
    const called = registry.get(isPress ? 'approval approve' : command)
    const agent = agents.find(({ id }) => id === by.account)
    if (called === undefined || agent === undefined) return undefined
    const requests = createRequests({
      ...{ bot, takeTurn: () => ({ waitMs: 0 }) as never, waiting: createWaitingRoom() },
      ...{ stopping: new AbortController().signal, face: 'mcp' as never },
    })
    const call = { values: isPress ? { id: intent.id.split('.')[0] ?? '' } : values, waitSeconds: 0 }
    const listener = { signal: new AbortController().signal, tell: async () => undefined }
    return requests.run(agent, called, call as never, listener)
  },
]

const doors: Partial<Record<Account['platform'], Door[]>> = {
  slack: slackDoors,
  discord: discordDoors,
  console: consoleDoors,
  mcp: agentDoors,
}

/** What the adapter makes of it, by one of its doors; undefined where it lets nothing in. */
export const through = async (coming: Coming, around: Around): Promise<Inbound | undefined> => {
  const { by, intent, delivery } = coming
  let caught: Inbound | undefined
  const typed = intent.kind === 'line' ? valuesOfLine(around.registry, intent.line) : undefined
  const command = typed?.ok ? typed.value.command.name : ''
  const given = typed?.ok ? Object.entries(typed.value.values) : []
  const values = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
  const bot = {
    ...{ registry: around.registry, now: Date.now, groupsNow: around.bot.groupsNow },
    intake: { take: async () => true, done: async () => undefined },
    ackQueue: (work: () => Promise<unknown>) => work(),
    readsOf: () => ({ records: { mayRun: () => true } }),
    drafts: { find: async () => ({ command, values: {} }) },
    cards: { keep: async () => undefined },
    handle: async (inbound: Inbound) => {
      caught = inbound
      inbound.stored?.()
      return { kind: 'repeated' }
    },
  } as unknown as Bot
  const all = doors[by.platform] ?? []
  const at = Number(delivery.split(':').at(-1))
  for (let tried = 0; tried < all.length && caught === undefined; tried++)
    await all[(at + tried) % all.length]?.(coming, { ...around, bot, command, values })
  return caught
}

const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined } as never
