import { expect, it } from 'vitest'
import { allReturns } from '../../../src/cli/backup/returns.ts'
import { grantsInForce } from '../../../src/features/grants/index.ts'
import { grantRulesOf } from '../../../src/features/grants/section.ts'
import { createGrants } from '../../../src/features/grants/store.ts'
import { policyOf, textOf } from '../../harness/app.ts'
import { type Harness, openHarness, refusalOf } from '../../pipeline/harness.ts'
import { grantsPolicy } from './policy.ts'

/** Refunds over 30 need two people, so one that is approved in advance still waits for the other. */
const file = grantsPolicy.replace(
  '  - { name: refund, ',
  '  - { name: two, commands: [refund], amount: { over: 30, upTo: 500 }, require: { approvals: 2, from: [finance, lead] } }\n  - { name: refund, ',
)

const open = async () => {
  let later = 0
  const harness = await openHarness({ policy: file, tasks: false, now: () => Date.now() + later })
  return {
    ...harness,
    pass: (ms: number) => {
      later += ms
    },
    /** Another version of the file comes into force. */
    take: (text: string) => {
      harness.app.core.policy = policyOf(text, harness.registry)
    },
  }
}
type Opened = Awaited<ReturnType<typeof open>>

const give = async (harness: Harness, line: string, by: string, approver: string): Promise<string> => {
  const { id } = await harness.click('approve', await harness.ask(line, by), approver)
  return id
}

const without = (id: string) => file.replace(new RegExp(`  - \\{ id: ${id}, .*\\n`), '')
const roleless = (id: string) =>
  file.replace(new RegExp(`(  - \\{ id: ${id}, .*)roles: \\[\\w+\\]`), '$1roles: []')

const ends: [string, (harness: Opened, id: string) => unknown][] = [
  ['its time', ({ pass }) => pass(2 * 3_600_000)],
  ['a word', ({ say }, id) => say(`grant end ${id}`, 'finn')],
  [
    'another rule',
    ({ take }) => take(file.replaceAll('for: 24h', 'for: 23h').replaceAll('for: 7d', 'for: 6d')),
  ],
  ['no rule', ({ take }) => take(file.replace(/^grants:\n( .*\n)*/m, ''))],
  ['a giver who is gone', ({ take }) => take(without('fay'))],
  ['a giver who lost the role', ({ take }) => take(roleless('fay'))],
  [
    'a restore',
    ({ db }) => {
      const how = allReturns().grants
      return 'sql' in (how ?? {}) ? db.run((how as { sql: string }).sql, []) : undefined
    },
  ],
]

it.each(ends)('a right to run that ends by %s while a request waits runs nothing', async (_, end) => {
  const harness = await open()
  const id = await give(harness, 'grant create sam --run "addon delete" --until "in 1h"', 'sam', 'fay')
  const [addon] = harness.sandbox.state.billing.addons
  const asked = await harness.ask(`addon delete ${addon?.id}`)
  expect(asked).toMatchObject({ state: 'pending' })
  await end(harness, id)
  const done = await harness.click('approve', asked, 'finn').catch(() => harness.stored(asked))
  expect(done.state).not.toBe('applied')
  expect(harness.effects()).toEqual([])
  expect(refusalOf(await harness.say('addon delete add_1')).code).toBe('may_not_run')
  await harness.app.drain()
  expect(textOf(await harness.say('grant list', 'finn'))).not.toContain('addon delete')
})

it.each(ends)('a yes in advance that ends by %s while a request waits counts no more', async (_, end) => {
  const harness = await open()
  const line = 'grant create sam --approve refund --up-to "50 USD" --times 3 --until "in 1h"'
  const id = await give(harness, line, 'fay', 'finn')
  const asked = await harness.ask(`refund ${harness.payment()} 40`)
  expect(asked).toMatchObject({ state: 'pending', votes: [{ by: { person: 'fay' } }] })
  await end(harness, id)
  const voted = await harness.click('approve', asked, 'lee')
  expect(voted).toMatchObject({ state: 'pending', votes: [{ by: { person: 'lee' } }] })
  expect(voted.lapsed).toMatchObject([{ person: 'fay' }])
  expect(harness.effects()).toEqual([])
})

it('a yes in advance counts while nothing ends it, as one of two', async () => {
  const harness = await open()
  const line = 'grant create sam --approve refund --up-to "50 USD" --times 3 --until "in 1h"'
  await give(harness, line, 'fay', 'finn')
  const asked = await harness.ask(`refund ${harness.payment()} 40`)
  expect(await harness.refusedClick('approve', asked, 'fay')).toMatchObject({ code: 'already_voted' })
  expect(await harness.click('approve', asked, 'lee')).toMatchObject({ state: 'applied' })
})

it('nobody’s yes in advance is for their own request, whoever changed it', async () => {
  const harness = await open()
  const line = 'grant create sam --approve refund --up-to "50 USD" --times 3 --until "in 1h"'
  await give(harness, line, 'fay', 'finn')
  const asked = await harness.ask(`refund ${harness.payment()} 40`)
  await harness.say(`approval change ${asked.id} --amount 20`, 'fay')
  const changed = await harness.stored(asked)
  await harness.app.drain()
  expect((await harness.stored(changed)).votes).toEqual([])
})

it('a use comes back when nothing was done, and the grant is over when all of it was', async () => {
  const harness = await open()
  const line = 'grant create sam --approve refund --up-to "50 USD" --times 1 --until "in 1h"'
  const id = await give(harness, line, 'fay', 'finn')
  const grants = harness.store.of(createGrants)
  const asked = await harness.ask(`refund ${harness.payment()} 40`)
  expect(await grants.uses(id)).toHaveLength(1)
  expect(await harness.ask(`refund ${harness.payment()} 9`)).toMatchObject({ state: 'pending', votes: [] })
  await harness.click('reject', asked, 'lee', 'not this one')
  expect(await grants.uses(id)).toEqual([])
  expect(await harness.ask(`refund ${harness.payment()} 10`)).toMatchObject({ state: 'applied' })
  harness.pass(61_000)
  await harness.app.drain()
  expect(await grants.get(id)).toMatchObject({ why: 'it is used up' })
  expect(await grantsInForce(harness.app.core)).toEqual([])
  const [entry] = await harness.store.audit.find({ command: 'grant end', limit: 1 })
  expect(entry).toMatchObject({ kind: 'grant ended', doc: { grant: id, why: 'it is used up' } })
})

it('whom the rule names keeps what they gave as long as the file says the same', async () => {
  const harness = await open()
  await give(harness, 'grant create sam --run "audit find" --until "in 1h"', 'sam', 'fay')
  harness.take(`${file}# nothing else\n`)
  expect(grantRulesOf(harness.app.core.policy)).toHaveLength(2)
  expect((await harness.say('audit find')).kind).toBe('answer')
})
