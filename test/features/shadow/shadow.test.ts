import { describe, expect, it } from 'vitest'
import { shadow } from '../../../src/features/shadow/index.ts'
import { cardOf } from '../../../src/kernel/cards/card.ts'
import { allWarnings } from '../../../src/kernel/model/warning.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { policyOf, textOf } from '../../harness/app.ts'
import { commandsWith } from '../../harness/commands.ts'
import { openHarness } from '../../pipeline/harness.ts'
import { policy } from '../../pipeline/policy.ts'

const day = 24 * 3_600_000
const inShadow = `${policy}mode: shadow\n`

/** A bot in shadow, with a clock of its own. */
const openShadow = async (text = inShadow) => {
  const clock = { now: Date.UTC(2026, 10, 2, 9) }
  const harness = await openHarness({ policy: text, now: () => clock.now, tasks: false })
  const use = (next: string, n: number) => harness.app.core.usePolicy(policyOf(next, harness.registry), n)
  return { ...harness, clock, use }
}

describe('in shadow', () => {
  it('a week is asked, shown, judged and decided, nothing is sent, and the report says what would have been', async () => {
    const { ask, click, clock, effects, payment, say, stored } = await openShadow()
    for (let at = 0; at < 7; at++) {
      const small = await ask(`refund ${payment()} 40`)
      expect(plainWords(cardOf(small, clock.now).view.title)).toMatch(
        /^Shadow, nothing is sent: Refund 40 USD/,
      )
      const done = await click('confirm', small)
      expect(done).toMatchObject({ state: 'voided' })
      expect(plainWords(cardOf(done, clock.now).view.title)).toMatch(/^Not sent, in shadow: Refund 40 USD/)
      const large = await ask(`refund ${payment()} 100`)
      expect(large.clauses).toMatchObject([{ kind: 'approvals', count: 1 }])
      await click(at % 2 === 0 ? 'approve' : 'reject', large, 'fay', 'looked at')
      expect((await stored(large)).state).toBe(at % 2 === 0 ? 'voided' : 'rejected')
      clock.now += day + 1
    }
    await say('list create Launch')
    await ask('campaign send cmp_spring_sale ada@example.com')
    expect(effects()).toEqual([])

    const report = await say('report shadow --since 30d', 'fay')
    const words = textOf(report)
    expect(words).toContain('12 changes would have been sent: 680 USD and 1 without an amount')
    expect(words).toMatch(/Rejected, withdrawn or no longer possible\s*3/)
    expect(words).toMatch(/Not decided yet\s*1/)
    expect(words).toMatch(/Now\s*nothing is sent to any service/)
    expect(words).toMatch(/refund.*small refund.*7.*7.*0.*280 USD/)
    expect(words).toMatch(/refund.*refund.*7.*4.*3.*400 USD/)
  })

  it('budgets and repetitions count what would have been sent', async () => {
    const { ask, click, payment } = await openShadow()
    const same = payment()
    await click('confirm', await ask(`refund ${same} 40`))
    expect(allWarnings(await ask(`refund ${same} 40`)).join()).toContain('asked')
    for (let at = 0; at < 4; at++) await click('confirm', await ask(`refund ${payment()} 40`))
    expect((await ask(`refund ${payment()} 40`)).clauses).toMatchObject([{ kind: 'approvals', count: 2 }])
  })

  it('what was asked there is never sent, also not after it, and what was asked before is not sent there', async () => {
    const { ask, click, clock, effects, payment, use, stored, app } = await openShadow()
    const waiting = await ask(`refund ${payment()} 60`)
    use(policy, 2)
    expect(await click('approve', waiting, 'fay')).toMatchObject({ state: 'voided' })
    const real = await ask(`refund ${payment()} 60`)
    expect(real.withheld).toBeUndefined()
    use(inShadow, 3)
    const after = await click('approve', real, 'fay')
    expect(plainWords(cardOf(after, clock.now).view.title)).toMatch(/^Not sent, in shadow/)
    use(policy, 4)
    await app.drain()
    expect((await stored(real)).state).toBe('voided')
    expect(effects()).toEqual([])
    await click('approve', await ask(`refund ${payment()} 60`), 'fay')
    expect(effects('refundPayment')).toHaveLength(1)
  })

  it.each([
    ['[billing]', false, true],
    ['["refund"]', false, true],
    ['["list *", chat]', true, false],
    ['[email, billing]', false, false],
  ])('of %s alone, the others are sent', async (parts, refunds, lists) => {
    const { ask, click, effects, payment, say } = await openShadow(`${policy}mode: { shadow: ${parts} }\n`)
    await click('confirm', await ask(`refund ${payment()} 40`))
    await say('list create Launch')
    expect([effects('refundPayment').length === 1, effects('createList').length === 1]).toEqual([
      refunds,
      lists,
    ])
  })

  it('the bot’s own memory is changed as always, so that it can be left', async () => {
    const { app, say, store } = await openShadow()
    await say('freeze email', 'fay')
    expect(await store.freezes.all()).toHaveLength(1)
    expect(await shadow.status?.(app.core)).toEqual([['Shadow', 'nothing is sent to any service']])
  })
})

it.each([
  'mode: shado',
  'mode: { shadow: [] }',
  'mode: { shadows: [billing] }',
  'mode: { shadow: [bilings] }',
])('%s is refused with what to write', (text) => {
  expect(() => policyOf(`${policy}${text}\n`, commandsWith())).toThrow(/shadow/)
})
