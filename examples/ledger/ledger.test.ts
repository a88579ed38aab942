import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { Policy } from '../../src/kernel/policy/policy.ts'
import { openTestApp } from '../../test/harness/app.ts'
import { feature } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'changes.csv')
const rows = () => readFileSync(file, 'utf8').split('\n')

const bot = await openTestApp({
  features: [feature],
  policy: `version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: eve, name: '=HYPERLINK("x")', roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
unseen: pass
ledger: { file: ${file} }
`,
})
const idOf = async (line: string, person = 'sam'): Promise<string> => {
  const reply = await bot.say(line, person)
  if (reply.kind !== 'change') throw new Error(reply.kind)
  return reply.change.id
}
const put = (id: string) =>
  bot.store.tasks.put({ kind: 'ledger', key: `ledger:${id}`, doc: { id }, dueAt: 0 })
beforeEach(() => {
  rmSync(file, { force: true })
  bot.sandbox.reset()
})

it('writes what was done, and neither what waits nor what was rejected', async () => {
  const done = await idOf('refund pay_1001 120')
  await idOf('refund pay_1002 20')
  await bot.press('approve', done, 'fay')
  await bot.press('reject', await idOf('refund pay_1003 30'), 'fay', 'no')
  await bot.app.drain()
  const { updatedAt, currency } = (await bot.store.changes.get(done)) ?? {}
  expect(rows()).toEqual([
    '"Change","Done at","Command","Amount","Currency","Asked by","Approved by"',
    `${done},"${new Date(updatedAt ?? 0).toISOString()}","refund","120","${currency ?? ''}","Sam Support","Fay Finance"`,
    '',
  ])
})

it('writes each change once, also where a row was cut off, and nothing as a formula', async () => {
  const done = await idOf('refund pay_1001 120', 'eve')
  await bot.press('approve', done, 'fay')
  await bot.app.drain()
  await put(done)
  await bot.app.drain()
  expect(rows().filter((row) => row.startsWith(`${done},`))).toHaveLength(1)
  expect(rows()[1]).toContain(`"'=HYPERLINK(""x"")"`)
  const [head = '', row = ''] = rows()
  writeFileSync(file, `${head}\n${row.slice(0, 20)}`)
  await put(done)
  await bot.app.drain()
  expect(rows()).toEqual([head, row.slice(0, 20), row, ''])
})

it('says in the report of the doctor whether its file can be written', async () => {
  const said = async (named: string) =>
    feature.doctor?.({
      policy: { sections: { ledger: { file: named } } } as unknown as Policy,
      messengers: {},
      settings: {},
      fromStore: async () => [],
    })
  expect(await said(file)).toEqual([{ ok: true, about: 'ledger', words: `${file} can be written.` }])
  expect(await said('/nowhere/at/all.csv')).toMatchObject([{ ok: false }])
})
