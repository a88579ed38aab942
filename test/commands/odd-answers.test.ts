import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSandboxState, standIns } from '../../sandbox/sandbox.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { Command } from '../../src/kernel/command/define.ts'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { readPast } from '../../src/kernel/times/read-past.ts'
import { respondTo } from '../../src/lib/sandbox/server/respond.ts'
import { type StandIn, sandboxKeys } from '../../src/lib/sandbox/service-sandbox.ts'
import { credentialsOf } from '../../src/lib/services/client/credentials.ts'
import { interpretAnswer } from '../../src/lib/services/client/interpret.ts'
import { type CallInput, toRequest } from '../../src/lib/services/client/request.ts'
import {
  allRows,
  defaultGuesses,
  type NamedRow,
  type RowId,
  rowById,
} from '../../src/lib/services/endpoints/tables.ts'
import { isServiceError, ServiceError } from '../../src/lib/services/errors.ts'
import type { LinkEnd } from '../../src/lib/things/link.ts'
import { viewSchema } from '../../src/lib/view/view.ts'
import { fileFor } from '../command/inputs.ts'
import { commandsWith } from '../harness/commands.ts'

const registry = commandsWith()
const asking = registry.all.filter(({ uses }) => uses.length > 0)

const oddTexts = ['', 'live', '2026-11-12T09:30:00Z', 'not a date', '1e309', '9'.repeat(400), 'plan', '49.99']
const oddNumbers = [0, -1.5, 49, 2 ** 53, 1e308, -1e308]

/** What is asked about comes back in it, so that it is found. */
const oddAbout = (line: string) => {
  const asked = fc.constantFrom(...line.split(' '))
  const number = fc.constantFrom(...oddNumbers, ...oddTexts)
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true),
      asked,
      number,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fieldNames()), tie('value'), { maxKeys: 8 }),
      fc.array(fc.record({ id: asked, amount: number, refunded_amount: number }), { maxLength: 3 }),
    ),
  })).value
}

test.each(asking.map((command) => [command.name, command] as const))(
  '%s shows or refuses, whatever the service answers',
  async (_, command) => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(oddAbout(command.examples[0])), async (answers) => {
        const view = await viewOf(
          command,
          contextOf((named) => readAs(named, answers.next().value)),
        )
        if (view !== undefined) expect(viewSchema.safeParse(view).error).toBeUndefined()
      }),
      { numRuns: 60, seed: 20_261 },
    )
  },
)

const oddJson = ['-1.5', '1e308', '1e999', 'null', '{}', '[[]]', 'true', '"\\ud800"']

test.each(asking.map((command) => [command.name, command] as const))(
  '%s shows or refuses what is right but for one field',
  async (_, command) => {
    const fields = new Set<string>()
    await viewOf(
      command,
      contextOf(
        rightBut((key, value) => {
          if (key !== '' && typeof value !== 'object') fields.add(key)
          return JSON.stringify(value)
        }),
      ),
    )
    for (const field of fields) {
      for (const odd of oddJson) {
        const answers = rightBut((key, value) => (key === field ? odd : JSON.stringify(value)))
        const view = await viewOf(command, contextOf(answers))
        if (view !== undefined) expect(viewSchema.safeParse(view).error, `${field}: ${odd}`).toBeUndefined()
      }
    }
  },
)

const state = createSandboxState()

/** What the sandbox would answer, with each of its plain values written by `write`, and read as the client reads it. */
const rightBut = (write: (key: string, value: unknown) => string) => {
  const written = (value: unknown, key = ''): string => {
    if (Array.isArray(value)) return `[${value.map((one) => written(one, key)).join(',')}]`
    if (typeof value !== 'object' || value === null) return write(key, value)
    const members = Object.entries(value).filter(([, one]) => one !== undefined)
    return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${written(one, name)}`).join(',')}}`
  }
  return (named: NamedRow, input: CallInput = {}) => {
    const { method, path, body = '' } = toRequest(named, input)
    const [place = '', query = ''] = path.split('?')
    const standIn = standIns.find(({ service }) => service.name === named.service) as StandIn
    const { headers } = credentialsOf(standIn.service, sandboxKeys(standIn.service))
    const request = { standIn, method, path: place, query: new URLSearchParams(query), headers, text: body }
    const { status, body: right } = respondTo(request, state, now)
    const answer = { end: 'answered', status, headers: {}, body: Buffer.from(written(right)) } as const
    const read = interpretAnswer(named, answer, { now, redact: (words) => words })
    if (isServiceError(read)) throw read
    return read
  }
}

const viewOf = async (command: Command, context: ReadContext) => {
  const parsed = parseLine(registry, command.examples[0], fileFor(command.examples[0]))
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  const { input } = parsed.value
  try {
    if (command.kind === 'query') {
      const answer = await command.run(input, context)
      return answer.ok ? answer.value.view : undefined
    }
    if (command.kind !== 'change') throw new Error(`${command.name} is neither a query nor a change`)
    const pin = async (members: Iterable<unknown>) => ({ set: 's', digest: 'd', total: [...members].length })
    const asked = await command.bulk?.pin(input, { ...context, chunk: 100, pin })
    if (asked?.ok === false) return undefined
    const planned = await command.prepare(asked?.value?.input ?? input, context, asked?.value?.pinned)
    return planned.ok ? command.preview(command.plan.parse(planned.value)) : undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    return undefined
  }
}

const now = Date.parse('2026-11-15')

const contextOf = (answer: (named: NamedRow, input?: CallInput) => unknown): ReadContext => {
  const readers = { email: {}, chat: {}, billing: {} } as Record<string, Record<string, unknown>>
  for (const named of allRows().filter(({ row }) => row.effect === 'read')) {
    Object.assign(readers[named.service] ?? {}, {
      [named.name]: async (input?: CallInput) => answer(named, input),
    })
  }
  const itself = async (start: LinkEnd) => ({ start, ends: [{ ...start, link: undefined }] })
  return {
    ...readers,
    read: async (id: RowId, input?: CallInput) => answer(rowById(id), input),
    now,
    zone: 'UTC',
    past: async (written: string) => readPast(written, { now, zone: 'UTC' }),
    guesses: defaultGuesses(),
    records: {
      changes: async () => ({ items: [], isCut: false }),
      audit: { changes: async () => [] },
    },
    of: () => ({ changes: async () => [] }),
    links: { personOf: itself, payerOf: itself, kindsOf: async () => [] },
  } as unknown as ReadContext
}

/** An odd answer, read by its row as the client would read it. */
const readAs = ({ service, name, row }: NamedRow, body: unknown) => {
  const parsed = row.answer.safeParse(body)
  if (parsed.success) return { data: parsed.data, message: undefined, understood: true, status: 200, body }
  throw new ServiceError({ kind: 'malformed', outcome: 'not_done', service, row: name })
}

function fieldNames() {
  return [
    ...[
      '_id',
      'id',
      'name',
      'listName',
      'status',
      'email',
      'firstName',
      'leadScore',
      'tags',
      'lists',
      'list',
    ],
    ...['segments', 'customFields', 'company', 'campaignDetails', 'campaignName', 'campaigns', 'campaign'],
    ...[
      'subject',
      'templateId',
      'pagination',
      'hasNextPage',
      'totalPages',
      'totalItems',
      'subscribers',
      'data',
    ],
    ...[
      'contacts',
      'mobile',
      'attributes',
      'value',
      'optin',
      'total',
      'count',
      'counts',
      'createdAt',
      'updatedAt',
    ],
    ...[
      'listWiseCounts',
      'statusAnalytics',
      'spam',
      'leadScoreConfig',
      'emailOpen',
      'isSuppressed',
      '__proto__',
    ],
    ...[
      'payment_id',
      'customer_id',
      'subscription_id',
      'plan_id',
      'amount',
      'refunded_amount',
      'refunds',
      'currency_code',
      'currency_symbol',
      'price',
      'setup_fee',
      'billing_period',
      'billing_period_num',
      'quantity',
      'created_at',
      'customer',
      'plan',
      'subscription',
      'codes',
    ],
    ...['suppressionDetail', 'reason', 'automationWorkflows', 'deleteAfter', 'totalOpens', 'subscriber'],
  ]
}
