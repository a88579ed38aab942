import { createServer } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { createFileDownloader } from '../../../adapters/slack/api/file-download.ts'
import { listen } from '../../harness/listen.ts'

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
    return listening.close
  })

  test('is fetched with the token', async () => {
    const intake = createFileDownloader('xoxb-1', `${origin}/api/`)
    const file = await intake.fetch({ name: 'people.csv', url_private_download: `${origin}/file` })
    expect(file.name).toBe('people.csv')
    expect(Buffer.from(file.bytes).toString()).toBe('email\nada@example.com\n')
    expect(asked.at(-1)).toBe('Bearer xoxb-1')
  })

  test('that turns out to be a page to log in is none', async () => {
    const intake = createFileDownloader('xoxb-1', `${origin}/api/`)
    await expect(intake.fetch({ url_private: `${origin}/page` })).rejects.toThrow(
      'the file came with status 200',
    )
  })

  test('elsewhere is not asked for, least of all with the token', async () => {
    const before = asked.length
    const intake = createFileDownloader('xoxb-1', undefined)
    await expect(intake.fetch({ url_private: `${origin}/file` })).rejects.toThrow(
      'the file is not with Slack',
    )
    await expect(intake.fetch({ url_private: 'https://slack.com.evil.example/f' })).rejects.toThrow(
      'the file is not with Slack',
    )
    expect(asked).toHaveLength(before)
  })
})
