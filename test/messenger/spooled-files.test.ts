import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createConversation } from '../../adapters/console/conversation.ts'
import { messageOf } from '../../adapters/discord/render/message.ts'
import { createSpool } from '../../src/kernel/messenger/spool.ts'
import { until } from '../harness/until.ts'

/** A file that is too long for memory, and so lies on the disk. */
const spooled = async () => {
  const spool = createSpool('people.csv', 'text/csv')
  await spool.add('a'.repeat(1_000_001))
  const file = await spool.end()
  return { file, isThere: () => existsSync(file.path as string) }
}

const view = { title: 'Here it is', tone: 'plain' as const, blocks: [] }

test('Discord lets go of a file once it is in the message', async () => {
  const { file, isThere } = await spooled()
  expect(isThere()).toBe(true)
  const { files } = await messageOf(view, { file })
  expect(Buffer.byteLength(files[0]?.data as Buffer)).toBe(1_000_001)
  expect(isThere()).toBe(false)
})

test('the console keeps a file to be fetched, until it forgets or closes', async () => {
  const conversation = createConversation(Date.now)
  const put = (file: Awaited<ReturnType<typeof spooled>>['file']) =>
    conversation.put({ to: null, by: null, body: { kind: 'view', view }, file })
  const first = await spooled()
  put(first.file)
  expect(first.isThere()).toBe(true)
  const last = await spooled()
  for (let more = 0; more < 9; more++) put({ name: 'small.csv', type: 'text/csv', content: 'a' })
  put(last.file)
  await until(() => expect(first.isThere()).toBe(false))
  expect(last.isThere()).toBe(true)
  await conversation.close()
  expect(last.isThere()).toBe(false)
})
