import { describe, expect, test } from 'vitest'
import { besideParams } from '../../src/kernel/command/params.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { rowById } from '../../src/lib/services/endpoints/tables.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { createFront } from '../harness/front.ts'
import { type Recorded, type Respond, raw } from '../services/recorder.ts'
import { openTeamBot } from './team-bot.ts'
import { widest } from './widest-lines.ts'

/** Knows nothing of the endpoint tables: what it wrote down is what left. */
const front = createFront()
const bot = await openTeamBot({ front: front.open })

/** How the line says who gets a mail; what is sent are the addresses themselves. */
const ways = ['file', 'search', 'status', 'tags', 'segments', 'lists', 'lead-score-min', 'lead-score-max']
const lines = Object.values(widest).flat()

describe('what is sent', () => {
  test.each(lines)('is shown, all of it: %s', async (line) => {
    const asked = await bot.ask(line)
    const details = await detailsOf(asked.id)
    const change = await settle(asked)
    expect(change.outcome).toMatchObject({ warning: null })
    const [request, ...more] = written()
    expect(more).toEqual([])
    expect(sentIn(details)).toEqual([wireOf(request)])
    expect(sentIn(await detailsOf(asked.id))).toEqual([wireOf(request)])
    expect(unseen(request?.url ?? '', bodyOf(request), textOfView(asked.preview, { isWhole: true }))).toEqual(
      [],
    )
  })

  test.each(lines)('is shown as it leaves when it is an api call: %s', async (line) => {
    const { area } = await settle(await bot.ask(line))
    const { method, path, body } = wireOf(written()[0])
    bot.sandbox.reset()
    const json = body === undefined ? '' : ` --body '${JSON.stringify(body).replaceAll("'", '’')}'`
    const asked = await bot.ask(`api call ${area} ${method} ${path}${json}`)
    const details = await detailsOf(asked.id)
    await settle(asked)
    expect(sentIn(details)).toEqual(written().map(wireOf))
    expect(sentIn(details)).toHaveLength(1)
  })

  test.each([
    ['campaign send cmp_spring_sale --status subscribed --tags customer', undefined],
    ['subscriber import --file people.csv', 'email,first name\nada@example.com,Adah\nkim@example.com,Kimi'],
  ])('is shown of each request of a long work: %s', async (line, content) => {
    const file = content === undefined ? undefined : { name: 'people.csv', bytes: Buffer.from(content) }
    const asked = changeIn(
      await bot.handle({ from: fromOf('fay'), intent: { kind: 'line', line, ...(file && { file }) } }),
    )
    const details = await detailsOf(asked.id)
    await settle(asked)
    await bot.app.drain()
    expect(written().length).toBeGreaterThan(0)
    expect(sentIn(details)).toEqual(written().map(wireOf))
  })

  test.each([
    'unfreeze agents',
    'away set --until monday',
    'person link ada@example.com --customer cus_1001',
  ])('is nothing, and is said so, of what Bellhop keeps itself: %s', async (line) => {
    await bot.store.freezes.set({ area: 'agents', by: 'fay', name: 'Fay', reason: '', at: 1 })
    const asked = await bot.ask(line)
    expect(await detailsOf(asked.id)).toContain('Nothing is sent to a service')
    await settle(asked)
    expect(written()).toEqual([])
  })

  test('is tried with every flag of every command that writes', () => {
    const writing = bot.registry.all.filter(
      (command) => command.kind === 'change' && command.area !== 'bellhop',
    )
    const missing = writing.flatMap(({ name, params }) => {
      // An import works off the rows of a file, which a test of its own compares.
      if (name === 'subscriber import') return []
      const said = widest[name]?.join(' ') ?? ''
      const skipped = name === 'campaign send' ? ways : []
      return params
        .filter(
          (param) => !param.positional && !skipped.includes(param.flag) && !besideParams.includes(param),
        )
        .filter(({ flag }) => !said.includes(`--${flag} `))
        .map(({ flag }) => `${name} --${flag}`)
        .concat(said === '' ? [name] : [])
    })
    expect(missing).toEqual([])
  })
})

/** What stands between us and a service answers 200 to everything, and so does another service at its address. */
const bad: Readonly<Record<string, Respond>> = {
  'a page to sign in on': raw('<!doctype html><h1>Welcome to the hotel</h1>', 200, {
    'content-type': 'text/html',
  }),
  null: raw('null'),
  'an empty body': raw(''),
  'an empty list': raw('[]'),
  'an empty record': raw('{}'),
  'a text': raw('"ok"'),
  'another envelope': raw('{"ok":true,"result":{"id":"x"}}'),
  'data alone': raw('{"data":{"id":"x"}}'),
  'a word that is no verdict': raw('{"status":"captive","message":"Please sign in"}'),
  'an endless body': (response) => {
    const more = () => {
      while (!response.destroyed && response.write('{"status":"success","message":"Done",'.repeat(400))) {}
    }
    response.on('drain', more).writeHead(200)
    more()
  },
}

/** Of the same service, and about something else. */
const ofAnother = raw(
  JSON.stringify({
    success: true,
    status: 'success',
    message: 'Done',
    data: {
      _id: '64b0000000000000000000ff',
      id: 'other',
      product_id: 'other',
      email: 'other@example.com',
      campaignId: 'other',
      to: '15559999999',
      subscription: { id: 'other' },
    },
  }),
)

const naming = (line: string): boolean => {
  const command = bot.registry.all.find(({ name }) => line.startsWith(`${name} `))
  return (
    command?.uses.some(
      (id) => rowById(id).row.effect !== 'read' && rowById(id).row.identity !== undefined,
    ) === true
  )
}

describe('a 200 that is not the answer of the service', () => {
  const under = async (respond: Respond, line: string) => {
    const fresh = createFront()
    const own = await openTeamBot({ front: fresh.open, settings: { maxBytes: 100_000 } })
    fresh.instead = ({ method }) => (method === 'GET' ? undefined : respond)
    const { state, outcome } = await own.run(line)
    const sent = fresh.requests.filter(({ method }) => method !== 'GET').length
    return { state, warning: outcome?.warning, sent }
  }
  const open = { state: 'unknown', warning: null, sent: 1 }

  test.each(lines)('leaves open whether it was done, and is not asked twice: %s', async (line) => {
    for (const [what, respond] of Object.entries(bad))
      expect({ what, ...(await under(respond, line)) }).toEqual({ what, ...open })
  })

  test.each(lines.filter(naming))('is also one about something else: %s', async (line) => {
    expect(await under(ofAnother, line)).toEqual(open)
  })
})

const title = 'What is sent'

const detailsOf = async (id: string): Promise<string> => {
  const reply = await bot.press('show_all', id, 'fay')
  if (reply.kind !== 'answer') throw new Error(reply.kind)
  return reply.file?.content ?? textOf(reply)
}

/** What the details say of the requests, as anybody would read them. */
const sentIn = (details: string): Wire[] =>
  details
    .slice(details.indexOf(title))
    .split(/^ *To the \w+ service:.*$/m)
    .slice(1)
    .map((one) => {
      const [, method = '', path = '', body = ''] = /^\s*([A-Z]+) (\S+)(.*)$/s.exec(one) ?? []
      return { method, path, body: body.trim() === '' ? undefined : JSON.parse(body) }
    })

const bases = [bot.sandbox.email, bot.sandbox.chat, bot.sandbox.billing].map(
  ({ baseUrl }) => new URL(baseUrl).pathname,
)

/** What the services were asked to write since the last change was settled. */
const written = () => front.requests.filter(({ method }) => method !== 'GET')

const settle = (change: Change): Promise<Change> => {
  front.requests.length = 0
  return bot.settle(change)
}

const changeIn = (reply: Reply): Change => {
  if (reply.kind !== 'change') throw new Error(textOf(reply))
  return reply.change
}

type Wire = { method: string; path: string; body: unknown }

/** What the service got, without where it stands. */
const wireOf = (request: Recorded | undefined): Wire => ({
  method: request?.method ?? '',
  path: bases.reduce(
    (path, base) => (path.startsWith(base) ? path.slice(base.length) : path),
    request?.url ?? '',
  ),
  body: bodyOf(request),
})

const bodyOf = (request: Recorded | undefined): unknown =>
  request === undefined || request.body === '' ? undefined : JSON.parse(request.body)

/** Values of a recorded request that the text of the card does not hold. */
const unseen = (path: string, body: unknown, card: string): string[] => {
  const pieces = path.split('?')[0]?.split('/').slice(4).map(decodeURIComponent) ?? []
  const values = [...pieces.filter((piece) => !ownWords.has(piece)), ...leavesOf(body)]
  return values.filter((value) => !holds(card, value) && !holds(card, readAs[value] ?? value))
}

/** What people read for the service's own words. */
const readAs: Readonly<Record<string, string>> = {
  refund_credit: 'credit for later invoices',
  net15: 'in 15 days',
  neteom: 'at the end of the month',
  immediately: 'now',
  eot: 'at the end of the term',
}

/** The fixed words of the paths, as the documents write them. */
const ownWords = new Set(
  'subscribers lists remove-subscriber campaigns send-to-individual contacts messages multiplans addon transaction refund products licenses codes subscription upgrade-downgrade add-subscriber move-subscriber send-to-list'.split(
    ' ',
  ),
)

const leavesOf = (value: unknown): string[] => {
  if (value === undefined) return []
  if (typeof value === 'string' && /^[[{]/.test(value)) return leavesOf(JSON.parse(value))
  if (typeof value === 'string') return value.split(',')
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return typeof value === 'boolean' ? [value ? 'yes' : 'no'] : [String(value)]
}

const holds = (card: string, value: string): boolean => {
  const plain = (text: string) => text.replaceAll('_', ' ')
  const words = value === 'true' ? 'yes' : value === 'false' ? 'no' : value
  const figure = /^\d+\.\d$/.test(words) ? `${words}0` : words
  const escaped = plain(figure).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'u').test(plain(card))
}
