import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { settleRestored } from '../../src/cli/backup/settle.ts'
import { newSigner } from '../../src/kernel/log/signer.ts'
import type { Result } from '../../src/lib/result.ts'
import { checkReceipt, sayAbout } from '../../verify.mjs'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { createAuthenticator } from '../harness/authenticator.ts'
import { eachEngine } from '../harness/database.ts'
import { fileOf, proofIn, withProof } from '../harness/receipt.ts'
import { buttonOf, changeOf, openHarness, refusalOf } from './harness.ts'

const site = 'https://bellhop.example.com'
const policy = `version: 1
unseen: pass
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
  - { id: ada, name: Ada, slack: U0ADA, roles: [finance, support] }
groups:
  slack: { S0SUP: [support], S0FIN: [finance] }
roles:
  support: { run: [refund, "subscriber update", "approval *", "addon *", upgrade] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
approvals: { slack: C0APPROVALS }
administrators: [ada]
policies:
  - name: large
    commands: [refund]
    require: [{ approvals: 2, from: [finance] }, { approvals: 1, from: [finance], sign: passkey }]
emergency: { from: [support], commands: [refund, subscriber update], upTo: 500, for: 30m }
`

const good = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}

eachEngine('passkeys', (engine) => {
  const open = async () => {
    let clock = Date.parse('2026-05-04T10:00:00Z')
    const signer = newSigner()
    const vouchesFor = (platform: string) => platform !== 'terminal'
    const harness = await openHarness({ engine, policy, signer, now: () => clock, vouchesFor, tasks: false })
    const { app, store } = harness
    const slack = createFakeMessenger('slack')
    app.join(slack)
    const { passkeys } = app.bot
    passkeys.openAt(() => site)
    const say = (line: string, person: string) =>
      harness.handle({ from: fromOf(`U0${person.toUpperCase()}`, 'slack'), intent: { kind: 'line', line } })
    /** Decides by a line about what they have read. */
    const decides = async (line: string, person: string) => {
      await say(line.replace(/^approval \w+ (\w+).*/, 'approval get $1'), person)
      return say(line, person)
    }
    /** What is signed says by itself which version it is for. */
    const press = async (verb: 'approve' | 'confirm', id: string, person: string, assertion?: object) => {
      const button = assertion === undefined ? buttonOf(await harness.stored({ id })) : id
      return harness.handle({
        from: fromOf(`U0${person.toUpperCase()}`, 'slack'),
        intent: { kind: 'press', verb, id: button, ...(assertion && { assertion: assertion as never }) },
      })
    }
    /** Makes a key by a link and has it approved, as people do. */
    const enrol = async (person: string, approver: string, name = 'Laptop') => {
      const device = createAuthenticator(site)
      const [, link = ''] = /#([\w-]{43})/.exec(textOf(await say('bellhop passkey', person))) ?? []
      const { options } = good(await passkeys.begin(link))
      const { key } = good(await passkeys.keep(link, name, device.make(options)))
      const asked = changeOf(await say(`bellhop passkey --key ${key}`, person))
      await press('approve', asked.id, approver)
      return { ...device, enrolment: asked.id }
    }
    const toSign = async (person: string, id: string) =>
      good(await passkeys.toSign(person, await harness.stored({ id })))
    return {
      ...harness,
      store,
      signer,
      slack,
      passkeys,
      say,
      decides,
      press,
      enrol,
      toSign,
      later: (ms: number) => {
        clock += ms
      },
      now: () => clock,
    }
  }

  it('sign a vote once, however often and by however many it is sent, and are kept where anybody can check them', async () => {
    const { say, press, enrol, toSign, stored, payment, store, signer, passkeys, later } = await open()
    const device = await enrol('fay', 'finn')
    const { id } = changeOf(await say(`refund ${payment()} 900`, 'sam'))
    // Who is asked to sign does not decide by a press; who is not may.
    expect(refusalOf(await press('approve', id, 'finn'))).toMatchObject({
      code: 'needs_passkey',
      next: expect.stringContaining('You have no passkey yet'),
    })
    expect(refusalOf(await press('approve', id, 'fay'))).toMatchObject({
      url: `${site}/console/sign?change=${id}`,
    })
    const assertion = device.sign(await toSign('fay', id))
    const replies = await Promise.all(Array.from({ length: 5 }, () => press('approve', id, 'fay', assertion)))
    expect(replies.filter(({ kind }) => kind === 'change')).toHaveLength(1)
    const others = replies.flatMap((reply) => (reply.kind === 'refused' ? reply.refusal.code : []))
    expect(others).toEqual(Array.from({ length: 4 }, () => 'bad_signature'))
    expect((await stored({ id })).votes).toHaveLength(1)
    // It was made with the first count and signed with the second: a copy of it that counts anew is found.
    expect((await store.passkeys.get(device.id))?.counter).toBe(2)
    // A signature that does not count is no press either, though a press would do.
    expect(refusalOf(await press('approve', id, 'finn', assertion)).code).toBe('bad_signature')
    const done = changeOf(await press('approve', id, 'finn'))
    expect(done.state).toBe('applied')

    later(1_000)
    const receipt = String(await fileOf(await say(`approval receipt ${id}`, 'fay')))
    const proof = proofIn(receipt)
    const page = (of: typeof proof) => withProof(receipt, of, signer)
    expect(checkReceipt(receipt, proof.key)).toMatchObject({ ok: true, whose: 'yours' })
    expect(proof.enrolments?.some(({ leaf }) => leaf.includes(device.id))).toBe(true)
    // Whoever has the key of the log can write a page that leaves things out, and is found all the same.
    const { enrolments: _, ...without } = proof
    const vote = proof.entries.find(({ leaf }) => leaf.includes('"signed"'))
    expect(checkReceipt(page(without), proof.key)).toEqual({
      ok: false,
      problem: `Entry ${vote?.seq}, the signature of Fay: nothing here shows that the key was enrolled.`,
    })
    const unsigned = { ...proof, entries: proof.entries.filter((one) => one !== vote) }
    expect(checkReceipt(page(unsigned), proof.key)).toEqual({
      ok: false,
      problem: expect.stringMatching(/^Entry \d+: it ran without the signatures that were asked for\.$/),
    })

    const pack = await fileOf(await say('audit pack', 'fay'))
    // It says of each decision whether it was signed, and with whose approved key.
    const signedBy = `${vote?.seq}  ${id}: approved by Fay, signed with the passkey "Laptop" (${device.id}), which Finn approved in ${device.enrolment}`
    expect(sayAbout(pack, proof.key)).toEqual([expect.stringContaining(signedBy), 0])
    expect(sayAbout(Buffer.from(receipt), proof.key)[0]).toContain(signedBy)
    const at = pack.indexOf('clientDataJSON\\":\\"', pack.indexOf(`receipts/receipt-${id}`)) + 40
    pack[at] = pack[at] === 65 ? 66 : 65
    const [words, code] = sayAbout(pack, proof.key)
    expect(code).toBe(1)
    expect(words).toBe(`NOT VALID. receipts/receipt-${id}.html is not as it was written.`)

    // And it signs its person in, once.
    const wish = device.sign(good(await passkeys.toSignIn()))
    const session = good(await passkeys.signIn(wish))
    expect(await store.sessions.of('fay')).toMatchObject([{ via: 'passkey' }])
    expect(session.secret).toHaveLength(43)
    expect(await passkeys.signIn(wish)).toMatchObject({ ok: false, refusal: { code: 'bad_signature' } })
    const elsewhere = device.sign(good(await passkeys.toSignIn()), { origin: 'https://evil.example' })
    expect(await passkeys.signIn(elsewhere)).toMatchObject({ ok: false, refusal: { code: 'bad_signature' } })
  })

  it.each([
    ['made at another site', { origin: 'https://evil.example' }],
    ['for another name', { rpId: 'evil.example' }],
    ['made by a device that asked nobody', { flags: 0x01 }],
  ])('are not taken in where they were %s', async (_, how) => {
    const { say, passkeys, store } = await open()
    const [, link = ''] = /#([\w-]{43})/.exec(textOf(await say('bellhop passkey', 'fay'))) ?? []
    const { options } = good(await passkeys.begin(link))
    const made = createAuthenticator(site).make(options, how)
    expect(await passkeys.keep(link, 'Laptop', made)).toMatchObject({
      ok: false,
      refusal: { code: 'bad_signature', message: expect.stringContaining('cannot be taken in') },
    })
    expect(await store.passkeys.get(made.id)).toBeUndefined()
    // The link is still good for who makes it rightly.
    expect(await passkeys.begin(link)).toMatchObject({ ok: true })
  })

  it('let one person do alone what two would do, loudly, once, until somebody else has looked at it', async () => {
    const { say, decides, press, enrol, toSign, stored, payment, store, slack, app, later } = await open()
    const refund = (sum: number, more = '--emergency "The chargeback is due tonight"') =>
      say(`refund ${payment()} ${sum} ${more}`, 'sam')
    expect(refusalOf(await refund(300))).toMatchObject({ code: 'no_passkey' })
    const device = await enrol('sam', 'fay')
    expect(refusalOf(await refund(501)).message).toContain('it is for amounts up to 500, and this is 501')
    expect(refusalOf(await refund(300, '--emergency " "')).code).toBe('needs_reason')
    for (const more of ['--at "in 2h"', '--also fay'])
      expect(refusalOf(await refund(300, `--emergency "why not" ${more}`))).toMatchObject({
        message: 'An emergency is done now, and asks nobody else.',
      })
    expect(refusalOf(await say(`refund ${payment()} 20 --emergency "I want to"`, 'fay')).message).toContain(
      'it is for support',
    )
    // Who could do it alone, and does not say so, asks the others as ever.
    expect(changeOf(await refund(300, ''))).toMatchObject({
      rule: 'large',
      clauses: [{ kind: 'approvals' }, { kind: 'approvals' }],
    })
    const asked = changeOf(await refund(301))
    expect(asked).toMatchObject({
      rule: 'emergency',
      clauses: [{ kind: 'confirm', sign: 'passkey' }],
      emergency: { why: 'The chargeback is due tonight' },
      line: expect.stringContaining('--emergency "The chargeback is due tonight"'),
    })
    expect(refusalOf(await press('confirm', asked.id, 'sam')).code).toBe('needs_passkey')
    const other = changeOf(await refund(40))
    const done = changeOf(await press('confirm', asked.id, 'sam', device.sign(await toSign('sam', asked.id))))
    expect(done.state).toBe('applied')

    await app.drain()
    const channel = slack.shown('C0APPROVALS').join('\n')
    expect(channel).toContain('EMERGENCY: Sam does something alone')
    expect(channel).toContain('The chargeback is due tonight')
    expect(slack.shown('U0ADA').join('\n')).toContain('EMERGENCY: Sam does something alone')

    // Until it is reviewed there is no next, neither asked for nor signed. What others approve goes on as ever.
    expect(refusalOf(await refund(20)).message).toContain('has not been reviewed yet')
    expect(changeOf(await refund(20, ''))).toMatchObject({ state: 'pending', rule: 'large' })
    const late = await press('confirm', other.id, 'sam', device.sign(await toSign('sam', other.id)))
    expect(refusalOf(late).message).toContain('has not been reviewed yet')
    expect(changeOf(await say(`approval cancel ${other.id}`, 'sam')).state).toBe('cancelled')
    later(24 * 3_600_000)
    await app.drain()
    expect(slack.shown('U0ADA').join('\n')).toContain('was not reviewed within a day')
    expect(refusalOf(await decides(`approval review ${asked.id} --reason fine`, 'sam')).code).toBe(
      'own_request',
    )
    expect(await store.emergencies.open()).toMatchObject([{ changeId: asked.id }])
    expect(
      changeOf(await decides(`approval review ${asked.id} --reason "It was due"`, 'finn')),
    ).toMatchObject({
      state: 'applied',
      emergency: { reviewed: { by: { person: 'finn' }, reason: 'It was due' } },
    })
    expect(await store.emergencies.open()).toEqual([])
    expect((await store.audit.find({ changeId: asked.id, limit: 50 })).map(({ kind }) => kind)).toContain(
      'reviewed',
    )
    expect((await stored(asked)).votes).toHaveLength(1)

    // One that was reviewed in time is told of once.
    const next = changeOf(await refund(20))
    expect(next.emergency).toBeDefined()
    await press('confirm', next.id, 'sam', device.sign(await toSign('sam', next.id)))
    await decides(`approval review ${next.id} --reason "It was due"`, 'finn')
    later(25 * 3_600_000)
    await app.drain()
    const overdue = slack.shown('U0ADA').filter((text) => text.includes('was not reviewed within a day'))
    expect(overdue).toHaveLength(1)
  })

  it('have what one person did alone reviewed also where somebody else has said what became of it', async () => {
    const { say, decides, press, enrol, toSign, payment, store, sandbox } = await open()
    const device = await enrol('sam', 'fay')
    const { id } = changeOf(await say(`refund ${payment()} 30 --emergency "It burns"`, 'sam'))
    sandbox.fault({ row: 'refundPayment', kind: 'status', status: 500 })
    const done = changeOf(await press('confirm', id, 'sam', device.sign(await toSign('sam', id))))
    expect(done.state).toBe('unknown')
    await decides(`approval resolve ${id} --outcome happened --reason "It is in the dashboard"`, 'finn')
    expect(await store.emergencies.open()).toMatchObject([{ changeId: id }])
    await decides(`approval review ${id} --reason "It was due"`, 'finn')
    expect(await store.emergencies.open()).toEqual([])
  })

  it('end with a restore, and so does an emergency that waits for its review', async () => {
    const { say, press, enrol, toSign, payment, store, stored, app, slack, now, later } = await open()
    const device = await enrol('sam', 'fay')
    const asked = async () => changeOf(await say(`refund ${payment()} 30 --emergency "It burns"`, 'sam')).id
    const [used, waiting] = [await asked(), await asked()]
    await press('confirm', used, 'sam', device.sign(await toSign('sam', used)))
    const settled = await store.tx((inner) =>
      settleRestored(inner, { now, backupAt: now(), account: 'root', sha256: 'a'.repeat(64) }),
    )
    expect(settled.emergencies).toEqual([used])
    expect([await store.emergencies.open(), await store.passkeys.enrolled()]).toEqual([[], []])
    expect((await stored({ id: used })).emergency?.reviewed).toMatchObject({
      by: { person: 'bellhop' },
      reason: expect.stringContaining('was restored from a backup'),
    })
    expect((await stored({ id: waiting })).state).toBe('voided')
    // Nobody is told a day later of what somebody may have reviewed, and no key of before signs.
    later(25 * 3_600_000)
    await app.drain()
    expect(slack.shown('U0ADA').join('\n')).not.toContain('was not reviewed within a day')
    const again = await say(`refund ${payment()} 30 --customer cus_1001 --emergency "It burns"`, 'sam')
    expect(refusalOf(again).code).toBe('no_passkey')
  })

  it('let one of two people do something alone at the same moment', async () => {
    const { say, press, enrol, toSign, payment, store, stored } = await open()
    const presses: (() => ReturnType<typeof press>)[] = []
    // What is charged later stands beside what was charged before.
    const payments = [payment(), payment()]
    for (const [at, person] of (['sam', 'ada'] as const).entries()) {
      const device = await enrol(person, 'fay')
      const { id } = changeOf(await say(`refund ${payments[at]} 30 --emergency "It burns"`, person))
      const assertion = device.sign(await toSign(person, id))
      presses.push(() => press('confirm', id, person, assertion))
    }
    // Neither goes on before the other is as far as that; one after the other is how the embedded engine works anyway.
    const { tx } = store
    const both = Promise.withResolvers<void>()
    let here = 0
    const arrive = () => {
      if (++here === 2 || engine === 'sqlite') both.resolve()
    }
    store.tx = (work, durability) =>
      tx((inner) => {
        let isHere = false
        const come = () => {
          if (!isHere) arrive()
          isHere = true
        }
        const open = async () => {
          come()
          await both.promise
          return inner.emergencies.open()
        }
        const lock: typeof inner.lock = (names) => {
          if (names.alone?.includes('emergency')) come()
          return inner.lock(names)
        }
        return work({ ...inner, lock, emergencies: { ...inner.emergencies, open } })
      }, durability)
    const replies = await Promise.all(presses.map((one) => one()))
    expect(replies.filter(({ kind }) => kind === 'change')).toHaveLength(1)
    expect(replies.map((reply) => (reply.kind === 'refused' ? reply.refusal.message : ''))).toContainEqual(
      expect.stringContaining('has not been reviewed yet'),
    )
    const [used, ...more] = await store.emergencies.open()
    expect([more, (await stored({ id: used?.changeId ?? '' })).state]).toEqual([[], 'applied'])
  })

  it('let nobody do alone what nobody can tell to be theirs, or what asks others or waits', async () => {
    const { enrol, handle, payment } = await open()
    await enrol('sam', 'fay')
    const refund = async (
      more: string,
      from: Parameters<typeof handle>[0]['from'] = fromOf('U0SAM', 'slack'),
    ) => handle({ from, intent: { kind: 'line', line: `refund ${payment()} 30 --emergency ${more}` } })
    const nobodyKnows = 'Nobody can tell here who you are, so you do nothing alone.'
    const unlisted = { ...fromOf('U0NEW', 'slack'), groups: ['S0SUP'] }
    expect(refusalOf(await refund('"It burns"', unlisted)).message).toBe(nobodyKnows)
    expect(refusalOf(await refund('"It burns"', fromOf('sam'))).message).toBe(nobodyKnows)
    expect(refusalOf(await refund('"It burns" --also finn')).message).toContain('asks nobody else')
    expect(refusalOf(await refund('" so "')).code).toBe('needs_reason')
    expect(changeOf(await refund('" SOS "')).emergency).toEqual({ why: 'SOS' })
  })

  it('sign again what one person does alone and has changed meanwhile, and that is still one use', async () => {
    const { say, press, enrol, toSign, sandbox, stored, store } = await open()
    const device = await enrol('sam', 'fay')
    const { id } = changeOf(
      await say('subscriber update ada@example.com --tags-to-add loyal --emergency "It burns"', 'sam'),
    )
    const ada = sandbox.state.email.subscribers.find(({ email }) => email === 'ada@example.com')
    Object.assign(ada ?? {}, { tags: ['somebody-else'] })
    const sign = async () => press('confirm', id, 'sam', device.sign(await toSign('sam', id)))
    expect(changeOf(await sign())).toMatchObject({ state: 'pending', votes: [] })
    expect(changeOf(await sign())).toMatchObject({ state: 'applied' })
    expect(await store.emergencies.open()).toMatchObject([{ changeId: id }])

    // Of what waits for a review elsewhere, nothing is told but that it does.
    const elsewhere = await stored({ id })
    await store.emergencies.reviewed(id)
    const requester = { ...elsewhere.requester, space: 'slack:T2' }
    await store.changes.insert({ ...elsewhere, id: 'elsewhere', version: 1, requester })
    await store.emergencies.use({ changeId: 'elsewhere', person: 'sam', at: 0 })
    const refused = refusalOf(
      await say('subscriber update ada@example.com --company Acme --emergency "Again"', 'sam'),
    )
    expect(refused.message).toBe('The last emergency has not been reviewed yet, in another workspace.')
    expect(JSON.stringify(refused)).not.toContain('elsewhere')
  })

  it('sign nothing once they are removed, be it between the check and the vote', async () => {
    const { say, press, enrol, toSign, stored, payment, store, app, slack } = await open()
    const device = await enrol('fay', 'finn')
    const { id } = changeOf(await say(`refund ${payment()} 900`, 'sam'))
    await store.changes.swap({
      ...(await stored({ id })),
      version: 2,
      votes: [{ by: (await stored({ id })).requester, at: 0, digest: '' }],
    })
    const assertion = device.sign(await toSign('fay', id))
    // Whose groups count is asked after a signature was checked.
    const membership = async () => {
      await store.passkeys.remove(device.id)
      return []
    }
    app.join({ ...slack, membership })
    expect(refusalOf(await press('approve', id, 'fay', assertion))).toMatchObject({
      code: 'bad_signature',
      message: 'This signature was used before, or its passkey was removed.',
    })
    expect((await stored({ id })).votes).toMatchObject([{ by: { person: 'sam' } }])
  })

  it('are asked for so often and no more, and nobody pays for what another asked', async () => {
    const { passkeys, enrol, say, payment, stored, later } = await open()
    await enrol('fay', 'finn')
    await enrol('finn', 'fay')
    const change = await stored({ id: changeOf(await say(`refund ${payment()} 900`, 'sam')).id })
    const taken = async (many: number, ask: () => Promise<Result<unknown>>) => {
      const answers = []
      for (let at = 0; at < many; at++) answers.push(await ask())
      return answers.filter(({ ok }) => ok).length
    }
    later(60_001)
    expect(await taken(40, () => passkeys.toSign('fay', change))).toBe(30)
    expect((await passkeys.toSign('finn', change)).ok).toBe(true)
    later(60_001)
    expect((await passkeys.toSign('fay', change)).ok).toBe(true)
  })

  it('sign people in however often strangers ask, who take up nothing by it', async () => {
    const { passkeys, enrol, store, later } = await open()
    const device = await enrol('fay', 'finn')
    const taken = () => store.passkeys.prune(Number.MAX_SAFE_INTEGER, 0)
    await taken()
    for (let at = 0; at < 2_000; at++) expect((await passkeys.toSignIn()).ok).toBe(true)
    expect(await taken()).toBe(0)
    const wish = device.sign(good(await passkeys.toSignIn()))
    expect((await passkeys.signIn(wish)).ok).toBe(true)
    expect(await passkeys.signIn(wish)).toMatchObject({ refusal: { code: 'bad_signature' } })
    expect(await taken()).toBe(1)
    // What another wrote, and what is too old, is none of ours.
    const options = good(await passkeys.toSignIn()) as { challenge: string }
    const bytes = Buffer.from(options.challenge, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const other = Buffer.from(bytes)
      other[at] = (other[at] ?? 0) ^ 1
      const forged = device.sign({ ...options, challenge: other.toString('base64url') })
      expect(await passkeys.signIn(forged)).toMatchObject({ refusal: { code: 'bad_signature' } })
    }
    later(5 * 60_000)
    expect(await passkeys.signIn(device.sign(options))).toMatchObject({ refusal: { code: 'bad_signature' } })
    expect(await store.sessions.of('fay')).toHaveLength(1)
  })

  it('are removed by their number, whatever others call theirs', async () => {
    const { say, press, enrol, store } = await open()
    const stolen = await enrol('fay', 'finn')
    const number = createHash('sha256').update(stolen.id).digest('hex').slice(0, 8)
    // Called like the number, and like the id, of the one that is to go.
    const others = [await enrol('finn', 'fay', number), await enrol('finn', 'fay', stolen.id.slice(0, 60))]
    expect(changeOf(await say(`bellhop passkeys --remove ${number}`, 'fay'))).toMatchObject({
      state: 'applied',
      plan: { key: stolen.id, person: 'fay' },
    })
    expect(await store.passkeys.get(stolen.id)).toBeUndefined()
    // Nothing has that number now, so it is a name.
    const byName = changeOf(await say(`bellhop passkeys --remove ${number}`, 'fay'))
    expect(byName).toMatchObject({ state: 'pending', plan: { key: others[0]?.id, person: 'finn' } })
    await press('approve', byName.id, 'finn')
    expect(await store.passkeys.enrolled()).toMatchObject([{ id: others[1]?.id }])
  })

  it('are refused in words where one with the same id is there, and the link stays good', async () => {
    const { say, passkeys, enrol, store } = await open()
    const device = await enrol('fay', 'finn')
    const [, link = ''] = /#([\w-]{43})/.exec(textOf(await say('bellhop passkey', 'finn'))) ?? []
    const { options } = good(await passkeys.begin(link))
    expect(await passkeys.keep(link, 'Copy', device.make(options))).toMatchObject({
      ok: false,
      refusal: { code: 'bad_signature', message: 'This passkey is known here already.' },
    })
    expect(await store.passkeys.get(device.id)).toMatchObject({ person: 'fay' })
    expect(await passkeys.begin(link)).toMatchObject({ ok: true })
  })
})
