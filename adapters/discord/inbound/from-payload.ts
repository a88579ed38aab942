import type { Raw } from '../../../src/kernel/command/line/coerce.ts'
import type { Inbound, Sender } from '../../../src/kernel/messenger/inbound.ts'
import { type InteractionWebhook, webhookHandleOf } from '../protocol/address.ts'
import { componentType, optionType } from '../protocol/codes.ts'
import { flagOfOther } from '../protocol/custom-id.ts'
import type {
  Attachment,
  CommandInteraction,
  Interaction,
  MessagePayload,
  ModalInteraction,
} from '../protocol/payload.ts'

/** Who it is, as the signed payload says; undefined if it names nobody. */
export const discordUserIn = ({ user, member }: Pick<Interaction, 'user' | 'member'>): Sender | undefined => {
  const who = member?.user ?? user
  // With anything else in it, an id could be read as that of another server.
  if (!who || !/^\d{1,25}$/.test(who.id)) return undefined
  return {
    platform: 'discord',
    account: who.id,
    name: member?.nick || who.global_name || who.username || who.id,
    groups: member?.roles ?? [],
  }
}

export const interactionPlaceOf = (
  { channel_id, guild_id }: Interaction,
  webhook: InteractionWebhook,
): Inbound['place'] => ({
  channel: channel_id ?? null,
  handle: webhookHandleOf(webhook),
  direct: !guild_id,
})

export const messagePlaceOf = ({ channel_id, guild_id }: MessagePayload): Inbound['place'] => ({
  channel: channel_id,
  handle: null,
  direct: !guild_id,
})

/** `campaign` with the subcommand `send` is `campaign send`; the option that is being typed has the focus. */
export const commandIn = ({
  data,
}: CommandInteraction): {
  command: string
  values: Record<string, Raw>
  /** Attached, and still to be fetched. */
  attached: Record<string, Attachment>
  focused: string | undefined
} => {
  const sub = data.options?.find(({ type }) => type === 1)
  const options = (sub === undefined ? data.options : sub.options) ?? []
  const given = options.filter(({ value }) => value !== undefined && value !== null)
  return {
    command: sub === undefined ? data.name : `${data.name} ${sub.name}`,
    values: Object.fromEntries(
      given
        .filter(({ type }) => type !== optionType.attachment)
        .map(({ name, value }) => [name, value as Raw]),
    ),
    attached: Object.fromEntries(
      given.flatMap(({ type, name, value }) => {
        const file = type === optionType.attachment ? data.resolved?.attachments?.[String(value)] : undefined
        return file === undefined ? [] : [[name, file]]
      }),
    ),
    focused: options.find(({ focused }) => focused === true)?.name,
  }
}

/** The files that were put into a form, by their fields. */
export const filesIn = ({ data }: ModalInteraction): Record<string, Attachment> =>
  Object.fromEntries(
    partsOf(data).flatMap(({ type, custom_id, values }) => {
      const file =
        type === componentType.fileUpload ? data.resolved?.attachments?.[values?.[0] ?? ''] : undefined
      return file === undefined ? [] : [[custom_id, file]]
    }),
  )

const partsOf = ({ components }: ModalInteraction['data']) =>
  components.flatMap(({ component, components: several }) => [
    ...(component ? [component] : []),
    ...(several ?? []),
  ])

type Field = ReturnType<typeof partsOf>[number]

const valueIn = ({ type, value, values }: Field): Raw | undefined => {
  // Not ticked is not said.
  if (typeof value === 'boolean') return value || undefined
  if (type === componentType.checkboxGroup) return values?.length ? values : undefined
  return (values?.[0] ?? value)?.trim() || undefined
}

/** What stands in the fields of a form; a field that was left empty has no value. */
export const fieldsIn = ({ data }: ModalInteraction): Record<string, Raw | undefined> => {
  const fields = partsOf(data).filter(({ type }) => type !== componentType.fileUpload)
  const given = fields.map((field) => [field.custom_id, valueIn(field)] as const)
  // Another reason that was written counts, whatever was chosen above it.
  const own = given.filter(([id]) => flagOfOther(id) === undefined)
  const written = given.flatMap(([id, value]) => {
    const flag = flagOfOther(id)
    return flag === undefined || value === undefined ? [] : [[flag, value] as const]
  })
  return Object.fromEntries([...own, ...written])
}

/** The line of a direct message, or what follows a mention of the bot; undefined if nobody speaks to it. */
export const lineIn = ({ content, guild_id }: MessagePayload, botId: string): string | undefined => {
  const [, mentioned, rest = ''] = /^\s*<@!?(\d+)>(.*)$/s.exec(content) ?? []
  if (mentioned === botId) return rest.trim()
  return guild_id ? undefined : content.trim()
}
