import { z } from 'zod'
import type { ChangeCommand, Definition } from '../../src/command/define.ts'
import { lineFor } from '../../src/command/line/print.ts'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { rowFor } from '../../src/services/endpoints/routes.ts'
import type { NamedRow } from '../../src/services/endpoints/tables.ts'
import { type Block, code, facts, text } from '../../src/view/view.ts'
import { refundAmount, refundIntent } from '../refund/intent.ts'
import { planChangeIntent } from '../upgrade/plan-change.ts'
import { about, methods, services } from './about.ts'
import { jsonBlocks, toJson } from './json.ts'
import type { Request } from './request.ts'
import { standsForOf } from './stands-for.ts'

const record = z.record(z.string(), z.json())

const plan = z.object({
  service: z.enum(services),
  method: z.enum(methods),
  path: z.string(),
  params: z.record(z.string(), z.string()),
  query: record.optional(),
  body: record.optional(),
})
type Plan = z.infer<typeof plan>

/** A writing endpoint as a change, under the policies of the commands that write through it and of its noun. */
export const writeOf = (
  { named, summary, params, query, body, path, wish }: Request,
  others: readonly Definition[],
): ChangeCommand => {
  const { service, row } = named
  const money = moneyOf[named.id]
  const amount = money?.amount
  return defineServiceChange({
    ...about,
    area: service,
    sameAs: standsForOf(named, 'change', others),
    uses: [named.id],
    plan,
    intent: () => money?.intent(params, body) ?? wish,
    ...(amount && { amountOf: (planned: Plan) => amount(planned.body) }),
    reasonOf: ({ body: sent }) => textOf(sent?.description ?? sent?.update_reason ?? sent?.reason),
    evidenceOf: () => 'An api call looks nothing up: ask with the command for it.',
    prepare: async () => ok(plan.parse({ service, method: row.method, path, query, body, params })),
    preview: (planned) => ({
      title: `${planned.method} ${planned.path}`,
      tone: 'warn',
      blocks: [
        facts({
          Service: planned.service,
          'What it does': summary,
          Body: planned.body === undefined ? 'none' : undefined,
        }),
        ...jsonPart('Query', planned.query),
        ...jsonPart('Body', planned.body),
      ],
    }),
    row: named.id as AnyRow,
    request: ({ params: values, query: asked, body: sent }) =>
      ({ params: values, query: asked, body: sent }) as never,
    done(planned, answer) {
      const said = answer.message === undefined ? '' : ` The service says: ${answer.message}`
      return {
        message: `${planned.method} ${planned.path} was done.${said}`,
        view: {
          title: `${planned.method} ${planned.path}`,
          tone: 'good',
          blocks: jsonBlocks(answer.body),
        },
      }
    },
    lookUps: (planned) =>
      rowFor(planned.service, 'GET', planned.path) === undefined
        ? []
        : [lineFor(about, { service: planned.service, method: 'GET', path: planned.path })],
  })
}

/** Which row it is shows when it is called; this stands for a row that takes any JSON. */
type AnyRow = 'billing.updateLicense'

/** Two endpoints move money. Their intent, and the amount where it can be known, are computed by their own commands. */
const moneyOf: Partial<
  Record<
    NamedRow['id'],
    {
      intent(params: Record<string, string>, body: Record<string, unknown> | undefined): unknown
      amount?(body: Record<string, unknown> | undefined): { value: number | null; currency: null }
    }
  >
> = {
  'billing.refundPayment': {
    intent: (params, body) => refundIntent(params.payment_id, body?.amount),
    amount: (body) => refundAmount(body?.amount),
  },
  'billing.changePlan': {
    intent: (params, body) => planChangeIntent(params.subscription_id, body?.plan_id),
  },
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const jsonPart = (label: string, value: unknown): Block[] =>
  value === undefined ? [] : [text(label), code(toJson(value))]
