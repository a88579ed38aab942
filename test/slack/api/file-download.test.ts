import { createServer } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { createFileDownloader } from '../../../adapters/slack/api/file-download.ts'
import { listen } from '../../harness/listen.ts'
import { whenDone } from '../../harness/when-done.ts'

describe('a file that somebody attached', () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    if (request.url === '/page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>')
    else response.writeHead(200, { 'content-type': 'text/csv' }).end('email\nada@example.com\n')
  })
  let origin = ''
  beforeAll(async () => {
    const listening = await listen(server)
    origin = listening.origin
    whenDone(listening.close)
  })

  test('is fetched with the token', async () => {
    const intake = createFileDownloader('xoxb-1', `${origin}/api/`)
    const file = await intake.fetch({ name: 'people.csv', url_private_download: `${origin}/file` })
    expect(file).toMatchObject({ ok: true, value: { name: 'people.csv' } })
    expect(file.ok && Buffer.from(file.value.bytes).toString()).toBe('email\nada@example.com\n')
    expect(asked.at(-1)).toBe('Bearer xoxb-1')
  })

  test('that turns out to be a page to log in is none', async () => {
    const intake = createFileDownloader('xoxb-1', `${origin}/api/`)
    expect(await intake.fetch({ name: 'p.csv', url_private: `${origin}/page` })).toMatchObject({
      refusal: { code: 'bad_file', message: 'p.csv could not be fetched.' },
    })
  })

  test('elsewhere is not asked for, least of all with the token', async () => {
    const before = asked.length
    const intake = createFileDownloader('xoxb-1', undefined)
    for (const url_private of [`${origin}/file`, 'https://slack.com.evil.example/f', 'nowhere']) {
      expect(await intake.fetch({ name: 'p.csv', url_private })).toMatchObject({
        refusal: { message: 'p.csv could not be fetched.' },
      })
    }
    expect(asked).toHaveLength(before)
  })
})
