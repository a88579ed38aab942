import { expect, it } from 'vitest'
import { DatabaseError } from '../../../src/lib/sql/database.ts'
import { textOf } from '../../harness/app.ts'
import { openHarness } from '../harness.ts'

const { store, say } = await openHarness({ tasks: false })
const { append } = store.audit
const askWhile = async (error: Error | undefined) => {
  store.audit.append = error === undefined ? append : () => Promise.reject(error)
  try {
    return textOf(await say('subscriber get ada@example.com'))
  } finally {
    store.audit.append = append
  }
}
const looks = async () => (await store.audit.find({ command: 'subscriber get', limit: 9 })).length

it('a look-up is on record, is answered while the database is away, and is not while anything else hinders the record', async () => {
  expect(await askWhile(undefined)).toContain('Ada Lindqvist')
  expect(await looks()).toBe(1)
  expect(await askWhile(new DatabaseError('down', 'away'))).toContain('Ada Lindqvist')
  expect(await askWhile(new TypeError('broken'))).not.toContain('Ada Lindqvist')
  expect(await looks()).toBe(1)
})
