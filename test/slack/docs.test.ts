import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { channels, openSlackHarness } from './harness.ts'

const doc = readFileSync(new URL('../../docs/slack.md', import.meta.url), 'utf8')
const { general, approvals } = channels

/** The file of the page, with the ids of the people and of the channel here. */
const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(doc) ?? []
const policy = yaml
  .replace('U012AB3CD', 'U0SAM')
  .replace('U045EF6GH', 'U0FAY')
  .replace('C078IJ9KL', approvals)
const tour = doc.split(/^## /m).find((section) => section.startsWith('5. Try it')) ?? ''

describe('the tour of docs/slack.md', async () => {
  const { sam, fay } = await openSlackHarness({ policy })
  const says = (line: string) => {
    expect(tour).toContain(`\`${line}\``)
    return sam.types(line, general)
  }

  test('looks somebody up', async () => {
    await says('/subscriber get ada@example.com')
    await until(() => sam.finds('Ada Lindqvist', general))
  })

  test('opens a form for a refund without anything', async () => {
    await says('/refund')
    await until(() => expect(sam.hasModal()).toBe(true))
  })

  test('refunds from a list of payments', async () => {
    await says('/transaction find cus_1001')
    const payments = await until(() => sam.finds('Payments by cus_1001', general))
    await sam.chooses(payments, 'INV-502', 'refund')
    await until(() => expect(sam.hasModal()).toBe(true))
  })

  test('shows a card to confirm for a small refund, and asks finance for a larger one', async () => {
    expect(tour).toMatch(/`\/refund pay_1001 20 --customer cus_1001` shows you a card to confirm/)
    await says('/refund pay_1001 20 --customer cus_1001')
    await until(() => sam.finds('[Confirm]', general))
    await sam.clicks('Confirm')
    await until(() => sam.finds('Refunded 20', general))
    expect(tour).toMatch(/`\/refund pay_1001 100 --customer cus_1001` asks somebody in finance/)
    await says('/refund pay_1001 100 --customer cus_1001')
    await until(() => fay.finds('[Approve]', approvals))
    await fay.clicks('Approve')
    await until(() => fay.finds('Refunded 100', approvals))
  })
})
