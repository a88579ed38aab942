import { z } from 'zod'
import type { ChangeCommand, Definition } from '../../src/kernel/command/define.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { ok } from '../../src/lib/result.ts'
import { rowFor } from '../../src/lib/services/endpoints/routes.ts'
import type { Method, MoneyTerms, ServiceName } from '../../src/lib/services/endpoints/row.ts'
import { money } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { type Block, code, facts, text } from '../../src/lib/view/view.ts'
import type { AboutCall } from './about.ts'
import { jsonBlocks, toJson } from './json.ts'
import type { Request } from './request.ts'
import { standsForOf } from './stands-for.ts'

const record = z.record(z.string(), z.json())

const plan = z.object({
  service: z.string() as unknown as z.ZodType<ServiceName, ServiceName>,
  method: z.string() as unknown as z.ZodType<Method, Method>,
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
  about: AboutCall,
): ChangeCommand => {
  const { service, row } = named
  const { intent, amount }: MoneyTerms = typeof row.movesMoney === 'object' ? row.movesMoney : {}
  return defineServiceChange({
    ...about,
    area: service,
    sameAs: standsForOf(named, 'change', others),
    uses: [named.id],
    plan,
    intent: () => intent?.(params, body) ?? wish,
    ...(amount && { amountOf: (planned: Plan) => amount(planned.body) }),
    reasonOf: ({ body: sent }) => textOf(sent?.description ?? sent?.update_reason ?? sent?.reason),
    evidenceOf: () => ({ why: 'An api call looks nothing up.', next: 'Ask with the command for it.' }),
    prepare: async () => ok(plan.parse({ service, method: row.method, path, query, body, params })),
    preview: (planned) => ({
      title: `${summary}${sumOf(amount?.(planned.body))}: ${planned.method} ${planned.path}`,
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
      const said = answer.message === undefined ? '' : ` The service says: ${theirs(answer.message, 300)}`
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

const sumOf = (sum: { value: number | null; currency: string | null } | undefined): string =>
  sum === undefined || sum.value === null ? '' : `, ${money(sum.value, { code: sum.currency })}`

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const jsonPart = (label: string, value: unknown): Block[] =>
  value === undefined ? [] : [text(label), code(toJson(value))]
