import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { discard } from '../../src/kernel/messenger/spool.ts'
import { allWarnings } from '../../src/kernel/model/warning.ts'
import { createLog } from '../../src/lib/log.ts'
import { textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { openHarness } from './harness.ts'

eachEngine('the audit log of a change', (engine) => {
  it('has every step before its effect: who, from where, what, digest, rule and outcome', async () => {
    const seen: string[] = []
    const harness = await openHarness({ engine, tasks: false })
    const change = await harness.ask(`refund ${harness.payment()} 60 --description "charged twice"`)
    await harness.click('approve', change, 'fay')
    const entries = (await harness.store.audit.find({ changeId: change.id, limit: 10 })).reverse()
    expect(entries.map(({ kind, who }) => `${kind} by ${who}`)).toEqual([
      'asked by sam',
      'approved by fay',
      'claimed by bellhop',
      'applied by bellhop',
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({ command: 'refund', doc: { digest: change.digest, rule: 'refund' } })
      seen.push(entry.platform)
    }
    expect(seen).toEqual(['terminal', 'terminal', 'bellhop', 'bellhop'])
    expect(entries[0]?.doc).toMatchObject({
      line: change.line,
      account: 'sam',
      roles: ['support'],
      channel: null,
      plan: change.plan,
      names: ['refund'],
      area: 'billing',
      clauses: change.clauses,
      amount: 60,
      warnings: allWarnings(change),
    })
    expect(entries[1]?.doc).toMatchObject({ account: 'fay' })
    expect(entries[3]?.doc).toMatchObject({ message: expect.stringContaining('Refunded') })
    const claimed = entries[2]?.at ?? Number.POSITIVE_INFINITY
    expect(claimed).toBeLessThanOrEqual(harness.effects('refundPayment')[0]?.at ?? 0)
  })

  it('stops the effect when it cannot be written', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const { audit } = harness.store
    const tx = harness.store.tx
    harness.store.tx = (work) =>
      tx((inner) =>
        work({ ...inner, audit: { ...inner.audit, append: () => Promise.reject(new Error('no room')) } }),
      )
    const reply = await harness.press('approve', change.id, 'fay')
    harness.store.tx = tx
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'broken' } })
    expect(harness.effects()).toEqual([])
    expect((await harness.stored(change)).state).toBe('pending')
    expect(await audit.find({ changeId: change.id, limit: 5 })).toHaveLength(1)
  })
})

it('secrets are neither in the logs nor in the audit log', async () => {
  const written: string[] = []
  const log = createLog('trace', { write: (line) => void written.push(line) })
  const harness = await openHarness({ tasks: false, log, settings: { retries: 0, writeDeadlineMs: 2_000 } })
  const { email, chat, billing } = harness.sandbox
  await harness.say('subscriber get ada@example.com')
  for (const kind of ['drop_after', 'garbage', 'hang_after'] as const) {
    harness.sandbox.fault({ row: 'refundPayment', kind })
    await harness.click('confirm', await harness.ask(`refund ${harness.payment()} 20`))
  }
  harness.sandbox.fault({ row: 'refundPayment', kind: 'status', status: 401 })
  await harness.click('confirm', await harness.ask(`refund ${harness.payment()} 20`))
  const entries: string[] = []
  for await (const entry of harness.store.audit.stream({})) entries.push(JSON.stringify(entry))
  expect(written.join('')).toContain('refundPayment')
  expect(entries.length).toBeGreaterThan(10)
  const told = [...written, ...entries].join('\n')
  for (const secret of [email.apiKey, chat.apiKey, billing.apiKey, billing.secretKey]) {
    expect(secret.length).toBeGreaterThan(5)
    expect(told).not.toContain(secret)
    expect(told).not.toContain(Buffer.from(`${billing.apiKey}:${billing.secretKey}`).toString('base64'))
  }
  expect(told.toLowerCase()).not.toContain('authorization')
})

it('people are found in it by their id, their name or their account', async () => {
  const harness = await openHarness({ tasks: false })
  await harness.ask(`refund ${harness.payment()} 60`)
  const found = async (who: string) =>
    textOf(await harness.say(`audit find --who "${who}" --command refund`, 'fay'))
  const byId = await found('sam')
  expect(byId).toContain('asked')
  const { name, accounts } = harness.app.core.policy.people.find(({ id }) => id === 'sam') ?? {}
  for (const word of [name, name?.toUpperCase(), accounts?.slack].flatMap((one) => one ?? [])) {
    expect(await found(word)).toContain('asked')
  }
  expect(await found('nobody')).toContain('No entry matches')
})

it('all of it is handed over as a file, however much there is', async () => {
  const harness = await openHarness({ tasks: false })
  const entry = {
    kind: 'ran',
    who: 'sam',
    name: 'Sam',
    platform: 'terminal',
    command: 'refund',
    changeId: null,
  }
  for (let n = 0; n < 40; n++) {
    await harness.store.audit.append({ ...entry, doc: { line: 'x'.repeat(250_000) } })
  }
  const reply = await harness.say('audit export --who Sam', 'fay')
  if (reply.kind !== 'answer' || reply.file?.path === undefined) throw new Error('no file on disk came')
  expect(readFileSync(reply.file.path, 'utf8').trimEnd().split('\n')).toHaveLength(40)
  await discard(reply.file)
})

it('verification goes on where the last one ended, if it is asked to', async () => {
  const harness = await openHarness({ tasks: false })
  const verified = async (line: string) => textOf(await harness.say(line, 'fay'))
  await harness.say('subscriber get ada@example.com', 'fay')
  await harness.app.drain()
  expect(await verified('audit verify --since')).not.toContain('Checked from')
  await harness.app.drain()
  expect(await verified('audit verify --since')).toContain('Checked from')
  expect(await verified('audit verify')).not.toContain('Checked from')
  expect(await verified('audit verify --since 7d')).not.toContain('Checked from')
  expect(await verified('audit verify --since whenever')).toContain('Write last, or a time')
})
