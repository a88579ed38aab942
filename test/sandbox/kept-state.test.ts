import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { createSandboxClient } from './client.ts'

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'deeper', 'sandbox.sqlite')
}

const open = async (file: string) => {
  const sandbox = await startSandbox({ file })
  return { sandbox, ask: createSandboxClient(sandbox), refunds: () => sandbox.state.billing.refunds.length }
}

test('two processes on one file see what the other did, and so does the next', async () => {
  const file = newFile()
  const [one, other] = [await open(file), await open(file)]
  const before = one.refunds()
  const refund = (ask: typeof one.ask, id: string) =>
    ask('billing', 'POST', `/transaction/refund/${id}`, { amount: 5 })
  await refund(one.ask, 'pay_1001')
  expect(other.refunds()).toBe(before + 1)
  // Neither overwrites the other, whoever writes at the same time.
  await Promise.all([refund(one.ask, 'pay_1002'), refund(other.ask, 'pay_1003'), refund(one.ask, 'pay_1004')])
  expect([one.refunds(), other.refunds()]).toEqual([before + 4, before + 4])
  await one.sandbox.close()
  await other.sandbox.close()
  const next = await open(file)
  expect(next.refunds()).toBe(before + 4)
  next.sandbox.reset()
  await next.sandbox.close()
  const last = await open(file)
  expect(last.refunds()).toBe(before)
  await last.sandbox.close()
})

test('a place where nothing can be kept is no reason not to start', async () => {
  const file = newFile()
  writeFileSync(join(file, '..', '..', 'deeper'), 'a file where the folder should be')
  const { sandbox, refunds, ask } = await open(file)
  const before = refunds()
  await ask('billing', 'POST', '/transaction/refund/pay_1001', { amount: 5 })
  expect(refunds()).toBe(before + 1)
  await sandbox.close()
})
