import { beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, textOf } from '../../harness/app.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: lea, name: Lea, roles: [look] }
  - { id: ned, name: Ned }
  - { id: dee, name: Dee, roles: [move] }
roles:
  support: { run: ["*"], approve: ["*"] }
  move: { run: [downgrade] }
  look: { run: ["subscriber get", "subscriber find", "person get", "approval *"] }
everyone: { run: ["bellhop *"] }
`
const app = await openTestApp({ policy, tasks: false })
beforeEach(() => app.sandbox.reset())
/** Everything that somebody reads, with its buttons. */
const told = async (line: string, who = 'sam') => {
  const reply = await app.say(line, who)
  const actions = 'view' in reply ? (reply.view.actions ?? []) : []
  return [
    textOf(reply),
    ...actions.map(({ verb, label }) => `[${verb}${label === undefined ? '' : `: ${label}`}]`),
  ].join('\n')
}
const long = (length: number) => `please look at all of this ${'and that '.repeat(100)}`.slice(0, length)

describe('what could not be read is answered with the nearest that the actor may do', () => {
  it('with nothing in it', async () => {
    expect(await told('sdfkjh wlekrj oiuwer')).toMatchInlineSnapshot(`
      "I do not know what to do with “sdfkjh wlekrj oiuwer”.

      Perhaps one of these:

      - 1. subscriber get: Show a subscriber: status, score, tags, lists and mail figures
      - 2. approval list: List changes that are waiting for a decision, or changes in another state
      - 3. transaction find: List the payments of a customer, or find some by sum, day, invoice number or card

      bellhop help shows what you can do here.
      [choose: 1. subscriber get]
      [choose: 2. approval list]
      [choose: 3. transaction find]"
    `)
    expect(await told('sdfkjh wlekrj oiuwer', 'lea')).toMatchInlineSnapshot(`
      "I do not know what to do with “sdfkjh wlekrj oiuwer”.

      Perhaps one of these:

      - 1. subscriber get: Show a subscriber: status, score, tags, lists and mail figures
      - 2. approval list: List changes that are waiting for a decision, or changes in another state
      - 3. person get: Show what all services know about one person

      bellhop help shows what you can do here.
      [choose: 1. subscriber get]
      [choose: 2. approval list]
      [choose: 3. person get]"
    `)
    expect(await told('sdfkjh wlekrj oiuwer', 'ned')).toMatchInlineSnapshot(`
      "I do not know what to do with “sdfkjh wlekrj oiuwer”.

      Perhaps one of these:

      - 1. policy explain: Show what a line would need if somebody said it now, rule by rule
      - 2. bellhop console: Get a link that signs you in to the web console
      - 3. bellhop passkey: Get a link to make a passkey, with which large sums are signed

      bellhop help shows what you can do here.
      [choose: 1. policy explain]
      [choose: 2. bellhop console]
      [choose: 3. bellhop passkey]"
    `)
  })
  it('with one thing in it', async () => {
    expect(await told('sdfkjh pay_1001 wlekrj')).toMatchInlineSnapshot(`
      "I do not know what to do with “sdfkjh pay_1001 wlekrj”.

      Perhaps one of these:

      - 1. transaction get pay_1001: Show one payment: what was refunded of it, and who asked for that
      - 2. refund pay_1001: Refund a payment in full or in part, or record a refund
      - 3. transaction find: List the payments of a customer, or find some by sum, day, invoice number or card

      bellhop help shows what you can do here.
      [choose: 1. transaction get]
      [choose: 2. refund]
      [choose: 3. transaction find]"
    `)
    expect(await told('sdfkjh pay_1001 wlekrj', 'lea')).toMatchInlineSnapshot(`
      "I do not know what to do with “sdfkjh pay_1001 wlekrj”.

      Perhaps one of these:

      - 1. subscriber get: Show a subscriber: status, score, tags, lists and mail figures
      - 2. approval list: List changes that are waiting for a decision, or changes in another state
      - 3. person get: Show what all services know about one person

      bellhop help shows what you can do here.
      [choose: 1. subscriber get]
      [choose: 2. approval list]
      [choose: 3. person get]"
    `)
  })
  it('with several people in it, and more than fit', async () => {
    const mail = 'From: ada@example.com To: bo@example.com Cc: +4915112345678, cus_1001'
    expect(await told(mail)).toMatchInlineSnapshot(`
      "Whom of these do you mean?

      Found in what you wrote:

      - 1. person get ada@example.com: Show what all services know about one person
      - 2. person get bo@example.com: Show what all services know about one person
      - 3. person get +4915112345678: Show what all services know about one person

      bellhop help shows what you can do here.
      [choose: 1. person get]
      [choose: 2. person get]
      [choose: 3. person get]"
    `)
    expect(await told(mail, 'ned')).toMatchInlineSnapshot(`
      "I do not know what to do with “From: ada@example.com To: bo@example.com Cc: +4915112345678,…”.

      Perhaps one of these:

      - 1. policy explain: Show what a line would need if somebody said it now, rule by rule
      - 2. bellhop console: Get a link that signs you in to the web console
      - 3. bellhop passkey: Get a link to make a passkey, with which large sums are signed

      bellhop help shows what you can do here.
      [choose: 1. policy explain]
      [choose: 2. bellhop console]
      [choose: 3. bellhop passkey]"
    `)
    const six = Array.from({ length: 6 }, (_, n) => `p${n}@example.com`).join(' ')
    expect(await told(`hello to ${six}`)).toMatchInlineSnapshot(`
      "Whom of these do you mean?

      Found in what you wrote:

      - 1. person get p0@example.com: Show what all services know about one person
      - 2. person get p1@example.com: Show what all services know about one person
      - 3. person get p2@example.com: Show what all services know about one person
      - 4. person get p3@example.com: Show what all services know about one person
      - 5. person get p4@example.com: Show what all services know about one person

      bellhop help shows what you can do here.
      [choose: 1. person get]
      [choose: 2. person get]
      [choose: 3. person get]
      [choose: 4. person get]
      [choose: 5. person get]"
    `)
  })
  it('that is what somebody else may do', async () => {
    expect(await told('please refund pay_1001 20', 'lea')).toMatchInlineSnapshot(`
      "None of your roles (look) may run refund.

      The role support may run it; ask one of: Sam.

      Perhaps one of these:

      - 1. approval list: List changes that are waiting for a decision, or changes in another state

      bellhop help shows what you can do here.
      [choose: 1. approval list]"
    `)
  })
  it('that could be several things which somebody else may do', async () => {
    expect(await told('64b000000000000000000001', 'ned')).toMatch(
      /^I do not know what to do with “64b000000000000000000001”\.\n\nPerhaps one of these:/,
    )
  })
  it('in a tone that warns, but for people in it of whom one is meant', async () => {
    const toneOf = async (line: string) => {
      const reply = await app.say(line, 'sam')
      return 'view' in reply && reply.view.tone
    }
    expect(await toneOf('sdfkjh wlekrj oiuwer')).toBe('warn')
    expect(await toneOf('hello to ada@example.com bo@example.com')).toBe('plain')
  })
  it('that is what somebody else may do, with several people in it', async () => {
    expect(await told('please delete the subscribers ada@example.com bo@example.com', 'lea')).toMatch(
      /^Whom of these do you mean\?\n\nFound in what you wrote:/,
    )
  })
  it('that has many names in it, of which no more than three are looked for', async () => {
    app.sandbox.wire.length = 0
    await told('please tell zorg about wumpus and qux with fizz and also ada')
    const sought = app.sandbox.wire.flatMap(({ path }) => /search=(\w+)/.exec(path)?.[1] ?? [])
    expect(sought).toEqual(['zorg', 'wumpus', 'qux'])
  })
  it('that has one word which could be a name, and is looked for among people as well', async () => {
    app.sandbox.wire.length = 0
    await told('upgrade sub_1001 at pro')
    expect(app.sandbox.wire.flatMap(({ path }) => /search=(\w+)/.exec(path)?.[1] ?? [])).toContain('pro')
  })
  it('that could be several things, one of them with somebody who is called so', async () => {
    expect(await told('Ada total subscribers')).toContain('2. subscriber get ada@example.com')
  })
  it('that is cut where it is long, and shown as it was meant to be read', async () => {
    expect(await told(`${'x'.repeat(60)}`)).toContain(`“${'x'.repeat(60)}”`)
    expect(await told(`${'x'.repeat(61)}`)).toContain(`“${'x'.repeat(60)}…”`)
    expect(await told('xyz <https://example.com|the page> <mailto:q> zyx')).toContain('“xyz the page q zyx”')
  })
  it('that is longer than words of one’s own are', async () => {
    expect(await told(long(600))).not.toContain('are read up to')
    expect(await told(`${long(600)}x`)).toContain('are read up to')
    expect(await told(`${long(560)} ada@example.com`)).not.toContain('are read up to')
    expect(
      await told(`${long(590)} ada@example.com and call 0151-1234567, (030)12345678`),
    ).toMatchInlineSnapshot(`
      "I do not know what to do with “please look at all of this and that and that and that and th…”.

      Words of your own are read up to 600 characters, and a command line up to 4,000.

      Perhaps one of these:

      - 1. person get ada@example.com: Show what all services know about one person
      - 2. subscriber get ada@example.com: Show a subscriber: status, score, tags, lists and mail figures

      bellhop help shows what you can do here.
      [choose: 1. person get]
      [choose: 2. subscriber get]"
    `)
  })
})

describe('what is said besides requests', () => {
  it('a greeting, and thanks', async () => {
    expect(await told('hello')).toMatchInlineSnapshot(`
      "Hello Sam.

      What I can do for you, for example:

      - subscriber get ada@example.com: Show a subscriber: status, score, tags, lists and mail figures
      - approval list: List changes that are waiting for a decision, or changes in another state
      - transaction find cus_1001: List the payments of a customer, or find some by sum, day, invoice number or card

      bellhop help lists everything that you can do."
    `)
    expect(await told('hello', 'lea')).toMatchInlineSnapshot(`
      "Hello Lea.

      What I can do for you, for example:

      - subscriber get ada@example.com: Show a subscriber: status, score, tags, lists and mail figures
      - approval list: List changes that are waiting for a decision, or changes in another state
      - person get ada@example.com: Show what all services know about one person

      bellhop help lists everything that you can do."
    `)
    expect(await told('thanks!')).toMatchInlineSnapshot(`
      "You are welcome.

      bellhop help lists what you can do here."
    `)
  })
  it('more of an answer that was never given', async () => {
    expect(await told('next', 'ned')).toMatchInlineSnapshot(`
      "There is no answer of the last ten minutes here to go on from.

      Say what you would like to see."
    `)
  })
})

describe('what is offered', () => {
  it('a whole change, one that misses something, and one with words that nobody read', async () => {
    expect(await told('please refund pay_1001 20 because she was charged twice')).toMatchInlineSnapshot(`
      "Refund 20 of payment pay_1001

      Needs 1 approval
      Nobody is asked yet

      ! This cannot be approved as it stands: 1 approval is needed, and nobody is left who could give it.

      Sam can give somebody else the right to approve it in bellhop.yml. Sam can cancel it and ask anew.

      > she was charged twice  (Sam)

      ! Nobody has looked at this payment: no customer is known for it.

      Payment  pay_1001

      Understood as: refund pay_1001 20 --description "she was charged twice"
      [run_it: Ask for approval]
      [edit: Change it]"
    `)
    expect(await told('please upgrade sub_1')).toMatchInlineSnapshot(`
      "upgrade: something is missing

      Move a subscription up to another plan, now or at the end of its term.

        upgrade sub_1

      Still needed: plan-id, payment-mode.

      Nothing happens until you complete it.
      [edit]"
    `)
    expect(await told('please refund pay_1001 20 zorgblat')).toMatchInlineSnapshot(`
      "I did not understand “zorgblat”.

      Refund a payment in full or in part, or record a refund.

        refund pay_1001 20

      Nothing happens until you complete it.
      [edit]"
    `)
  })
  it('what somebody may run under the name of another command', async () => {
    expect(await told('please upgrade sub_1', 'dee')).toMatch(/^upgrade: something is missing/)
  })
  it.each([
    ['add ada@example.com to the list zorgblat', 'zorgblat'],
    ['please add ada@example.com to list "Zorg Blat"', 'Zorg Blat'],
  ])('a change without a name that is the name of nothing: %s', async (said, name) => {
    expect(await told(said)).toBe(
      [
        'Put on a list: something is missing',
        'Put a subscriber on one or more lists.',
        '  list add ada@example.com',
        `I did not understand “${name}”.`,
        'Still needed: list-ids.',
        'Nothing happens until you complete it.\n[edit]',
      ].join('\n\n'),
    )
  })
  it.each(['is', 'me', 'do'])('a part of several names that is a word as well: %s', async (part) => {
    expect(await told(`subscriber get ${part}`)).toContain(`Which subscriber is "${part}"?`)
  })
  it('several lines', async () => {
    expect(await told('refund pay_1001 and pay_1003')).toMatchInlineSnapshot(`
      "2 requests, each with its own button

      1. Refund payment pay_1001, no amount given

      Needs 1 approval
      Nobody is asked yet

      ! This cannot be approved as it stands: 1 approval is needed, and nobody is left who could give it.

      Sam can give somebody else the right to approve it in bellhop.yml. Sam can cancel it and ask anew.

      ! Nobody has looked at this payment: no customer is known for it.

      ! No amount was given: the service decides how much it refunds.

      Amount   not given, the service decides
      Payment  pay_1001

      2. Refund payment pay_1003, no amount given

      Needs 1 approval
      Nobody is asked yet

      ! This cannot be approved as it stands: 1 approval is needed, and nobody is left who could give it.

      Sam can give somebody else the right to approve it in bellhop.yml. Sam can cancel it and ask anew.

      ! Nobody has looked at this payment: no customer is known for it.

      ! No amount was given: the service decides how much it refunds.

      Amount   not given, the service decides
      Payment  pay_1003

      Understood as: refund pay_1001 · Understood as: refund pay_1003
      [run_it: 1. Ask for approval]
      [edit: 1. Change it]
      [run_it: 2. Ask for approval]
      [edit: 2. Change it]"
    `)
  })
  it.each([
    ['refund pay_1001 and pay_1003 and pay_1001', 2],
    ['refund both payments pay_1001 & pay_1003 + pay_1004 plus pay_1005 also pay_1006', 5],
    ['refund pay_1001 pay_1002 pay_1003 pay_1004 pay_1005 pay_1006', undefined],
    ['refund pay_1001 and cus_1001', undefined],
    ['refund pay_1001 and pay_1003 and cus_1001', undefined],
    ['refund pay_1001 and 20', undefined],
    ['refund pay_1001 and pay_1003 tomorrow', undefined],
    ['subscriber get ada@example.com and bo@example.com', undefined],
  ])('%s is %s requests', async (line, count) => {
    const words = await told(line)
    if (count === undefined) expect(words).not.toMatch(/^(?:That is )?\d requests/)
    else
      expect(words).toMatch(
        new RegExp(`^(?:That is ${count} requests\\. Which one first|${count} requests, each)`),
      )
  })
})
