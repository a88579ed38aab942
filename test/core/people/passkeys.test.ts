import { expect, it } from 'vitest'
import { createPasskeys, offerPasskeyLink, whereToSign } from '../../../src/core/people/passkeys.ts'
import type { Result } from '../../../src/model/result.ts'
import { refusal } from '../../../src/view/refusals.ts'
import { changeIn } from '../../approvals/sample.ts'
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

const openPasskeys = async ({ origin = 'https://bellhop.example' }: { origin?: string | null } = {}) => {
  await use.test.db.run('DELETE FROM passkeys')
  await use.test.db.run('DELETE FROM passkey_challenges')
  const core = {
    store: use.store,
    policy,
    now: () => use.clock.now,
    newId: () => 'new',
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
  return { core, passkeys: createPasskeys(core), link, enrol }
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

it('what a browser is asked is asked thirty times a minute of one person, and three hundred times of all who say nothing', async () => {
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
  for (let n = 0; n < 300; n++) expect(codeOf(await passkeys.toSignIn())).toBe('ok')
  expect(codeOf(await passkeys.toSignIn())).toBe('too_many_calls')
  use.clock.now += minute
  expect([codeOf(await passkeys.begin(secret)), codeOf(await passkeys.toSignIn())]).toEqual(['ok', 'ok'])
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
    next: `Sign it at ${url}`,
  })
  const nowhere = await openPasskeys({ origin: null })
  const told = await whereToSign(nowhere.core, { person: 'fay' }, 'c1', refused)
  expect(told).toMatchObject({ next: expect.stringContaining('CONSOLE=on') })
  expect(told).not.toHaveProperty('url')
})
