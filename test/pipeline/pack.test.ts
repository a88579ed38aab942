import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { checkReceipt } from '../../verify.mjs'
import { textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { fileOf } from '../harness/receipt.ts'
import { buttonOf, type Harness, openHarness } from './harness.ts'

/** The files of an archive by its directory, each compared with its checksum. */
const unzip = (bytes: Buffer): Map<string, string> => {
  const files = new Map<string, string>()
  const end = bytes.length - 22
  expect(bytes.toString('latin1', end, end + 4)).toBe('PK\x05\x06')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, length, from] = [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + length)
    const content = bytes.subarray(from + 30 + length, from + 30 + length + size)
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16))
    files.set(name, content.toString('utf8'))
    at += 46 + length
  }
  return files
}

eachEngine('an audit pack', (engine) => {
  const packed = async (harness: Harness, line: string): Promise<Buffer> => {
    // The clock of the test jumps: nothing may have waited for its number meanwhile.
    await harness.app.drain()
    return fileOf(await harness.say(line, 'fay'))
  }
  const at = (ms: number) => new Date(ms).toISOString()

  it('holds the changes of a period with receipts, exceptions and policies, and is the same bytes again once the period is over', async () => {
    const clock = { now: Date.UTC(2026, 9, 31, 23, 50) }
    const harness = await openHarness({
      engine,
      tasks: false,
      now: () => clock.now,
      settings: { retries: 0 },
    })
    const early = await harness.ask(`refund ${harness.payment()} 60`)
    clock.now = Date.UTC(2026, 10, 1, 0, 5)
    await harness.click('approve', early, 'fay')
    harness.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const lost = await harness.click('confirm', await harness.ask(`refund ${harness.payment()} 20`))
    expect(lost.state).toBe('unknown')
    await harness.click('happened', lost, 'finn', 'the bank says so')
    await harness.ask('freeze billing --reason audit', 'fay')
    clock.now = Date.UTC(2026, 10, 20)
    await harness.say('subscriber get ada@example.com', 'fay')
    const { origin } = await harness.store.auditTree.state()
    const key = harness.app.core.signer.key(origin)
    const line = `audit pack --since 2026-11-01 --until 2026-11-30`
    const unfinished = unzip(await packed(harness, line))
    expect(unfinished.get('README.txt')).toContain(
      'made at 2026-11-20T00:00:00.000Z, while the period went on',
    )
    expect(unfinished.get('README.txt')).not.toContain('up to')
    expect(unfinished.get(`receipts/receipt-${early.id}.html`)).toContain(
      'Receipt of 2026-11-20T00:00:00.000Z.',
    )
    expect(textOf(await harness.say(line, 'fay'))).toContain('The period is not over')
    clock.now = Date.UTC(2026, 11, 1, 0, 5)
    // A replica whose clock is behind may still write into it.
    expect(textOf(await harness.say(line, 'fay'))).toContain('The period is not over')
    clock.now = Date.UTC(2026, 11, 1, 0, 10)
    expect(textOf(await harness.say(line, 'fay'))).toContain('it gives the same file whenever it is made')
    const first = await packed(harness, line)
    const second = await packed(harness, line)
    expect(second.equals(first)).toBe(true)
    clock.now = Date.UTC(2026, 11, 20)
    await harness.click('confirm', await harness.ask('unfreeze billing', 'fay'), 'fay')
    await harness.click('confirm', await harness.ask(`refund ${harness.payment()} 21`))
    expect((await packed(harness, line)).equals(first)).toBe(true)

    const files = unzip(first)
    const json = (name: string) => JSON.parse(files.get(name) ?? 'null')
    const stateOf = ({ id }: { id: string }) =>
      json('changes.json').find((change: { id: string }) => change.id === id)?.state
    expect([stateOf(early), stateOf(lost)]).toEqual(['applied', 'applied'])
    const kinds = json('exceptions.json').map(
      ({ kind, who }: { kind: string; who: string }) => `${kind} by ${who}`,
    )
    expect(kinds).toContain('unknown by bellhop')
    expect(kinds).toContain('resolved by finn')
    expect(json('exceptions.json').some(({ command }: { command: string }) => command === 'freeze')).toBe(
      true,
    )
    expect(json('verification.json')).toMatchObject({ ok: true, keys: [key] })
    expect(json('policies.json').digests).toContain(harness.app.core.policy.digest)
    expect(files.get('entries.jsonl')).not.toContain('audit pack')
    const receipt = files.get(`receipts/receipt-${early.id}.html`) ?? ''
    const verdict = checkReceipt(receipt, key)
    expect(verdict.ok && verdict.entries.map(({ kind }) => kind)).toEqual([
      'asked',
      'approved',
      'claimed',
      'applied',
    ])
    expect(files.get('verify.mjs')).toBe(readFileSync('verify.mjs', 'utf8'))
    expect(files.get('README.txt')).toContain('from 2026-11-01T00:00:00.000Z up to 2026-12-01T00:00:00.000Z')
    const made = await harness.store.audit.find({ command: 'audit pack', limit: 9 })
    expect(made.map(({ who, kind }) => `${kind} by ${who}`)).toEqual(Array(7).fill('ran by fay'))
  })

  it('of a period in which nothing happened is empty, and one that ends before it begins is refused', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const files = unzip(await packed(harness, 'audit pack --since 2020-01-01 --until 2020-02-01'))
    expect(files.get('changes.json')).toBe('[]\n')
    expect(textOf(await harness.say('audit pack --since 2026-12-01 --until 2026-11-01', 'fay'))).toContain(
      'ends before it begins',
    )
    expect(textOf(await harness.say(`audit pack --until ${at(0).slice(0, 4)}`, 'fay'))).toContain(
      'Write a time such as',
    )
  })
})

it('a receipt says to whoever opens it what was asked, answered and changed, with both sums', async () => {
  const harness = await openHarness({ tasks: false })
  const pay = harness.payment()
  const { id } = await harness.ask(`refund ${pay} 120`)
  await harness.say(`approval ask ${id} --question "Which invoice <b>is</b> it?"`, 'fay')
  await harness.say(`approval answer ${id} --answer "INV-513"`, 'sam')
  await harness.say(`approval change ${id} --amount 62`, 'sam')
  await harness.click('approve', await harness.stored({ id }), 'fay')
  const reply = await harness.say(`approval receipt ${id}`, 'fay')
  const page = reply.kind === 'answer' ? String(reply.file?.content) : ''
  const rows = [...page.matchAll(/<tr>(.*)<\/tr>/g)].map(([, row = '']) =>
    row.split('</td>').map((cell) => cell.replace(/^<td>/, '')),
  )
  const said = Object.fromEntries(rows.map(([, , kind = '', , words = '']) => [kind, words]))
  expect(said).toMatchObject({
    asked: expect.stringMatching(new RegExp(`^120 USD\\. refund ${pay} 120`)),
    question: expect.stringContaining('Which invoice &#60;b&#62;is&#60;/b&#62; it?'),
    answer: 'INV-513',
    changed: expect.stringMatching(/^62 USD, in the place of 120 USD\. .*refund/i),
    applied: expect.stringContaining('Refunded 62'),
  })
})

it('a receipt is behind a button of a card that has ended, for whoever may see the change', async () => {
  const harness = await openHarness({ tasks: false })
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  const reply = await harness.press('approve', buttonOf(change), 'fay')
  expect(reply.kind === 'change' && reply.view.actions).toContainEqual({
    verb: 'receipt',
    id: buttonOf(change),
  })
  for (const person of ['sam', 'fay']) {
    const given = await harness.press('receipt', buttonOf(change), person)
    if (given.kind !== 'answer' || given.file === undefined) throw new Error(textOf(given))
    expect(given.file.name).toBe(`receipt-${change.id}.html`)
    const { origin } = await harness.store.auditTree.state()
    const key = harness.app.core.signer.key(origin)
    expect(checkReceipt(given.file.content, key)).toMatchObject({ ok: true, whose: 'yours' })
  }
  expect(await harness.press('receipt', buttonOf(change), 'kim')).toMatchObject({
    kind: 'refused',
    refusal: { code: 'may_not_run' },
  })
  expect(await harness.press('receipt', 'nothing', 'sam')).toMatchObject({
    kind: 'refused',
    refusal: { code: 'no_such_change' },
  })
})
