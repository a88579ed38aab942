import { expect, it } from 'vitest'
import type { Change } from '../../../src/kernel/model/change.ts'
import { textOf } from '../../harness/app.ts'
import { changeOf, type Harness, openHarness, refusalOf } from '../../pipeline/harness.ts'
import { grantsPolicy } from './policy.ts'

const open = (options: Parameters<typeof openHarness>[0] = {}) =>
  openHarness({ policy: grantsPolicy, tasks: false, ...options })

const given = async (harness: Harness, line: string, by: string, approver = 'finn'): Promise<Change> => {
  const asked = await harness.ask(line, by)
  expect(asked).toMatchObject({ state: 'pending' })
  const done = await harness.click('approve', asked, approver)
  expect(done).toMatchObject({ state: 'applied' })
  return done
}

const look = 'grant create sam --run "audit find" --until "in 2h" --reason "the audit of today"'
const small = 'grant create sam --approve refund --up-to "20 USD" --times 3 --until "in 2d"'

it('a right to run is asked for, given by whom the file names, and ends when somebody ends it', async () => {
  const harness = await open()
  expect(refusalOf(await harness.say('audit find')).code).toBe('may_not_run')
  const asked = await harness.ask(look)
  expect(asked).toMatchObject({ state: 'pending', rule: 'grants "a look"' })
  expect(await harness.refusedClick('approve', asked, 'sam')).toMatchObject({ code: 'own_request' })
  expect(await harness.refusedClick('approve', asked, 'lee')).toMatchObject({ code: 'may_not_approve' })
  const { id } = await harness.click('approve', asked, 'fay')
  expect((await harness.say('audit find')).kind).toBe('answer')
  expect(textOf(await harness.say('grant list'))).toContain('Sam Support may run audit find')
  expect(refusalOf(await harness.say('audit export')).code).toBe('may_not_run')
  expect(refusalOf(await harness.say('audit find', 'vic')).code).toBe('may_not_run')
  expect(changeOf(await harness.say(`grant end ${id}`, 'kim'))).toMatchObject({ state: 'applied' })
  expect(refusalOf(await harness.say('audit find')).code).toBe('may_not_run')
})

it('what was approved in advance needs nobody, and its card says whose yes it was and what is left', async () => {
  const harness = await open()
  await given(harness, small, 'fay')
  const done = await harness.ask(`refund ${harness.payment()} 20`)
  expect(done).toMatchObject({ state: 'applied', votes: [{ by: { person: 'fay' }, inAdvance: { left: '2 of 3 left' } }] })
  expect(harness.effects('refundPayment')).toHaveLength(1)
  expect(await harness.ask(`refund ${harness.payment()} 21`)).toMatchObject({ state: 'pending', votes: [] })
  expect(await harness.ask(`refund ${harness.payment()} 20`, 'kim')).toMatchObject({ state: 'pending', votes: [] })
})
