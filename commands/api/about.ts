import { z } from 'zod'
import { endpointsText } from '../../src/services/endpoints/shapes.ts'

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export const services = ['email', 'chat', 'billing'] as const

const input = z.object({
  service: z
    .enum(services)
    .describe('Service to call')
    .meta({ aliases: { messaging: 'chat' } }),
  method: z.enum(methods).describe('Method of the endpoint'),
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

export type Asked = z.infer<typeof input>

/** What `api call` and the query or change that it becomes have in common. */
export const about = {
  name: 'api call',
  summary: 'Call any documented endpoint of the three services',
  input,
  appendix: () => ({ name: 'endpoints.txt', type: 'text/plain', content: endpointsText() }),
  positional: ['service', 'method', 'path'],
  examples: [
    'api call billing GET /multiplans',
    'api call email GET /subscribers?status=subscribed&limit=5',
    `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"name": "Desk pool two"}'`,
    `api call billing POST /transaction/refund/pay_1002 --body '{"amount": 9, "refund_type": "refund"}'`,
  ],
} as const
