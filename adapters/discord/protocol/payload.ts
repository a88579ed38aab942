import { z } from 'zod'

/**
 * What we read of Discord's payloads, and nothing more: fields that we do not know may be there, and what we do not
 * need may be missing.
 */
const id = z.string().regex(/^\d{1,25}$/)

const user = z.object({
  id,
  username: z.string().default(''),
  global_name: z.string().nullish(),
  bot: z.boolean().nullish(),
})
const member = z.object({
  nick: z.string().nullish(),
  roles: z.array(z.string()).default([]),
  user: user.nullish(),
})

const optionValue = z.union([z.string(), z.number(), z.boolean()])
const leaf = z.object({
  name: z.string(),
  type: z.number(),
  value: optionValue.nullish(),
  focused: z.boolean().nullish(),
})
const option = leaf.extend({ options: z.array(leaf).nullish() })

const field = z.object({
  custom_id: z.string(),
  type: z.number().nullish(),
  value: z.union([z.string(), z.boolean()]).nullish(),
  values: z.array(z.string()).nullish(),
})
/** A label holds one field, a row of the older kind several. */
const part = z.object({ component: field.nullish(), components: z.array(field).nullish() })

const base = z.object({
  id,
  application_id: id.optional(),
  token: z.string().min(1),
  channel_id: id.nullish(),
  guild_id: id.nullish(),
  member: member.nullish(),
  user: user.nullish(),
  message: z.object({ id, flags: z.number().nullish() }).nullish(),
})

const attachment = z.object({ filename: z.string(), url: z.url(), size: z.number().default(0) })

const resolved = z.object({ attachments: z.record(z.string(), attachment).nullish() }).nullish()
const commandData = z.object({ name: z.string(), options: z.array(option).nullish(), resolved })

export const interactionSchema = z.discriminatedUnion('type', [
  base.extend({ type: z.literal(2), data: commandData }),
  base.extend({
    type: z.literal(3),
    data: z.object({ custom_id: z.string(), values: z.array(z.string()).nullish() }),
  }),
  base.extend({ type: z.literal(4), data: commandData }),
  base.extend({
    type: z.literal(5),
    data: z.object({ custom_id: z.string(), components: z.array(part).default([]), resolved }),
  }),
])

export const messagePayloadSchema = z.object({
  id,
  channel_id: id,
  guild_id: id.nullish(),
  content: z.string().default(''),
  type: z.number().default(0),
  webhook_id: z.string().nullish(),
  author: user,
  member: member.nullish(),
  attachments: z.array(attachment).nullish(),
})

export type Interaction = z.infer<typeof interactionSchema>
export type CommandInteraction = Extract<Interaction, { type: 2 | 4 }>
export type ButtonInteraction = Extract<Interaction, { type: 3 }>
export type ModalInteraction = Extract<Interaction, { type: 5 }>
export type Attachment = z.infer<typeof attachment>
export type MessagePayload = z.infer<typeof messagePayloadSchema>
