import { expect, test } from 'vitest'
import { createLinkLearner } from '../../../src/kernel/context/link-learner.ts'
import { rowById } from '../../../src/lib/services/endpoints/tables.ts'
import { keyOfEnd, type LinkEnd } from '../../../src/lib/things/link.ts'
import { openTestApp } from '../../harness/app.ts'

const policy = `version: 1
people: [{ id: ann, name: Ann, roles: [all] }, { id: bob, name: Bob, roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } }
links: { customer: billing_id, customersWrite: [] }
`
const bot = await openTestApp({ policy, tasks: false })
const learned = async (...ends: LinkEnd[]) => {
  await bot.app.core.learner.flush()
  return (await bot.store.links.of(ends)).map((one) => `${one.ends.map(keyOfEnd).join(' ')} ${one.source}`)
}

test('the bot remembers the customer of every payment that it has seen', async () => {
  await bot.say('transaction find cus_1001', 'ann')
  expect(await learned({ kind: 'payment', id: 'pay_1001' })).toEqual([
    'customer:cus_1001 payment:pay_1001 billing.findTransactions',
  ])
})

test('a plan change teaches the customer’s address, also when it was an api call', async () => {
  const reply = await bot.say(
    `api call billing PUT /subscription/sub_1002/upgrade-downgrade --body '{"plan_id":"plan_desk_team_m","payment_mode":"offline"}'`,
    'ann',
  )
  if (reply.kind !== 'change') throw new Error(reply.kind)
  await bot.press('approve', reply.change.id, 'bob')
  expect(await learned({ kind: 'subscription', id: 'sub_1002' })).toEqual([
    'customer:cus_1002 subscription:sub_1002 billing.changePlan',
  ])
})

test('a subscriber’s configured field teaches the customer', async () => {
  const [, someone] = bot.sandbox.state.email.subscribers
  if (someone === undefined) throw new Error('nobody')
  Object.assign(someone.customFields, { billing_id: 'cus_1007' })
  await bot.say(`subscriber get ${someone.email}`, 'ann')
  expect(await learned({ kind: 'customer', id: 'cus_1007' })).toEqual([
    `customer:cus_1007 email:${someone.email} email.getSubscriber`,
  ])
})

test('an answer comes all the same when nothing can be learned', async () => {
  const { learn } = bot.store.links
  bot.store.links.learn = () => Promise.reject(new Error('down'))
  try {
    expect((await bot.say('transaction find cus_1003', 'ann')).kind).toBe('answer')
    await bot.app.core.learner.flush()
  } finally {
    bot.store.links.learn = learn
  }
  await bot.say('transaction find cus_1003', 'ann')
  expect(await learned({ kind: 'payment', id: 'pay_1005' })).toHaveLength(1)
})

test('twenty thousand links need not be written again, and with one more all are', async () => {
  const written: number[] = []
  const learn = async (links: object[]) => void written.push(links.length)
  const learner = createLinkLearner({ store: { links: { learn } }, linksNow: () => ({}), log: {} } as never)
  const saw = async (count: number) => {
    const data = Array.from({ length: count }, (_, n) => ({ id: `pay_${n}`, amount: 1 }))
    const input = { params: { customer_id: 'cus_1001' } }
    learner.take(rowById('billing.findTransactions'), input, { data } as never)
    await learner.flush()
  }
  for (const count of [20_000, 20_001, 1]) await saw(count)
  expect(written).toEqual([20_000, 1, 1])
})

test('two hundred answers wait to be learned from, and what comes on top is learned another time', async () => {
  let answers = 0
  const learn = async () => void answers++
  const learner = createLinkLearner({ store: { links: { learn } }, linksNow: () => ({}), log: {} } as never)
  for (let n = 0; n < 201; n++) learner.take(rowById('billing.findTransactions'), {}, { data: [] } as never)
  await learner.flush()
  expect(answers).toBe(200)
})
