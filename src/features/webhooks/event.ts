import { createHash } from 'node:crypto'
import type { Change } from '../../kernel/model/change.ts'

/** Where the steps of changes are told, as bellhop.yml lists it. */
export type WebhookRule = {
  readonly url: string
  readonly events: readonly string[]
  /** The variable that holds the secret with which it is signed. */
  readonly secret: { readonly env: string }
  /** It may be on this machine or in this network. */
  readonly private?: boolean
}

export const webhookTypes = [
  'change.pending',
  'change.approved',
  'change.applying',
  'change.applied',
  'change.failed',
  'change.unknown',
  'change.rejected',
  'change.expired',
  'change.cancelled',
  'change.voided',
  'change.held',
  'change.accepted',
] as const

export type WebhookType = (typeof webhookTypes)[number]

/** Of a change whose outcome was unknown, a person can say that it did not happen: that it failed, then. */
export const webhookTypeOf = (state: Change['state']): WebhookType =>
  `change.${state === 'not_applied' ? 'failed' : state}`

/** Short, and the same wherever the file is read. */
export const hookIdOf = ({ url }: Pick<WebhookRule, 'url'>): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 12)

export const wantsEvent = ({ events }: WebhookRule, type: WebhookType): boolean =>
  events.some((one) => one === '*' || one === 'change.*' || one === type)

/** What is told of a step: nothing that a service answered, and nothing about a customer. */
export const webhookBodyOf = (change: Change): string => {
  const { id, version, state, command, requester, amount, currency, rule, createdAt, updatedAt } = change
  return JSON.stringify({
    type: webhookTypeOf(state),
    timestamp: new Date(updatedAt).toISOString(),
    data: {
      id,
      state,
      command,
      version,
      requester: {
        id: requester.person,
        name: requester.name,
        ...(requester.agent === undefined ? {} : { agent: requester.agent }),
      },
      amount,
      currency,
      rule,
      asked_at: new Date(createdAt).toISOString(),
    },
  })
}

/** The task of telling a hook: one for each, so that a slow one keeps nothing else waiting. */
export const webhookTask = (hook: string, dueAt: number) => ({
  kind: 'webhook',
  key: `webhook:${hook}`,
  doc: { id: hook },
  dueAt,
})
