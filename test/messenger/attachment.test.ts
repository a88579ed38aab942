import { createServer } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { filesOf } from '../../adapters/discord/inbound/attachments.ts'
import { createFileDownloader } from '../../adapters/slack/api/file-download.ts'
import { maxFileBytes } from '../../src/kernel/command/line/text-file.ts'
import { fetchAttachment } from '../../src/kernel/messenger/attachment.ts'
import type { FetchFile } from '../../src/kernel/messenger/inbound.ts'
import { listen } from '../harness/listen.ts'
import { whenDone } from '../harness/when-done.ts'

/** Sends as many bytes as the path says, without saying how many. */
const server = createServer((request, response) => {
  if (request.url === '/moved') return void response.writeHead(302, { location: '/10' }).end()
  response.writeHead(200, { 'content-type': 'text/csv' })
  response.end(Buffer.alloc(Number(request.url?.slice(1)), 'a'))
})
let origin = ''
beforeAll(async () => {
  const listening = await listen(server)
  origin = listening.origin
  whenDone(listening.close)
})

const messengers = {
  Slack: (bytes: number, size?: number) =>
    createFileDownloader('xoxb-1', `${origin}/api/`).fetch({
      name: 'people.csv',
      size,
      url_private: `${origin}/${bytes}`,
    }),
  Discord: async (bytes: number, size = 0) => {
    const file = { filename: 'people.csv', url: `${origin}/${bytes}`, size }
    return (filesOf({ file }, `${origin}/api`).file as FetchFile)()
  },
}

describe.each(Object.entries(messengers))('a file on %s', (_, fetchOf) => {
  const refused = {
    ok: false,
    refusal: {
      message: 'people.csv is larger than 25 MB.',
      next: 'Split it, and send the parts one after the other.',
    },
  }

  test('of the largest size there may be is taken whole', async () => {
    const fetched = await fetchOf(maxFileBytes)
    expect(fetched.ok && fetched.value.bytes.length).toBe(maxFileBytes)
  })

  test('one byte larger is refused and never cut, whatever it says of itself', async () => {
    expect(await fetchOf(maxFileBytes + 1)).toMatchObject(refused)
    expect(await fetchOf(maxFileBytes + 1, 10)).toMatchObject(refused)
  })

  test('that says it is too large is not fetched', async () => {
    expect(await fetchOf(1, maxFileBytes + 1)).toMatchObject(refused)
  })
})

describe('an attachment', () => {
  const hosts = ['files.example', '.cdn.example']
  const file = { name: 'people.csv', hosts, next: 'Attach it again.' }
  const fetchFrom = (url: string, budget?: { left: number }) =>
    fetchAttachment({ ...file, url, apiUrl: `${origin}/api` }, budget)
  const unreachable = { refusal: { message: 'people.csv could not be fetched.' } }

  test('is not fetched from where a redirect leads', async () => {
    expect(await fetchFrom(`${origin}/moved`)).toMatchObject(unreachable)
  })

  test.each([
    'http://127.0.0.1:1/',
    'https://files.example.evil.example/',
    'https://evilcdn.example/',
    'http://files.example/',
    'https://files.example:8443/',
    'https://name:word@files.example/',
    'file:///etc/passwd',
    'nowhere',
  ])('at %s is not asked for', async (url) => {
    const asked: unknown[] = []
    const before = globalThis.fetch
    globalThis.fetch = async (input) => {
      asked.push(input)
      return new Response('text')
    }
    try {
      expect(await fetchFrom(url)).toMatchObject(unreachable)
      expect(asked).toEqual([])
      expect(await fetchFrom('https://files.example/a')).toMatchObject({ ok: true })
      expect(await fetchFrom('https://eu.cdn.example/a')).toMatchObject({ ok: true })
    } finally {
      globalThis.fetch = before
    }
  })

  test('is refused while others fill the bound on bytes in flight, which is given back', async () => {
    const budget = { left: 1_000 }
    expect(await fetchFrom(`${origin}/1001`, budget)).toMatchObject({
      refusal: { message: 'people.csv could not be fetched: many files come in now.' },
    })
    expect(budget.left).toBe(1_000)
    expect(await fetchFrom(`${origin}/1000`, budget)).toMatchObject({ ok: true })
    expect(budget.left).toBe(1_000)
  })
})
