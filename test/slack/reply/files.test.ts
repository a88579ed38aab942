import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toReplyHandle } from '../../../adapters/slack/context/address.ts'
import { createSpool } from '../../../src/kernel/messenger/spool.ts'
import { createLog } from '../../../src/lib/log.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const view: View = { title: 'A job is done', tone: 'good', blocks: [] }
const csv = { name: 'job.csv', type: 'text/csv', content: 'email\nada@example.com\n' }

const largeFile = async () => {
  const spool = createSpool('job.csv', 'text/csv')
  await spool.add('x'.repeat(1_100_000))
  const file = await spool.end()
  expect(file.path).toBeDefined()
  return { ...file, path: file.path ?? '' }
}

test('a card with a file for everybody is not posted where only a response_url goes, so that both are sent directly', async () => {
  const { slack, fake, sam } = await openSlackHarness({ tasks: false })
  const responseUrl = { url: `${fake.state.origin}/response/1`, until: Date.now() + 60_000 }
  const handle = toReplyHandle({ responseUrl, id: 'one' })
  const place = { channel: channels.elsewhere, handle, onlyFor: null }
  const file = await largeFile()
  await expect(slack.messenger.post(place, view, file)).rejects.toMatchObject({ kind: 'gone' })
  expect(fake.calls('response')).toHaveLength(0)
  await slack.messenger.direct(sam.id, view, file)
  expect(sam.finds('A job is done', dmOf(sam.id))).toBeDefined()
  expect(fake.state.files.map(({ name, channel }) => [name, channel])).toEqual([['job.csv', dmOf(sam.id)]])
  expect(existsSync(file.path)).toBe(false)
})

test('a card is posted once and its file removed, whatever becomes of the file and of the word about it', async () => {
  const log = createLog('silent')
  const opened = await openSlackHarness({
    tasks: false,
    log: {
      ...log,
      error: () => undefined,
      info: () => undefined,
      debug: () => undefined,
      warn: (_, message) => {
        if (message === 'a file could not be sent') refuse()
      },
    },
  })
  const { slack, fake, sam } = opened
  const refuse = () => fake.fail('chat.postMessage', { status: 500 })
  const place = { channel: channels.general, handle: null, onlyFor: null }
  fake.fail('files.getUploadURLExternal', { status: 500 }, { status: 500 })
  const [first, second] = [await largeFile(), await largeFile()]
  expect(await slack.messenger.post(place, view, first)).toContain(channels.general)
  expect(sam.sees(channels.general)).toHaveLength(1)
  expect(existsSync(first.path)).toBe(false)
  expect(await slack.messenger.direct(sam.id, view, second)).toContain(dmOf(sam.id))
  expect(sam.sees(dmOf(sam.id))).toHaveLength(1)
  expect(existsSync(second.path)).toBe(false)
})

test('a private card says in words that its file could not be sent', async () => {
  const { slack, fake, sam } = await openSlackHarness({ tasks: false })
  fake.fail('files.getUploadURLExternal', { status: 500 })
  await slack.messenger.post({ channel: channels.general, handle: null, onlyFor: sam.id }, view, csv)
  expect(sam.finds('job.csv could not be sent.', dmOf(sam.id)).text).toContain('files:write')
})
