import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './listen.ts'

export type Fate =
  | 'ok'
  | 'drop_before'
  | 'drop_after'
  | 'error_before'
  | 'error_after'
  | 'limit'
  | 'refuse'
  | 'bad_key'

export type Sent = { emails: string[]; fate: Fate }

type Options = {
  subscribers?: number
  /** What becomes of the n-th send. */
  fate?: (n: number) => Fate
  /** And of the n-th update; each of them is in `updates`. */
  updateFate?: (n: number) => Fate
  delay?: () => number
  status?: (n: number) => string
}

/** An email service of any size that answers at once: subscribers made up as they are asked for, and what was sent to whom. */
export const startEmailService = async ({
  subscribers = 0,
  fate = () => 'ok',
  updateFate = () => 'ok',
  delay = () => 0,
  status = () => 'subscribed',
}: Options = {}) => {
  const sends: Sent[] = []
  const updates: { email: string; body: unknown }[] = []
  const requests: string[] = []
  const envelope = (data: unknown) =>
    JSON.stringify({ success: true, status: 'success', message: 'ok', data })
  const say = (response: ServerResponse, code: number, body: string, headers: Record<string, string> = {}) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body)
  const person = (n: number) => ({
    _id: n.toString(16).padStart(24, '0'),
    email: emailOf(n),
    firstName: `First${n}`,
    lastName: `Last${n}`,
    leadScore: n % 100,
    status: status(n),
    tags: ['customer'],
    segments: [],
    lists: ['everybody'],
    customFields: { company: `Company, ${n}`, position: '=1+1' },
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  })

  const findPeople = (url: URL, response: ServerResponse) => {
    const page = Number(url.searchParams.get('page') ?? 1)
    const limit = Number(url.searchParams.get('limit') ?? 10)
    const from = (page - 1) * limit
    const count = Math.max(0, Math.min(limit, subscribers - from))
    const totalPages = Math.ceil(subscribers / limit)
    say(
      response,
      200,
      envelope({
        subscribers: Array.from({ length: count }, (_, at) => person(from + at)),
        suppressionList: [],
        pagination: {
          currentPage: page,
          itemsPerPage: limit,
          totalItems: subscribers,
          totalPages,
          hasNextPage: page < totalPages,
          hasPrevPage: page > 1,
        },
      }),
    )
  }

  const send = (body: string, response: ServerResponse) => {
    const { emails } = JSON.parse(body) as { emails: string[] }
    const chosen = fate(sends.length)
    sends.push({ emails, fate: chosen })
    meet(chosen, response, {
      campaignId: 'cmp_1',
      campaignName: 'News',
      totalEmails: emails.length,
      queued: emails.length,
    })
  }

  const meet = (chosen: Fate, response: ServerResponse, data: unknown) => {
    switch (chosen) {
      case 'drop_before':
      case 'drop_after':
        return response.destroy()
      case 'error_before':
      case 'error_after':
        return say(response, 500, '{"success":false,"status":"error","message":"broken"}')
      case 'limit':
        return say(response, 429, '{"success":false,"message":"slow down"}', { 'retry-after': '0.05' })
      case 'refuse':
        return say(response, 400, '{"success":false,"message":"one of these is badly formatted"}')
      case 'bad_key':
        return say(response, 401, '{"success":false,"message":"this key was revoked"}')
      default:
        return say(response, 200, envelope(data))
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://service')
    requests.push(`${request.method} ${url.pathname}`)
    const body = await text(request)
    if (delay() > 0) await sleep(delay())
    const path = url.pathname.replace('/api/v2', '')
    if (path === '/campaigns/send-to-individual') send(body, response)
    else if (path === '/subscribers') findPeople(url, response)
    else if (path === '/campaigns')
      say(response, 200, envelope({ campaigns: [campaign], pagination: { totalPages: 1 } }))
    else if (path === '/campaigns/cmp_1') say(response, 200, envelope({ campaign }))
    else if (path.startsWith('/subscribers/')) {
      const email = decodeURIComponent(path.slice('/subscribers/'.length))
      const n = numberOf(email)
      if (n === undefined || n >= subscribers)
        say(response, 404, '{"success":false,"message":"no such subscriber"}')
      else if (request.method === 'PUT') {
        updates.push({ email, body: JSON.parse(body) })
        meet(updateFate(updates.length), response, person(n))
      } else say(response, 200, envelope(person(n)))
    } else say(response, 404, '{"success":false,"message":"not found"}')
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const { origin, port, close } = await listen(server)
  return {
    baseUrl: `${origin}/api/v2`,
    sends,
    updates,
    /** Everything that was asked of it, in order. */
    requests,
    /** Nobody listens until it is reopened. */
    interrupt: async () => {
      await close()
      return { reopen: async () => void (await listen(server, port)) }
    },
    close,
  }
}

export const emailOf = (n: number): string => `person${n}@domain${n % 7}.example.com`

const numberOf = (email: string): number | undefined => {
  const n = /^person(\d+)@/.exec(email)?.[1]
  return n === undefined ? undefined : Number(n)
}

const campaign = {
  _id: 'cmp_1',
  status: 'live',
  campaignDetails: {
    campaignType: 'Regular',
    campaignName: 'News',
    senderName: 'Us',
    subject: 'What is new',
  },
}

/** A CSV of addresses. */
export const csvOf = (emails: readonly string[]): string => `email\n${emails.join('\n')}\n`
