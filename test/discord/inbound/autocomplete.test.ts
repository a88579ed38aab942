import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general, approvals } = channels

describe('completion', async () => {
  const harness = await openDiscordHarness()
  const { fake, sam, fay, wes, sandbox } = harness
  const reads = (part: string) => sandbox.wire.filter(({ path }) => path.includes(part)).length

  it('offers campaigns by name or id, from one read for everybody who types', async () => {
    expect(await sam.complete(general, 'campaign get', 'campaign-id', 'welc')).toContain('cmp_welcome')
    expect(await fay.complete(general, 'campaign send', 'campaign-id', 'cmp_w')).toContain('cmp_welcome')
    expect(reads('/campaigns')).toBe(1)
  })

  it('offers lists, plans, commands and contacts', async () => {
    expect(await sam.complete(general, 'list get', 'id', 'news')).toContain('lst_newsletter')
    expect(await fay.complete(general, 'upgrade', 'plan-id', 'team')).toContain('plan_desk_team_m')
    expect(await fay.complete(general, 'bellhop help', 'command', 'refu')).toContain('refund')
    expect((await sam.complete(general, 'contact get', 'id', 'ada')).length).toBeGreaterThan(0)
  })

  it('completes the last of several', async () => {
    expect(await sam.complete(general, 'list remove', 'list-ids', 'lst_customers,news')).toContain(
      'lst_customers,lst_newsletter',
    )
    const more = await sam.complete(general, 'list remove', 'list-ids', 'lst_customers,')
    expect(more).toContain('lst_customers,lst_newsletter')
    expect(more).not.toContain('lst_customers,lst_customers')
  })

  it('offers what is left of the payment beside it, to whoever may refund', async () => {
    const left = (who: typeof fay, beside: Record<string, string>) =>
      who.complete(general, 'refund', 'amount', '', { 'payment-id': 'pay_1001', ...beside })
    await until(async () => expect(await left(fay, { customer: 'cus_1001' })).toEqual(['120']))
    expect(await left(wes, { customer: 'cus_1001' })).toEqual([])
    expect(await left(fay, { customer: 'cus_1002' })).toEqual([])
  })

  it('offers what waits, and subscriptions that were asked about', async () => {
    await fay.slash(general, 'upgrade', {
      'subscription-id': 'sub_of_fay',
      'plan-id': 'plan_desk_team_m',
      'payment-mode': 'offline',
    })
    await until(() => expect(fay.reads(approvals)).toContain('sub\\_of\\_fay'))
    const [change] = await harness.store.changes.list({ limit: 1 })
    expect(await sam.complete(general, 'approval get', 'id', '')).toEqual([change?.id])
    expect(await fay.complete(general, 'upgrade', 'subscription-id', 'sub')).toEqual(['sub_of_fay'])
  })

  it('tells a stranger nothing, and everybody only what they may run', async () => {
    for (const [line, option] of [
      ['campaign get', 'campaign-id'],
      ['list get', 'id'],
      ['upgrade', 'plan-id'],
      ['upgrade', 'subscription-id'],
      ['approval get', 'id'],
      ['contact get', 'id'],
    ] as const) {
      expect(await wes.complete(general, line, option, ''), line).toEqual([])
    }
    expect(await wes.complete(general, 'bellhop help', 'command', '')).toEqual([
      'bellhop console',
      'bellhop help',
      'bellhop passkey',
      'bellhop passkeys',
      'bellhop sessions',
      'bellhop status',
      'bellhop whoami',
    ])
    // Support may not list checkout pages, so it is offered no plans.
    expect(await sam.complete(general, 'upgrade', 'plan-id', '')).toEqual([])
  })

  it('answers in time when the service does not', async () => {
    const { sandbox, sam: slow } = await openDiscordHarness()
    sandbox.fault({ service: 'chat', kind: 'delay', ms: 60_000, times: 9 })
    expect(await slow.complete(general, 'contact get', 'id', 'ada')).toEqual([])
    sandbox.clearFaults()
  })

  it('sends nothing that Discord would refuse', () => {
    expect(fake.state.refused).toEqual([])
  })
})
