import { createServer, type IncomingMessage } from 'node:http'
import type { DutySettings } from '../../../src/features/on-call/ask.ts'
import { dutySources, pageSize } from '../../../src/features/on-call/sources.ts'
import { listen } from '../../harness/listen.ts'
import { whenDone } from '../../harness/when-done.ts'

type Vendor = (typeof dutySources)[number]['name']
type Answer = { status?: number; headers?: Record<string, string>; body: string }
type User = { id: number; email: string | null }

/** Who asks in another way than its documents say is refused, as by the vendor. */
type Api = {
  token: string
  refuse(request: IncomingMessage, url: URL, token: string): Answer | undefined
  answer(url: URL, rota: ReadonlyMap<string, readonly string[]>): unknown
}

const usersOf = (emails: readonly string[]): User[] =>
  emails.map((email, at) => ({ id: 600 + at, email: email === '' ? null : email }))

const only = (url: URL, ...names: string[]): boolean =>
  [...url.searchParams.keys()].every((key) => names.includes(key))
const unauthorized = (body: unknown): Answer => ({ status: 401, body: JSON.stringify(body) })
const bad = (words: string): Answer => ({ status: 400, body: JSON.stringify({ error: words }) })

const apis: Record<Vendor, Api> = {
  pagerduty: {
    token: 'y_NbAkKc66ryYTWUXYEu',
    refuse: ({ headers }, url, token) => {
      if (headers.authorization !== `Token token=${token}`) return unauthorized({ error: { code: 2006 } })
      if (headers.accept !== 'application/vnd.pagerduty+json;version=2') return bad('version')
      if (url.pathname !== '/oncalls') return { status: 404, body: '{}' }
      const isPaged = Number(url.searchParams.get('limit')) <= 100 && url.searchParams.has('offset')
      return isPaged && only(url, 'schedule_ids[]', 'include[]', 'limit', 'offset') ? undefined : bad('query')
    },
    answer: (url, rota) => {
      const all = url.searchParams.getAll('schedule_ids[]').flatMap((id) =>
        usersOf(rota.get(id) ?? []).map((user) => ({
          user: url.searchParams.getAll('include[]').includes('users')
            ? { ...user, type: 'user', id: `P${user.id}` }
            : { id: `P${user.id}`, type: 'user_reference' },
          schedule: { id, type: 'schedule_reference' },
          escalation_level: 1,
          start: '2026-11-01T00:00:00Z',
          end: null,
        })),
      )
      const other = { ...usersOf(['always@example.com'])[0], type: 'user' }
      const always = { user: other, schedule: null, escalation_level: 2, start: null, end: null }
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name))) as [
        number,
        number,
      ]
      const listed = [...all, always]
      return {
        oncalls: listed.slice(offset, offset + limit),
        offset,
        limit,
        more: offset + limit < listed.length,
        total: null,
      }
    },
  },
  opsgenie: {
    token: 'eb243592-faa2-4ba2-a551q-1afdf565c889',
    refuse: ({ headers }, url, token) => {
      if (headers.authorization !== `GenieKey ${token}`)
        return unauthorized({ message: 'Key format is not valid!' })
      if (!/^\/v2\/schedules\/[^/]+\/on-calls$/.test(url.pathname)) return { status: 404, body: '{}' }
      return url.searchParams.get('flat') === 'true' && only(url, 'flat', 'scheduleIdentifierType')
        ? undefined
        : bad('query')
    },
    answer: (url, rota) => {
      const named = decodeURIComponent(url.pathname.split('/')[3] ?? '')
      const isId = /^[0-9a-f-]{36}$/.test(named)
      if ((url.searchParams.get('scheduleIdentifierType') === 'id') !== isId || !rota.has(named))
        return undefined
      return {
        data: { _parent: { id: named, name: named, enabled: true }, onCallRecipients: rota.get(named) },
        took: 0.049,
        requestId: '5d6e8a9f',
      }
    },
  },
  rootly: {
    token: 'rootly_1234',
    refuse: ({ headers }, url, token) => {
      if (headers.authorization !== `Bearer ${token}`) return unauthorized({ errors: [{ status: '401' }] })
      if (headers['content-type'] !== 'application/vnd.api+json') return { status: 415, body: '{}' }
      if (url.pathname !== '/v1/oncalls') return { status: 404, body: '{}' }
      return only(url, 'filter[schedule_ids]', 'include') ? undefined : bad('query')
    },
    answer: (url, rota) => {
      const id = url.searchParams.get('filter[schedule_ids]') ?? ''
      const users = usersOf(rota.get(id) ?? [])
      return {
        data: users.map((user, at) => ({
          id: `${at}`,
          type: 'oncalls',
          attributes: { user_id: user.id, schedule_id: id, level: 1 },
        })),
        ...(url.searchParams.get('include') === 'user'
          ? {
              included: users.map(({ id: user, email }) => ({
                id: String(user),
                type: 'users',
                attributes: { full_name: 'Somebody', email },
              })),
            }
          : {}),
      }
    },
  },
}

export type StandIn = {
  /** What an environment says of it. */
  env: Record<string, string>
  /** What is asked next it answers so, or not at all with `hang`; by its rota again without one. */
  fault?: Answer | 'hang' | undefined
  /** Who is on duty, by schedule. */
  rota: Map<string, readonly string[]>
  asked: string[]
  /** It is away from here on. */
  leave(): Promise<void>
}

export const startStandIn = async (vendor: Vendor): Promise<StandIn> => {
  const source = dutySources.find(({ name }) => name === vendor)
  if (source === undefined) throw new Error(vendor)
  const { refuse, answer, token } = apis[vendor]
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://stand-in')
    standIn.asked.push(request.url ?? '')
    if (standIn.fault === 'hang') return
    const said = (): Answer => {
      const body = answer(url, standIn.rota)
      return body === undefined ? { status: 404, body: '{}' } : { body: JSON.stringify(body) }
    }
    const { status = 200, headers = {}, body } = standIn.fault ?? refuse(request, url, token) ?? said()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  const { origin, close } = await listen(server)
  whenDone(close)
  const standIn: StandIn = {
    env: { [source.token]: token, [source.url]: origin },
    rota: new Map(),
    asked: [],
    leave: close,
  }
  return standIn
}

export const fullPage = pageSize

/** A busy machine may stand still for seconds. */
export const patient = (settings: DutySettings): DutySettings =>
  Object.fromEntries(Object.entries(settings).map(([name, one]) => [name, { ...one, withinMs: 600_000 }]))
