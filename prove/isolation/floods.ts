import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeDiscord } from '../../test/discord/fake/discord.ts'
import type { Person as DiscordPerson } from '../../test/discord/fake/person.ts'
import type { Person as SlackPerson } from '../../test/slack/fake/person.ts'
import { rooms } from '../fleet/fleet.ts'
import { agentToken, flooder, isolationPolicy } from './people.ts'

/** What one person sends over and over, so many at a time: the worst that a way into the bot takes. */
export type Flood = { door: string; name: string; atOnce: number; send(n: number): Promise<unknown> }

type Site = {
  base: string
  cookie: string
  slack: SlackPerson
  discord: { fake: FakeDiscord; person: DiscordPerson }
  /** What stays open until the flood is over. */
  sockets: Set<Socket>
  isOver(): AbortSignal
}

const long = 'x'.repeat(3_900)
const words = 'please give ada her money back and list all campaigns '.repeat(11)
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const wide = `[${'0,'.repeat(40_000)}0]`
const blanks = `1${' '.repeat(19_900)}.`
const keys = Array.from({ length: 18_000 }, (_, at) => `k${at}: 1`).join('\n')
const addresses = Array.from({ length: 1_000 }, (_, at) => `${at}-${'x'.repeat(70)}@example.com`)
const csv = Buffer.from(`email,company\n${'a@example.com,b\n'.repeat(300_000)}`).toString('base64')

export const floodsOf = (site: Site): Flood[] => {
  const { base, cookie, slack, discord, sockets, isOver } = site
  const host = new URL(base)
  const as = flooder.id
  const web = { 'content-type': 'application/json', origin: base, cookie }
  const post = async (path: string, body: object | string) => {
    const text = typeof body === 'string' ? body : JSON.stringify({ delivery: randomUUID(), as, ...body })
    const answer = await fetch(`${base}/console/api/${path}`, {
      method: 'POST',
      headers: web,
      body: text,
      signal: isOver(),
    })
    return answer.arrayBuffer()
  }
  const say = (line: string) => post('say', { line })
  const get = async (path: string) =>
    (await fetch(`${base}/console/api/${path}`, { headers: { cookie }, signal: isOver() })).arrayBuffer()
  const call = async (name: string, args: string) => {
    const answer = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${agentToken}`,
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
      signal: isOver(),
    })
    return answer.arrayBuffer()
  }
  const interact = (line: string, options: Record<string, string> = {}) =>
    discord.fake.deliver(discord.person.payload(rooms.discord, line, options))
  const typed = (n: number) =>
    slack.types(`/refund pay_1001 ${1 + (n % 90)} --description "no ${n}"`, rooms.slack)
  const inSlack: [string, number, Flood['send']][] = [
    ['the longest lines', 40, () => slack.types(`/refund ${long}`, rooms.slack)],
    ['words of their own', 40, () => slack.writes(words)],
    ['amounts of blanks', 40, () => slack.types(`/refund pay_1001 "1${' '.repeat(3_900)}."`, rooms.slack)],
    ['requests that wait for others', 20, typed],
  ]
  const inDiscord: [string, number, Flood['send']][] = [
    [
      'the longest values',
      40,
      () => interact('refund', { 'payment-id': long, amount: blanks.slice(0, 6_000) }),
    ],
    [
      'half-typed names',
      40,
      async () =>
        discord.fake.deliver({
          ...discord.person.payload(rooms.discord, 'campaign get', { 'campaign-id': 'w' }),
          type: 4,
        }),
    ],
    ['bodies that nest 20,000 deep', 20, () => discord.fake.post(`{"type":2,"data":${deep}}`)],
  ]
  const inConsole: [string, number, Flood['send']][] = [
    ['look-ups', 60, () => say('campaign find')],
    ['the longest lines', 40, () => say(`refund ${long}`)],
    ['words of their own', 40, () => say(words)],
    [
      'forms with the longest values',
      20,
      () => post('form', { command: 'refund', values: { 'payment-id': 'pay_1001', amount: blanks } }),
    ],
    [
      'forms with the longest lists',
      20,
      () => post('form', { command: 'list add', values: { 'list-id': '1', emails: addresses } }),
    ],
    [
      'presses of buttons that are not there',
      40,
      (n) => post('press', { verb: 'approve', id: `nothing${n}.0123456789` }),
    ],
    ['schedules', 20, (n) => say(`schedule create "report digest" --every ${10 + (n % 60)}s`)],
    [
      'files of 300,000 rows',
      2,
      () => post('say', { line: 'subscriber import', file: { name: 'a.csv', base64: csv } }),
    ],
    ['drafts of the policy', 4, () => post('policy', { draft: `${isolationPolicy}${keys}`, days: 3_650 })],
    [
      'packs, exports and checks of the log',
      8,
      (n) =>
        say(
          ['audit pack', 'audit export', 'audit verify', 'subscriber export', 'report refunds --since 365d'][
            n % 5
          ] as string,
        ),
    ],
    [
      'the panel and what others may see',
      40,
      (n) => get(n % 2 === 0 ? `changes?as=${as}` : `audit?as=${as}&check=yes`),
    ],
    ['bodies that nest 20,000 deep', 20, () => post('say', `{"as":"${as}","line":${deep}}`)],
    ['bodies of 40,000 values', 20, () => post('form', `{"as":"${as}","values":{"a":${wide}}}`)],
    [
      'open pages',
      1,
      async (n) => {
        if (n >= 200) return void (await sleep(20))
        const answer = await fetch(`${base}/console/api/events?as=${as}`, {
          headers: { cookie },
          signal: isOver(),
        })
        void answer.body?.pipeTo(new WritableStream()).catch(() => undefined)
      },
    ],
  ]
  const asAgent: [string, number, Flood['send']][] = [
    [
      'the largest arguments',
      20,
      () => call('list_add', JSON.stringify({ list_id: '1', emails: addresses })),
    ],
    ['arguments that nest 20,000 deep', 20, () => call('campaign_find', `{"query":${deep}}`)],
    [
      'arguments of 250 kB',
      20,
      () => call('message_text', JSON.stringify({ to: 'x', message: 'x'.repeat(250_000) })),
    ],
  ]
  const withoutSignature: [string, number, Flood['send']][] = [
    [
      'bodies that never end',
      1,
      async (n) => {
        if (n > 600) return void (await sleep(20))
        const socket = connect(Number(host.port), host.hostname)
        sockets.add(socket.on('error', () => undefined))
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
        const path = ['/slack/events', '/discord/interactions', '/console/api/say'][n % 3]
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: ${host.host}\r\norigin: ${base}\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{"as":"${'x'.repeat(800_000)}`,
        )
      },
    ],
    [
      'bodies of a megabyte',
      20,
      async () =>
        (
          await fetch(`${base}/slack/events`, { method: 'POST', body: 'x'.repeat(999_000), signal: isOver() })
        ).arrayBuffer(),
    ],
  ]
  const at = (door: string, floods: typeof inSlack): Flood[] =>
    floods.map(([name, atOnce, send]) => ({ door, name, atOnce, send }))
  return [
    ...at('Slack', inSlack),
    ...at('Discord', inDiscord),
    ...at('console', inConsole),
    ...at('agent', asAgent),
    ...at('nobody', withoutSignature),
  ]
}
