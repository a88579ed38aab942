import { createServer } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { filesOf } from '../../adapters/discord/inbound/attachments.ts'
import { createFileDownloader } from '../../adapters/slack/api/file-download.ts'
import { mostFileBytes } from '../../src/command/line/text-file.ts'
import type { FetchFile } from '../../src/messenger/inbound.ts'
import { listen } from '../harness/listen.ts'

/** Sends as many bytes as the path says, without saying how many. */
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/csv' })
  response.end(Buffer.alloc(Number(request.url?.slice(1)), 'a'))
})
let origin = ''
beforeAll(async () => {
  const listening = await listen(server)
  origin = listening.origin
  return listening.close
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
    return (filesOf({ file }).file as FetchFile)()
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
    const fetched = await fetchOf(mostFileBytes)
    expect(fetched.ok && fetched.value.bytes.length).toBe(mostFileBytes)
  })

  test('one byte larger is refused and never cut, whatever it says of itself', async () => {
    expect(await fetchOf(mostFileBytes + 1)).toMatchObject(refused)
    expect(await fetchOf(mostFileBytes + 1, 10)).toMatchObject(refused)
  })

  test('that says it is too large is not fetched', async () => {
    expect(await fetchOf(1, mostFileBytes + 1)).toMatchObject(refused)
  })
})
