import { describe, expect, test } from 'vitest'
import { changeIn, party } from '../../approvals/sample.ts'
import { until } from '../../harness/until.ts'
import { textOfMessage } from '../fake/reading.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, approvals } = channels

describe('the Home tab', async () => {
  const { sam, fay, finn, wes, fake, sandbox, store } = await openSlackHarness()

  test('shows what waits for me with its buttons, and what I asked for without', async () => {
    await sam.types('/refund pay_1001 100', general)
    await until(() => fay.finds('[Approve]', approvals))
    await fay.opensHome()
    await until(() => expect(fay.home()).toContain('Waiting for you: 1'))
    expect(fay.home()).toContain('[Approve]')
    expect(fay.home()).not.toContain('Withdraw')
    await sam.opensHome()
    await until(() => expect(sam.home()).toContain('Nothing waits for you'))
    expect(sam.home()).toContain('payment pay_1001')
    expect(sam.home()).not.toContain('[Approve]')
    expect(sam.home()).toContain('Waits for Fay Finance or Finn Finance')
    expect(sam.home()).toContain('[Remind]')
  })

  test('leaves what the requester alone may press to the requester', async () => {
    await fay.clicksHome('Ask')
    await until(() => fay.modal())
    await fay.submits({ Question: 'Which invoice is it?' })
    await until(() => expect(fay.home()).toContain('Which invoice is it?'))
    expect(fay.home()).toContain('[Approve]')
    expect(fay.home()).not.toContain('[Answer]')
  })

  test('shows each only what they may see', async () => {
    await wes.opensHome()
    await until(() => expect(wes.home()).toContain('Nothing waits for you'))
    expect(wes.home()).not.toContain('pay_1001')
    expect(wes.home()).not.toContain('Sam Support')
    expect(wes.home()).not.toContain('Quick actions')
    expect(fay.home()).toContain('Sam Support asked to refund')
  })

  test('decides, and follows what happens', async () => {
    await finn.opensHome()
    await until(() => expect(finn.home()).toContain('Waiting for you: 1'))
    await fay.clicksHome('Approve')
    await until(() => expect(finn.home()).toContain('Nothing waits for you'))
    await until(() => expect(sam.home()).toContain('Refunded'))
    expect(sandbox.wire.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('opens forms from its quick actions, and answers in the conversation with the bot', async () => {
    await sam.clicksHome('Subscriber get')
    await until(() => sam.modal())
    await sam.submits({ Who: 'ada@example.com' })
    await until(() => sam.finds('Ada Lindqvist', dmOf(sam.id)))
  })

  test('asks for a reason in a modal, and a refused press is told directly', async () => {
    await sam.types('/refund pay_1002 100', general)
    await until(() => expect(fay.home()).toContain('Waiting for you: 1'))
    await fay.clicksHome('Reject')
    await until(() => fay.modal())
    await finn.clicks('Approve')
    await until(() => finn.finds('Failed, and nothing was done', approvals))
    await fay.submits({ Reason: 'No' })
    await until(() => fay.finds('This change has failed', dmOf(fay.id)))
  })

  test('marks several, which are listed and decided on in the conversation with the bot', async () => {
    for (const payment of ['pay_1003', 'pay_1004', 'pay_1005'])
      await sam.types(`/refund ${payment} 60`, general)
    await until(() => expect(fay.home()).toContain('Waiting for you: 3'))
    await fay.clicksHome('Decide marked', ['pay_1003', 'pay_1005'])
    const read = await until(() => fay.finds('Decide on 2 changes?', dmOf(fay.id)))
    expect(textOfMessage(read)).not.toContain('pay_1004')
    expect(textOfMessage(read)).toContain('In all: ')
    await fay.clicks('Approve 2', { on: read })
    await until(() => fay.finds('Approved 2 of 2', dmOf(fay.id)))
    await until(() => expect(fay.home()).toContain('Waiting for you: 1'))
  })

  test('approves with one press what was marked, each as it stands in its row', async () => {
    for (const payment of ['pay_1006', 'pay_1007']) await sam.types(`/refund ${payment} 60`, general)
    await until(() => expect(fay.home()).toContain('Waiting for you: 3'))
    await fay.clicksHome('Approve marked', ['pay_1006', 'pay_1007'])
    await until(() => fay.finds('Approved 2 of 2', dmOf(fay.id)))
    await until(() => expect(fay.home()).toContain('Waiting for you: 1'))
  })

  test('says that there are more than it has looked at, and where they are', async () => {
    await store.tx(async (inner) => {
      for (let at = 0; at < 120; at++) {
        const stands = { state: 'pending' as const, expiresAt: Date.now() + 3_600_000, updatedAt: Date.now() }
        await inner.changes.insert(
          changeIn('pending', {
            ...stands,
            id: `many${at}`,
            origin: { platform: 'slack', channel: general, handle: null, direct: false },
            requester: party('sam', { name: 'Sam Support', platform: 'slack', account: sam.id }),
            clauses: [{ kind: 'approvals', count: 1, from: ['finance'], because: 'rule "refund"' }],
          }),
        )
      }
    })
    await finn.opensHome()
    await until(() => expect(finn.home()).toContain('Waiting for you: more than 100'))
    expect(finn.home()).toMatch(/more than \d\d more in approval list\./)
  })

  test('shows freezes', async () => {
    await fay.types('/freeze billing --reason "Month end"', general)
    await until(() => fay.finds('frozen', general))
    await sam.opensHome()
    await until(() => expect(sam.home()).toContain('The billing changes are frozen by Fay Finance since'))
    expect(sam.home()).toContain('Month end')
    expect(sam.home()).toContain('Unfreeze')
    expect(fake.state.calls.filter(({ ok }) => !ok)).toEqual([])
  })
})
