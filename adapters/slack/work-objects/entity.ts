import type { types } from '@slack/bolt'
import { statusOf } from '../../../src/kernel/cards/card.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { limits } from '../api/limits.ts'
import { ellipsize } from '../render/text.ts'

/** Slack's word for a thing that somebody asked for and others work on. */
export const changeEntityType = 'slack#/entities/task'

/** What everybody in the conversation sees of a change: what was asked for and how it stands, and nothing of whom it is about. */
export const unfurledEntity = (change: Change, url: string): types.EntityMetadata => ({
  ...commonOf(change, url, `${capital(change.command)}, change ${change.id}`),
  app_unfurl_url: url,
})

/** What one person sees who opened it: the card as they may see it, without its buttons. */
export const detailedEntity = (
  change: Change,
  view: View,
  url: string,
  now: number,
): types.EntityMetadata => {
  const entity = commonOf(change, url, view.title)
  const all = [...view.blocks, ...(view.details ?? [])]
  const facts = all.flatMap((block) => (block.kind === 'facts' ? block.facts : []))
  const rest = { ...view, blocks: all.filter(({ kind }) => kind !== 'facts'), details: [], actions: [] }
  return {
    ...entity,
    entity_payload: {
      ...entity.entity_payload,
      fields: {
        ...entity.entity_payload.fields,
        status: { value: ellipsize(plainWords(statusOf(change, now)), limits.entity.value) },
        description: { value: ellipsize(textOfView(rest), limits.entity.text), long: true },
        date_created: { value: Math.floor(change.createdAt / 1000) },
        date_updated: { value: Math.floor(change.updatedAt / 1000) },
      },
      custom_fields: facts.slice(0, limits.entity.fields).map(({ label, value, time }, at) => ({
        key: `fact_${at}`,
        label: ellipsize(label, limits.entity.label),
        ...(time === undefined
          ? { type: 'string', value: ellipsize(plainWords(value), limits.entity.value) }
          : { type: 'slack#/types/timestamp', value: Math.floor(time.at / 1000) }),
      })),
    },
  }
}

const commonOf = ({ id, state }: Change, url: string, title: string): types.EntityMetadata => ({
  entity_type: changeEntityType,
  external_ref: { id, type: 'change' },
  url,
  entity_payload: {
    attributes: {
      title: { text: ellipsize(title, limits.entity.title) },
      display_type: 'Change',
      display_id: id,
      product_name: 'Bellhop',
    },
    fields: { status: { value: capital(state.replace('_', ' ')) } },
  },
})

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
