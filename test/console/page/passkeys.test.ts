import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signingKeysOf } from '../../../src/kernel/law/weigh.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import type { Inbound } from '../../../src/kernel/messenger/inbound.ts'
import type { Assertion } from '../../../src/kernel/model/passkey.ts'
import { checkReceipt } from '../../../verify.mjs'
import { buttonNow, fromOf, textOf } from '../../harness/app.ts'
import { freePort } from '../../harness/free-port.ts'
import { fileOf, proofIn } from '../../harness/receipt.ts'
import { createApiClient } from '../api-client.ts'
import { openConsoleHarness } from '../harness.ts'
import { axeFindings } from './axe.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'

const policy = `version: 1
unseen: pass
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
  - { id: finn, name: Finn Finance, roles: [finance] }
roles:
  support: { run: [refund, "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
policies:
  - { name: held, commands: [refund], amount: { upTo: 10 }, require: { approvals: 1, from: [finance], sign: passkey }, hold: 10m }
  - { name: large, commands: [refund], require: { approvals: 1, from: [finance], sign: passkey } }
  - { name: keys, commands: ["bellhop *"], require: confirm }
`

/** A device of its own: Chromium's emulation of an authenticator with a fingerprint reader. */
const withAuthenticator = async (page: Page) => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setUserVerified: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** What the browser's part of the library answers to these options, on whatever page it is. */
const signedOn = (page: Page, options: unknown, more: object = {}): Promise<Assertion> =>
  page.evaluate(
    `SimpleWebAuthnBrowser.startAuthentication({ optionsJSON: ${JSON.stringify({ ...(options as object), ...more })} })`,
  )

describe.skipIf(!hasBrowser)('a passkey', async () => {
  let clock = Date.parse('2026-05-04T10:00:00Z')
  const signer = newSigner()
  const opened = await openConsoleHarness({ policy, now: () => clock, signer })
  const { store, app, base } = opened
  const site = base.replace('127.0.0.1', 'localhost')
  const api = createApiClient(opened)
  const browser = await sharedBrowser()

  const say = (line: string, person: string) =>
    opened.handle({ from: fromOf(person, 'console'), intent: { kind: 'line', line } })
  const press = async (verb: 'approve' | 'confirm', id: string, person: string) =>
    opened.handle({
      from: fromOf(person, 'console'),
      intent: { kind: 'press', verb, id: await buttonNow(store, id) },
    })
  const linkFor = async (person: string) => {
    const [, link = ''] = /(http:\S+#[\w-]{43})/.exec(textOf(await say('bellhop passkey', person))) ?? []
    return link
  }
  const asked = async (line: string, person = 'sam') => {
    const reply = await say(line, person)
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    return reply.change
  }
  const stored = async (id: string) => {
    const change = await store.changes.get(id)
    if (change === null) throw new Error('it is gone')
    return change
  }
  const optionsFor = async (id: string, as = 'fay') => (await api.post('sign', { as, id })).body.options
  const send = async (id: string, assertion: Assertion, as = 'fay') => {
    const { digest } = await stored(id)
    return (await api.post('signed', { as, id, digest, assertion })).body
  }
  /** Makes a key on the page of the link, and has it approved. */
  const enrol = async (page: Page, person: string, name: string, approver: string) => {
    await page.goto(await linkFor(person))
    await page.getByRole('textbox', { name: 'What to call the key' }).fill(name)
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByText('It counts once somebody else has approved it').waitFor()
    const [change] = await store.changes.list({ states: ['pending'], requester: person, limit: 1 })
    if (change === undefined) throw new Error('nothing was asked for')
    await press('approve', change.id, approver)
    return stored(change.id)
  }

  const openDevice = async () => {
    const page = await browser.newPage()
    return { page, ...(await withAuthenticator(page)) }
  }

  test('is made by the link, approved by somebody else, signs what its page shows, and can be checked by anybody', async () => {
    const { page } = await openDevice()
    const link = await linkFor('fay')
    expect(link).toMatch(/^http:\/\/localhost:\d+\/console\/passkey#/)
    await page.goto(link)
    expect(page.url()).toBe(`${site}/console/passkey`)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('textbox', { name: 'What to call the key' }).fill('Laptop')
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByText('It counts once somebody else has approved it').waitFor()
    // A rule that lets people confirm it alone does not hold for keys.
    const [enrolment] = await store.changes.list({ states: ['pending'], limit: 1 })
    expect(enrolment).toMatchObject({
      preview: { title: 'Enrol the passkey “Laptop” of Fay Finance' },
      clauses: [{ kind: 'approvals', count: 1, from: [] }],
    })
    const refund = await asked('refund pay_1007 1100 --customer cus_1005')
    expect(textOf(await press('approve', refund.id, 'fay'))).toContain('You have no passkey yet')
    expect(await press('approve', enrolment?.id ?? '', 'fay')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'own_request' },
    })
    await press('approve', enrolment?.id ?? '', 'finn')
    expect(await store.passkeys.enrolled()).toMatchObject([
      { person: 'fay', name: 'Laptop', approvedBy: 'Finn Finance', changeId: enrolment?.id },
    ])
    // The link was used.
    await page.goto(link)
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByText('This link was used before').waitFor()

    // A press alone counts for nothing, wherever it comes from, and says where to sign.
    expect(await press('approve', refund.id, 'fay')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'needs_passkey', url: `${site}/console/sign?change=${refund.id}` },
    })
    expect((await stored(refund.id)).votes).toEqual([])
    await page.goto(`${site}/console?as=fay`)
    // The same request stands on more than one page of the rail, of which one is shown.
    await page.locator('[data-verb=approve]:visible').first().click()
    await page.waitForURL(`${site}/console/sign?change=${refund.id}&as=fay`)
    await page.getByText('Needs 1 approval from finance signed with a passkey').first().waitFor()
    await page
      .getByText(/Refund .*1,100/)
      .first()
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign with your passkey' }).click()
    await page.getByText('Signed. It counts as your decision.').waitFor()
    const done = await stored(refund.id)
    expect(done.state).toBe('applied')
    expect(done.votes).toMatchObject([
      { by: { person: 'fay' }, signed: { person: 'fay', digest: done.digest, enrolled: enrolment?.id } },
    ])

    const receipt = String(await fileOf(await say(`approval receipt ${refund.id}`, 'fay')))
    const proof = proofIn(receipt)
    expect(checkReceipt(receipt, proof.key)).toMatchObject({ ok: true, whose: 'yours' })
    const leaf = proof.entries.find(({ leaf: one }) => one.includes('clientDataJSON'))
    const altered = receipt.replace(/(clientDataJSON\\":\\"[\w-]{40})./, '$1_')
    expect(checkReceipt(altered, proof.key)).toEqual({
      ok: false,
      problem: `Entry ${leaf?.seq} is not in the log that the checkpoint is about.`,
    })
  })

  test('signs one thing, once, where it belongs: everything else is refused with its sentence', async () => {
    const { page, setUserVerified } = await openDevice()
    await enrol(page, 'fay', 'Desk', 'finn')
    const elsewhere = await openConsoleHarness({ policy })
    let sum = 20
    const refund = async () => (await asked(`refund pay_1003 ${sum++} --customer cus_1002`)).id
    const refused = (why: string | RegExp) => ({
      kind: 'refused',
      message: typeof why === 'string' ? expect.stringContaining(why) : expect.stringMatching(why),
      next: expect.any(String),
    })
    await page.goto(`${site}/console/passkey`)

    const wrongOrigin = await refund()
    const options = await optionsFor(wrongOrigin)
    await page.goto(`${elsewhere.base.replace('127.0.0.1', 'localhost')}/console/passkey`)
    const made = await signedOn(page, options)
    expect(await send(wrongOrigin, made)).toEqual(
      refused(/it was made at http:\/\/localhost:\d+, and not at/),
    )
    await page.goto(`${site}/console/passkey`)

    const unverified = await refund()
    await setUserVerified(false)
    const weak = await signedOn(page, await optionsFor(unverified), { userVerification: 'discouraged' })
    await setUserVerified(true)
    expect(await send(unverified, weak)).toEqual(refused('the device did not make sure who it was'))

    const [one, other] = [await refund(), await refund()]
    const forOne = await signedOn(page, await optionsFor(one))
    expect(await send(other, forOne)).toEqual(refused('it is for another change'))
    expect(await send(one, forOne, 'finn')).toEqual(refused('it was asked of somebody else'))
    expect(await send(one, forOne)).toMatchObject({ kind: 'done' })
    const again = await refund()
    expect(await send(one, forOne)).toEqual(refused('used before'))
    expect(await send(again, forOne)).toEqual(refused('used before'))

    const early = await signedOn(page, await optionsFor(again))
    await say(`approval change ${again} --amount 19`, 'sam')
    expect(await send(again, early)).toEqual(refused('it is for another version of this change'))

    const late = await signedOn(page, await optionsFor(again))
    clock += 5 * 60_000
    expect(await send(again, late)).toEqual(refused('more than five minutes ago'))

    const altered = await signedOn(page, await optionsFor(again))
    const { signature } = altered.response
    const broken = `${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`
    expect(await send(again, { ...altered, response: { ...altered.response, signature: broken } })).toEqual(
      refused('the signature does not fit the key'),
    )
    for (const id of [wrongOrigin, unverified, other, again])
      expect(await stored(id)).toMatchObject({ state: 'pending', votes: [] })
  })

  test('counts no more once it is removed, also for what it has signed and has not run', async () => {
    const { page } = await openDevice()
    await enrol(page, 'fay', 'Tablet', 'finn')
    const held = await asked('refund pay_1007 5 --customer cus_1005')
    await send(held.id, await signedOn(page, await optionsFor(held.id)))
    expect(await stored(held.id)).toMatchObject({ state: 'approved' })
    const next = await asked('refund pay_1007 25 --customer cus_1005')
    const before = await signedOn(page, await optionsFor(next.id))
    // Somebody else's is removed when somebody else approves it, one's own at once.
    const removal = await asked('bellhop passkeys --remove Tablet', 'finn')
    expect(removal).toMatchObject({ state: 'pending', clauses: [{ kind: 'approvals', count: 1 }] })
    expect(await asked('bellhop passkeys --remove Tablet', 'fay')).toMatchObject({ state: 'applied' })
    expect((await store.passkeys.enrolled()).map(({ name }) => name)).not.toContain('Tablet')

    expect(await send(next.id, before)).toMatchObject({ message: expect.stringContaining('it was removed') })
    clock += 10 * 60_000
    await app.drain()
    const lapsed = await stored(held.id)
    expect(signingKeysOf(lapsed)).toEqual([])
    expect(lapsed).toMatchObject({
      state: 'pending',
      lapsed: [{ person: 'fay', why: 'the passkey that signed it was removed' }],
    })
    // A lost key is replaced the same way as the first was made.
    expect(await enrol(page, 'fay', 'Phone', 'finn')).toMatchObject({ state: 'applied' })
    expect(await send(held.id, await signedOn(page, await optionsFor(held.id)))).toMatchObject({
      kind: 'done',
    })
  })
})

describe.skipIf(!hasBrowser)('the button to sign in with a passkey', async () => {
  const port = await freePort()
  const site = `http://localhost:${port}`
  const opened = await openConsoleHarness({
    policy: policy.replaceAll(/id: (sam|fay|finn)/g, 'id: $1, slack: U-$1'),
    entry: { kind: 'sign-in', publicUrl: site, isGiven: true },
    port,
  })
  const browser = await sharedBrowser()
  const inSlack = (person: string, intent: Inbound['intent']) =>
    opened.handle({ from: { platform: 'slack', account: `U-${person}`, name: person, groups: [] }, intent })

  test('is there once somebody has a key, signs its owner in, and nobody else', async () => {
    const page = await browser.newPage()
    await withAuthenticator(page)
    const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' })
    await page.goto(`${site}/console/sign-in`)
    await page.getByText('Run bellhop console in Slack or Discord').waitFor()
    expect(await withPasskey.isVisible()).toBe(false)

    const given = textOf(await inSlack('fay', { kind: 'line', line: 'bellhop passkey' }))
    const [link = ''] = /http:\S+#[\w-]{43}/.exec(given) ?? []
    expect(link).toContain(`${site}/console/passkey#`)
    await page.goto(link)
    await page.getByRole('textbox', { name: 'What to call the key' }).fill('Laptop')
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByText('It counts once somebody else has approved it').waitFor()
    const [enrolment] = await opened.store.changes.list({ states: ['pending'], limit: 1 })
    const button = await buttonNow(opened.store, enrolment?.id ?? '')
    await inSlack('finn', { kind: 'press', verb: 'approve', id: button })

    await page.goto(`${site}/console/sign-in`)
    await withPasskey.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await withPasskey.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site}/console`)
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('textbox', { name: 'Command' }).fill('bellhop whoami')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('log', { name: 'Conversation' }).getByText('Fay Finance').first().waitFor()

    // Another device has no key for this place, and stays outside.
    const other = await browser.newPage()
    await withAuthenticator(other)
    await other.goto(`${site}/console/sign-in`)
    await other.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await other.getByRole('alert').filter({ hasText: /./ }).waitFor()
    expect(new URL(other.url()).pathname).toBe('/console/sign-in')
  })
})
