import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  checkSignature,
  createPasskeys,
  offerPasskeyLink,
  whereToSign,
} from '../../../src/kernel/actors/passkeys.ts'
import type { MadeKey } from '../../../src/kernel/model/passkey.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import type { Result } from '../../../src/lib/result.ts'
import { refusal } from '../../../src/lib/view/refusals.ts'
import { changeIn } from '../../approvals/sample.ts'
import { createAuthenticator } from '../../harness/authenticator.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { policyOf } from '../../policy/example.ts'
import { useStore } from '../../storage/store.ts'

const policy = policyOf(`version: 1
people:
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: gil, name: Gil, slack: U0GIL, roles: [finance] }
roles:
  finance: { approve: ["*"] }
`)
const minute = 60_000
const use = useStore('sqlite')

const site = 'https://bellhop.example'

const openPasskeys = async ({ origin = site }: { origin?: string | null } = {}) => {
  for (const table of ['passkeys', 'passkey_challenges', 'sign_ins'])
    await use.test.db.run(`DELETE FROM ${table}`)
  let { tx } = use.store
  const core = {
    store: { ...use.store, tx: (...given: Parameters<Store['tx']>) => tx(...given) },
    policy,
    signer: use.signer,
    now: () => use.clock.now,
    ticks: ticksOf(() => use.clock.now),
    newId: randomUUID,
    messengers: new Map([['slack', {}]]),
    passkeyPlace: origin === null ? {} : { origin: () => origin },
  } as never
  const link = async (over: object = {}) => {
    const given = await offerPasskeyLink(core, {
      person: 'fay',
      platform: 'slack',
      known: true,
      ...over,
    } as never)
    return given.ok ? given.value : given.refusal.code
  }
  const enrol = async (id: string, person: string) => {
    const made = { id, person, name: id, publicKey: 'k', counter: 0, isCopied: false, madeAt: 1 }
    await use.store.passkeys.add(made)
    await use.store.passkeys.enrol(id, { changeId: `of ${id}`, approvedBy: 'Gil', at: 2 })
  }
  const passkeys = createPasskeys(core)
  /** A link of somebody's, and what their device answers to what is asked behind it. */
  const begun = async (person: string, device = createAuthenticator(site)) => {
    const secret = secretOf(await link({ person }))
    const { options } = good(await passkeys.begin(secret))
    return { secret, device, options, made: device.make(options) }
  }
  /** From now on two look before either of them writes, as on two replicas. */
  const atOnce = () => {
    tx = inPairs()
  }
  return { core, passkeys, link, enrol, begun, atOnce }
}
const good = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}
const inPairs = (): Store['tx'] => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let there = 0
  return async (work, durability) => {
    there += 1
    if (there === 2) resolve()
    await promise
    return use.store.tx(work, durability)
  }
}
const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.refusal.code)
const secretOf = (link: string) => link.split('#')[1] ?? ''

it('a link to make one is for whom a messenger vouches and the file lists, where there is a page', async () => {
  const { link } = await openPasskeys()
  expect(await link()).toMatch(/^https:\/\/bellhop\.example\/console\/passkey#[\w-]{20,}$/)
  expect(await link({ platform: 'terminal' })).toBe('not_allowed_now')
  expect(await link({ known: false })).toBe('stranger')
  const nowhere = await openPasskeys({ origin: null })
  expect(await nowhere.link()).toBe('not_allowed_now')
})

it('a link lasts fifteen minutes, for its person and those whom the file still lists', async () => {
  const { passkeys, link, enrol } = await openPasskeys()
  await enrol('old', 'fay')
  await enrol('others', 'gil')
  const secret = secretOf(await link())
  use.clock.now += 15 * minute - 1
  const begun = await passkeys.begin(secret)
  expect(begun).toMatchObject({
    ok: true,
    value: {
      person: 'Fay',
      options: { rp: { id: 'bellhop.example' }, excludeCredentials: [{ id: 'old' }], timeout: 5 * minute },
    },
  })
  use.clock.now += 1
  expect(codeOf(await passkeys.begin(secret))).toBe('not_allowed_now')
  expect(codeOf(await passkeys.begin('words'))).toBe('not_allowed_now')
  expect(codeOf(await passkeys.begin(secretOf(await link({ person: 'gone' }))))).toBe('not_allowed_now')
})

it('what a browser is asked is asked thirty times a minute of one person; of those who say nothing it is asked always, and nothing kept', async () => {
  const { passkeys, link, enrol } = await openPasskeys()
  const secret = secretOf(await link())
  for (let n = 0; n < 30; n++) expect(codeOf(await passkeys.begin(secret))).toBe('ok')
  use.clock.now += 1_500
  expect(await passkeys.begin(secret)).toMatchObject({
    refusal: { code: 'too_many_calls', next: 'Try again in 59 seconds.' },
  })
  await enrol('ofgil', 'gil')
  const change = changeIn('pending')
  expect(codeOf(await passkeys.toSign('gil', change))).toBe('ok')
  const kept = () => use.test.db.all(z.unknown(), 'SELECT * FROM passkey_challenges')
  const before = await kept()
  for (let n = 0; n < 400; n++) expect(codeOf(await passkeys.toSignIn())).toBe('ok')
  expect(await kept()).toEqual(before)
  use.clock.now += minute
  expect(codeOf(await passkeys.begin(secret))).toBe('ok')
})

it('signing is asked of who has a key, with their keys alone, and signing in is offered where somebody has one', async () => {
  const { passkeys, enrol } = await openPasskeys()
  const change = changeIn('pending')
  expect([await passkeys.isOffered(), codeOf(await passkeys.toSign('fay', change))]).toEqual([
    false,
    'no_passkey',
  ])
  await enrol('one', 'fay')
  await enrol('two', 'gil')
  expect(await passkeys.isOffered()).toBe(true)
  expect(await passkeys.toSign('fay', change)).toMatchObject({
    value: { allowCredentials: [{ id: 'one' }], rpId: 'bellhop.example', userVerification: 'required' },
  })
  const nowhere = await openPasskeys({ origin: null })
  await nowhere.enrol('one', 'fay')
  expect(await nowhere.passkeys.isOffered()).toBe(false)
  for (const asked of [nowhere.passkeys.toSign('fay', change), nowhere.passkeys.toSignIn()])
    expect(codeOf(await asked)).toBe('not_allowed_now')
})

it('a press that does not count is told where to sign, and what to do first', async () => {
  const refused = refusal('bad_signature', 'It needs a signature.')
  const { core, enrol } = await openPasskeys()
  const url = 'https://bellhop.example/console/sign?change=c1'
  expect(await whereToSign(core, { person: 'fay' }, 'c1', refused)).toMatchObject({
    url,
    next: expect.stringContaining('You have no passkey yet'),
  })
  await enrol('one', 'fay')
  expect(await whereToSign(core, { person: 'fay' }, 'c1', refused)).toMatchObject({
    url,
    next: 'Sign it on that page, with your passkey.',
  })
  const nowhere = await openPasskeys({ origin: null })
  const told = await whereToSign(nowhere.core, { person: 'fay' }, 'c1', refused)
  expect(told).toMatchObject({ next: expect.stringContaining('CONSOLE=on') })
  expect(told).not.toHaveProperty('url')
})

it('a key is kept only in answer to what was asked of its person', async () => {
  const { passkeys, begun } = await openPasskeys()
  const [ofFay, ofGil] = [await begun('fay'), await begun('gil')]
  const elsewhere = createAuthenticator(site)
  const unasked = elsewhere.make({ challenge: Buffer.alloc(32, 7).toString('base64url') })
  for (const made of [ofGil.made, unasked])
    expect(codeOf(await passkeys.keep(ofFay.secret, 'Laptop', made))).toBe('bad_signature')
  expect(await use.store.passkeys.get(ofGil.device.id)).toBeUndefined()
  expect(good(await passkeys.keep(ofFay.secret, 'Laptop', ofFay.made))).toEqual({
    person: 'fay',
    key: ofFay.device.id,
  })
  expect(await use.store.passkeys.get(ofFay.device.id)).toMatchObject({ person: 'fay', changeId: null })
})

it('a link makes one key, and so does what was asked behind it, also of two who answer at once', async () => {
  const kept = async (
    answers: (open: Awaited<ReturnType<typeof openPasskeys>>) => Promise<{ secret: string; made: MadeKey }[]>,
  ) => {
    const open = await openPasskeys()
    const both = await answers(open)
    open.atOnce()
    const codes = await Promise.all(
      both.map(async ({ secret, made }) => codeOf(await open.passkeys.keep(secret, 'Laptop', made))),
    )
    const keys = await Promise.all(both.map(({ made }) => use.store.passkeys.get(made.id)))
    return [codes.sort(), keys.filter((key) => key !== undefined).length]
  }
  const once = [['not_allowed_now', 'ok'], 1]
  const sameLink = await kept(async ({ passkeys, begun }) => {
    const first = await begun('fay')
    const { options } = good(await passkeys.begin(first.secret))
    return [first, { secret: first.secret, made: createAuthenticator(site).make(options) }]
  })
  expect(sameLink).toEqual(once)
  const sameChallenge = await kept(async ({ begun }) => {
    const [first, second] = [await begun('fay'), await begun('fay')]
    return [first, { secret: second.secret, made: second.device.make(first.options) }]
  })
  expect(sameChallenge).toEqual(once)
})

it('a key signs its person in when it is enrolled, and once for each time that is asked', async () => {
  const { passkeys, begun, atOnce } = await openPasskeys()
  const { secret, device, made } = await begun('fay')
  good(await passkeys.keep(secret, 'Laptop', made))
  const wish = device.sign(good(await passkeys.toSignIn()))
  expect(codeOf(await passkeys.signIn(wish))).toBe('no_passkey')
  await use.store.passkeys.enrol(device.id, { changeId: 'c1', approvedBy: 'Gil', at: 2 })
  atOnce()
  const both = await Promise.all([passkeys.signIn(wish), passkeys.signIn(wish)])
  expect(both.map(codeOf).sort()).toEqual(['bad_signature', 'ok'])
  expect(await use.store.sessions.of('fay')).toHaveLength(1)
})

it('a signature is of a person, and never of an agent in their name', async () => {
  const { core, passkeys, begun } = await openPasskeys()
  const { secret, device, made } = await begun('fay')
  good(await passkeys.keep(secret, 'Laptop', made))
  await use.store.passkeys.enrol(device.id, { changeId: 'c1', approvedBy: 'Gil', at: 2 })
  const change = changeIn('pending')
  const assertion = device.sign(good(await passkeys.toSign('fay', change)))
  const checked = (by: { person: string; agent?: string }) => checkSignature(core, by, change, assertion)
  expect(codeOf(await checked({ person: 'fay', agent: 'hers' }))).toBe('not_allowed_now')
  expect(await checked({ person: 'fay' })).toMatchObject({
    value: { signed: { person: 'fay', key: device.id } },
  })
})
