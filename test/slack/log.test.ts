import { describe, expect, test } from 'vitest'
import { slackErrorFields } from '../../adapters/slack/api/errors.ts'
import { until } from '../harness/until.ts'
import { channels, openSlackHarness } from './harness.ts'

const { general, approvals } = channels

describe('the log', async () => {
  const lines: string[] = []
  const write = (fields: object, message: string) =>
    void lines.push(
      JSON.stringify([fields, message], (_, value) =>
        value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value,
      ),
    )
  const { sam, fay, fake } = await openSlackHarness({
    log: { info: write, warn: write, error: write, debug: write },
  })

  test('never holds a token, a response_url, or what people asked for', async () => {
    fake.fail(
      'response',
      { status: 500 },
      { status: 404, error: 'expired_url' },
      { status: 400, error: 'invalid_blocks' },
    )
    fake.fail('chat.postMessage', { status: 503 }, { status: 429, retryAfter: 1 }, { status: 0 })
    fake.fail('chat.update', { status: 200, error: 'message_not_found' })
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => sam.finds('Ada Lindqvist', general))
    await sam.types('/refund pay_1001 100', general)
    await fay.clicks('Approve', { on: await until(() => fay.finds('[Approve]', approvals)) })
    await until(() => sam.finds('Refunded'))
    const all = lines.join('\n')
    expect(all).not.toContain('xoxb-')
    expect(all).not.toContain('/response/')
    expect(all).not.toContain('ada@example.com')
    expect(all).not.toContain(fake.state.signingSecret)
    expect(lines.length).toBeGreaterThan(3)
  })

  test('names an error that JavaScript has with a payload, and quotes nothing of it', () => {
    const quoting =
      "Cannot use 'in' operator to search for 'action_id' in https://hooks.slack.com/response/R1"
    expect(slackErrorFields(new TypeError(quoting))).toEqual({ code: 'TypeError' })
    const bolts = Object.assign(new Error(quoting), { code: 'slack_bolt_unknown_error' })
    expect(slackErrorFields(bolts)).toEqual({ code: 'slack_bolt_unknown_error' })
  })
})
