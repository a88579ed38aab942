import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyHook } from '../../../src/features/hooks/verify.ts'
import type { HookSignature, ServiceHook } from '../../../src/lib/services/endpoints/hook.ts'

const now = Date.now()
const seconds = (at = now) => String(Math.floor(at / 1000))
const body = Buffer.from('{"id":"evt_1","type":"refund.updated"}')
const url = 'https://bot.example.com/hooks/shop'
const hookWith = (signs: ServiceHook['signs']): ServiceHook => ({
  secret: 'S',
  signs,
  type: 'type',
  events: {},
})
const verdictOf = (
  hook: ServiceHook,
  headers: Record<string, string>,
  { secrets = ['a secret of some length'], at = now, sent = body } = {},
) => {
  const verdict = verifyHook(hook, secrets, { headers, body: sent, url, now: at })
  return verdict.ok ? 'theirs' : verdict.fault
}
const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex', secret = 'a secret of some length') =>
  createHmac('sha256', secret).update(text).digest(encoding)

describe('an HMAC over the time and the body', () => {
  const signs: HookSignature = {
    header: 'Shop-Signature',
    part: 'v1',
    encoding: 'hex',
    over: '{time}.{body}',
    time: { part: 't' },
  }
  const signed = (at = now, secret?: string) =>
    `t=${seconds(at)},v0=nothing,v1=${hmac(`${seconds(at)}.${body}`, 'hex', secret)}`
  const hook = hookWith(signs)

  it('is theirs when it fits', () => {
    expect(verdictOf(hook, { 'shop-signature': signed() })).toBe('theirs')
  })
  it.each([
    ['without its header', {}, 'unsigned'],
    ['without its time', { 'shop-signature': `v1=${hmac(`.${body}`)}` }, 'unsigned'],
    ['by another secret', { 'shop-signature': signed(now, 'another secret, no better') }, 'forged'],
    [
      'with a time that was changed',
      { 'shop-signature': signed().replace(/t=\d+/, `t=${seconds(now + 1_000)}`) },
      'forged',
    ],
    ['cut short', { 'shop-signature': signed().slice(0, -2) }, 'forged'],
    ['from long ago', { 'shop-signature': signed(now - 301_000) }, 'stale'],
    ['from a time to come', { 'shop-signature': signed(now + 301_000) }, 'future'],
  ])('is refused %s', (_, headers, fault) => {
    expect(verdictOf(hook, headers)).toBe(fault)
  })
  it('is refused over another body', () => {
    expect(verdictOf(hook, { 'shop-signature': signed() }, { sent: Buffer.from('{}') })).toBe('forged')
  })
  it('is theirs by the old secret and by the new one, while both hold', () => {
    const secrets = ['a secret of some length', 'the secret that follows it']
    for (const secret of secrets)
      expect(verdictOf(hook, { 'shop-signature': signed(now, secret) }, { secrets })).toBe('theirs')
    expect(
      verdictOf(hook, { 'shop-signature': signed(now, secrets[0]) }, { secrets: secrets.slice(1) }),
    ).toBe('forged')
  })
  it('may be older where its service says so', () => {
    const patient = { ...hook, toleranceMs: 3_600_000 }
    expect(verdictOf(patient, { 'shop-signature': signed(now - 1_800_000) })).toBe('theirs')
  })
})

it('an HMAC over the address and the body, as text in a header of its own', () => {
  const hook = hookWith({ header: 'x-signature', prefix: 'sha256=', encoding: 'base64', over: '{url}{body}' })
  const signature = hmac(`${url}${body}`, 'base64')
  expect(verdictOf(hook, { 'x-signature': `sha256=${signature}` })).toBe('theirs')
  expect(verdictOf(hook, { 'x-signature': signature })).toBe('forged')
})

it('a Standard Webhook, by any of the secrets', () => {
  const secrets = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
  for (const secret of secrets) {
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': seconds(),
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), body.toString()),
    }
    const hook = hookWith('standard')
    expect(verdictOf(hook, headers, { secrets })).toBe('theirs')
    expect(verdictOf(hook, { ...headers, 'webhook-id': 'msg_2' }, { secrets })).toBe('forged')
    expect(verdictOf(hook, { ...headers, 'webhook-signature': '' }, { secrets })).toBe('unsigned')
    expect(verdictOf(hook, headers, { secrets, at: now + 301_000 })).toBe('stale')
  }
})
