import { randomBytes } from 'node:crypto'
import { ownTime } from '../../harness/own-time.ts'
import { until } from '../../harness/until.ts'
import { allComponents } from './rules.ts'
import type { FakeInteraction, FakeMessage, Json, State } from './state.ts'

type Attached = { filename: string; url: string; size: number }
type Options = Record<string, string | number | boolean | Attached>

/** Somebody in front of a Discord client. */
export type Person = {
  id: string
  /** Where they and the bot talk alone. */
  direct: string
  slash(channel: string, line: string, options?: Options): Promise<FakeInteraction>
  press(message: FakeMessage, label: string): Promise<FakeInteraction>
  /** Chooses from the menu of a message. */
  choose(message: FakeMessage, label: string): Promise<FakeInteraction>
  /** Marks several of the menu that takes them, by words that their lines contain. */
  mark(message: FakeMessage, labels: string[]): Promise<FakeInteraction>
  /** Fills in a form, by the ids of its fields: several that are ticked are separated by commas. */
  submit(
    opened: FakeInteraction,
    values: Record<string, string | boolean | Attached>,
  ): Promise<FakeInteraction>
  complete(channel: string, line: string, option: string, typed: string, beside?: Options): Promise<string[]>
  say(channel: string, content: string, attachments?: Attached[]): string
  /** The payload of a slash command, to be delivered as often as a test likes. */
  payload(channel: string, line: string, options?: Options): Json
  pressPayload(message: FakeMessage, label: string): Json
  /** Everything this person can read there, as text. */
  reads(channel: string): string
}

/** What a person's client is connected to. */
type Client = {
  state: State
  gateway: { dispatch(type: string, data: unknown): void }
  deliver(payload: Json): Promise<void>
  seen(account: string, channel: string): FakeMessage[]
}

export const createPerson = (fake: Client, id: string): Person => {
  const { state } = fake
  const direct = `8${id.slice(1)}`
  const begin = (type: number, channel: string, data: Json, message?: FakeMessage): Json => {
    const interaction: FakeInteraction = {
      id: state.newId(),
      token: randomBytes(24).toString('base64url'),
      type,
      at: state.now(),
      begun: ownTime(),
      account: id,
      channel,
      followUps: [],
      ...(message === undefined ? {} : { source: message.id }),
    }
    state.interactions.set(interaction.token, interaction)
    const { name, roles } = state.people.get(id) as { name: string; roles: string[] }
    const user = { id, username: name.toLowerCase(), global_name: name, discriminator: '0', avatar: null }
    const isServer = state.channels.get(channel)?.isServer !== false && channel !== direct
    return {
      id: interaction.id,
      application_id: state.applicationId,
      type,
      token: interaction.token,
      version: 1,
      data,
      channel_id: channel,
      channel: { id: channel, type: isServer ? 0 : 1 },
      ...(isServer
        ? {
            guild_id: state.channels.get(channel)?.guild ?? state.guilds[0],
            member: { user, roles, nick: null, permissions: '0' },
            context: 0,
          }
        : { user, context: 1 }),
      ...(message === undefined
        ? {}
        : { message: { id: message.id, flags: message.flags, channel_id: channel } }),
      app_permissions: '0',
      locale: 'en-US',
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10_000_000,
      something_new: { that: ['nobody', 'knows'] },
    }
  }
  const run = async (payload: Json): Promise<FakeInteraction> => {
    const interaction = state.interactions.get(String(payload.token)) as FakeInteraction
    await fake.deliver(payload)
    return until(() => {
      if (interaction.answered === undefined)
        throw new Error(`nothing answered ${JSON.stringify(payload.data)}`)
      return interaction
    })
  }
  const person: Person = {
    id,
    direct,
    payload: (channel, line, options = {}) => begin(2, channel, commandData(line, options)),
    slash: (channel, line, options) => run(person.payload(channel, line, options)),
    pressPayload: (message, label) => {
      const buttons = allComponents(message.body.components).filter(({ type }) => type === 2)
      // "Approve" is "Approve 49 USD" too.
      const button =
        buttons.find((one) => one.label === label) ??
        buttons.find((one) => String(one.label).startsWith(`${label} `))
      if (button === undefined) throw new Error(`no button ${label} on: ${textOf(message)}`)
      return begin(3, message.channel, { custom_id: button.custom_id, component_type: 2 }, message)
    },
    press: (message, label) => run(person.pressPayload(message, label)),
    choose: (message, label) => {
      const [menu] = menusOf(message).filter(({ most }) => most === 1)
      const option = menu?.options.find((one) => one.label.includes(label))
      if (menu === undefined || option === undefined)
        throw new Error(`no ${label} in ${JSON.stringify(menu)}`)
      const data = { custom_id: menu.id, component_type: 3, values: [option.value] }
      return run(begin(3, message.channel, data, message))
    },
    mark: (message, labels) => {
      const [menu] = menusOf(message).filter(({ most }) => most > 1)
      const chosen = menu?.options.filter(({ label }) => labels.some((one) => label.includes(one))) ?? []
      if (menu === undefined || chosen.length !== labels.length)
        throw new Error(`no ${labels} in ${JSON.stringify(menu)}`)
      const values = chosen.map(({ value }) => value)
      return run(begin(3, message.channel, { custom_id: menu.id, component_type: 3, values }, message))
    },
    submit: (opened, values) => {
      const modal = opened.modal as Json
      const source = opened.source === undefined ? undefined : state.messages.get(opened.source)
      const attachments: Json = {}
      const components = (modal.components as Json[]).map(({ component }) => {
        const field = component as Json
        const typed = values[String(field.custom_id)] ?? prefilled(field)
        return { type: 18, component: filledIn(field, typed, attachments) }
      })
      const data = { custom_id: modal.custom_id, components, resolved: { attachments } }
      return run(begin(5, opened.channel, data, source))
    },
    complete: async (channel, line, option, typed, beside = {}) => {
      const data = commandData(line, { ...beside, [option]: typed })
      const options = data.options as Json[]
      const inner = (options[0]?.options ?? options) as Json[]
      for (const one of inner) one.focused = one.name === option
      const { choices = [] } = await run(begin(4, channel, data))
      return choices.map(({ value }) => String(value))
    },
    say: (channel, content, attachments = []) => {
      const message = state.newId()
      const { name, roles } = state.people.get(id) as { name: string; roles: string[] }
      const isServer = channel !== direct
      if (!isServer && !state.channels.has(direct)) {
        state.channels.set(direct, { id: direct, canPost: true, isServer: false, recipient: id })
      }
      fake.gateway.dispatch('MESSAGE_CREATE', {
        id: message,
        channel_id: channel,
        content,
        type: 0,
        author: { id, username: name.toLowerCase(), global_name: name },
        ...(isServer
          ? { guild_id: state.channels.get(channel)?.guild ?? state.guilds[0], member: { roles, nick: null } }
          : {}),
        attachments,
      })
      return message
    },
    reads: (channel) => fake.seen(id, channel).map(textOf).join('\n---\n'),
  }
  return person
}

export const textOf = (message: FakeMessage): string =>
  allComponents(message.body.components)
    .filter(({ type }) => type === 10)
    .map(({ content }) => String(content))
    .join('\n')

/** What the rows of buttons offer, without the sums on them and without what stands beside the title. */
export const labelsOf = (message: FakeMessage): string[] =>
  allComponents(message.body.components)
    .filter(({ type }) => type === 1)
    .flatMap(({ components }) => components as Json[])
    .filter(({ type }) => type === 2)
    .map(({ label }) => String(label).replace(/^(Approve|Confirm) .+/, '$1'))

/** The menus of a message. */
export const menusOf = (message: FakeMessage) =>
  allComponents(message.body.components)
    .filter(({ type }) => type === 3)
    .map(({ custom_id, options, max_values }) => ({
      id: String(custom_id),
      most: Number(max_values ?? 1),
      options: (options as Json[]).map(({ label, value }) => ({
        label: String(label),
        value: String(value),
      })),
    }))

const prefilled = (field: Json): string | boolean => {
  if (field.type === 4) return String(field.value ?? '')
  if (field.type === 23) return field.default === true
  const chosen = ((field.options ?? []) as Json[]).filter((option) => option.default === true)
  return chosen.map(({ value }) => String(value)).join(',')
}

/** A field as the client hands it in; it hands in no form that lacks what is required, and nothing that was not offered. */
const filledIn = (field: Json, typed: string | boolean | Attached, attachments: Json): Json => {
  const { type, custom_id, required = true } = field
  const offered = ((field.options ?? []) as Json[]).map(({ value }) => String(value))
  const isEmpty = typed === ''
  if (isEmpty && required === true && type !== 23) throw new Error(`${custom_id} is required`)
  if (typeof typed === 'object') {
    if (type !== 19) throw new Error(`${custom_id} takes no file`)
    const id = `10000000000000001${Object.keys(attachments).length}`
    attachments[id] = { id, ...typed }
    return { type, custom_id, values: [id] }
  }
  if (type === 19) return { type, custom_id, values: [] }
  if (type === 23) return { type, custom_id, value: typed === true }
  if (type === 4) return { type, custom_id, value: typed }
  const chosen = isEmpty ? [] : type === 22 ? String(typed).split(',') : [String(typed)]
  const strange = chosen.find((one) => !offered.includes(one))
  if (strange !== undefined) throw new Error(`${strange} is not among ${offered.join(', ')}`)
  return type === 21 ? { type, custom_id, value: chosen[0] ?? null } : { type, custom_id, values: chosen }
}

const commandData = (line: string, options: Options): Json => {
  const [name, sub] = line.split(' ')
  const attachments: Json = {}
  const given = Object.entries(options).map(([key, value]) => {
    if (typeof value !== 'object') {
      return { name: key, type: typeof value === 'boolean' ? 5 : typeof value === 'number' ? 4 : 3, value }
    }
    const id = `10000000000000000${Object.keys(attachments).length}`
    attachments[id] = { id, ...value }
    return { name: key, type: 11, value: id }
  })
  return {
    id: '1',
    name,
    type: 1,
    options: sub === undefined ? given : [{ type: 1, name: sub, options: given }],
    resolved: { attachments },
  }
}
