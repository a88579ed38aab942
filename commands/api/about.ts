import { z } from 'zod'
import type { Pack } from '../../src/kernel/command/pack.ts'
import type { Method, ServiceName } from '../../src/lib/services/endpoints/row.ts'
import { endpointsText } from '../../src/lib/services/endpoints/shapes.ts'
import { allRows } from '../../src/lib/services/endpoints/tables.ts'

/** The methods that some row has. */
export const methods = (): [Method, ...Method[]] => {
  const used = new Set(allRows().map(({ row }) => row.method))
  return (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
    (one) => one === 'GET' || used.has(one),
  ) as [Method, ...Method[]]
}

/** A service by its name, or by what people call it. */
const serviceOf = (packs: readonly Pack[]) =>
  (
    z.enum(packs.map(({ name }) => name) as [string, ...string[]]) as unknown as z.ZodType<
      ServiceName,
      ServiceName
    >
  )
    .describe('Service to call')
    .meta({
      aliases: Object.fromEntries(
        packs.flatMap(({ name, title }) =>
          title.toLowerCase() === name ? [] : [[title.toLowerCase(), name]],
        ),
      ),
    })

const inputFor = (packs: readonly Pack[]) =>
  z.object({
    service: serviceOf(packs),
    method: z.enum(methods()).describe('Method of the endpoint'),
    path: z
      .string('a path is needed')
      .min(1, 'a path is needed, such as /multiplans')
      .max(2000, 'a path has at most 2000 characters')
      .describe('Path with its values filled in; help lists all of them; a query may follow a ?')
      .meta({ kind: 'endpoint' }),
    query: z
      .record(z.string(), z.json(), 'the query is a JSON object, such as {"page": 2}')
      .describe('Query as a JSON object')
      .meta({ json: true })
      .optional(),
    body: z
      .record(z.string(), z.json(), 'the body is a JSON object, such as {"amount": 20}')
      .describe('Body as a JSON object')
      .meta({ json: true })
      .optional(),
  })

export type Asked = z.infer<ReturnType<typeof inputFor>>
export type AboutCall = ReturnType<typeof aboutFor>

/** What `api call` and the query or change that it becomes have in common. */
export const aboutFor = (packs: readonly Pack[]) =>
  ({
    name: 'api call',
    title: 'Call an endpoint',
    summary: 'Call any documented endpoint of the services',
    input: inputFor(packs),
    appendix: () => ({ name: 'endpoints.txt', type: 'text/plain', content: endpointsText() }),
    positional: ['service', 'method', 'path'],
    examples: [
      'api call billing GET /multiplans',
      'api call email GET /subscribers?status=subscribed&limit=5',
      `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"name": "Desk pool two"}'`,
      `api call billing POST /transaction/refund/pay_1002 --body '{"amount": 9, "refund_type": "refund"}'`,
    ],
  }) as const
