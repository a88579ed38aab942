import { z } from 'zod'
import { type FakeState, now } from './state.ts'

type Args = Record<string, unknown>

const field = z.strictObject({
  value: z.string().min(1),
  label: z.string().optional(),
  long: z.boolean().optional(),
})
const time = z.strictObject({ value: z.int().positive() })

/** A task, as Slack takes one. */
const customField = z.strictObject({ key: z.string().min(1), label: z.string().min(1) })

const entity = z.strictObject({
  entity_type: z.literal('slack#/entities/task'),
  external_ref: z.strictObject({ id: z.string().min(1), type: z.string().optional() }),
  url: z.url(),
  app_unfurl_url: z.url().optional(),
  entity_payload: z.strictObject({
    attributes: z.strictObject({
      title: z.strictObject({ text: z.string().min(1) }),
      display_type: z.string().optional(),
      display_id: z.string().optional(),
      product_name: z.string().optional(),
    }),
    fields: z.strictObject({
      status: field.optional(),
      description: field.optional(),
      date_created: time.optional(),
      date_updated: time.optional(),
    }),
    custom_fields: z
      .array(
        z.discriminatedUnion('type', [
          customField.extend({ type: z.literal('string'), value: z.string() }),
          customField.extend({ type: z.literal('slack#/types/timestamp'), value: z.int() }),
        ]),
      )
      .optional(),
  }),
})

/** Slack answers "ok" to what it cannot read, with a warning, and shows nothing. */
export const unfurl = (state: FakeState, { channel, ts, metadata }: Args): Args | string => {
  const message = state.messages.find((one) => one.channel === channel && one.ts === ts)
  if (message === undefined) return 'cannot_find_message'
  const read = z.strictObject({ entities: z.array(entity).min(1) }).safeParse(metadata)
  if (!read.success) return { warning: 'invalid_metadata_format' }
  const { entities } = read.data
  if (entities.some(({ app_unfurl_url: url }) => url === undefined || !message.text.includes(url))) {
    return 'cannot_unfurl_url'
  }
  message.entities = entities
  return {}
}

/** Three seconds after somebody opened it, and once. */
export const presentDetails = (state: FakeState, { trigger_id, metadata, error }: Args): Args | string => {
  const pane = state.panes.get(String(trigger_id))
  const trigger = state.triggers.get(String(trigger_id))
  if (pane === undefined || trigger === undefined || trigger.isUsed) return 'invalid_trigger_id'
  if (now(state) - trigger.at > 3_000) return 'expired_trigger_id'
  if ((metadata === undefined) === (error === undefined)) return 'invalid_arguments'
  if (metadata !== undefined) {
    const read = entity.safeParse(metadata)
    if (!read.success) return 'invalid_metadata'
    if (read.data.external_ref.id !== pane.id) return 'entity_metadata_does_not_match_trigger'
  }
  trigger.isUsed = true
  pane.shown = (metadata ?? error) as Args
  return {}
}
