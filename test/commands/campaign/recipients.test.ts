import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressesIn } from '../../../commands/campaign/address-file.ts'
import { receiptOf } from '../../../commands/campaign/receipt.ts'
import {
  emailsParam,
  fromAddresses,
  fromFilters,
  leftOutWords,
  type Report,
  recipientsKey,
} from '../../../commands/campaign/recipients.ts'
import { type SendPlan, sendPreview } from '../../../commands/campaign/send-plan.ts'
import { type Standing, standings } from '../../../packs/email/subscriber.ts'
import type { ReadContext } from '../../../src/kernel/command/context.ts'
import { ServiceError } from '../../../src/lib/services/errors.ts'
import { blocksOf, factsIn, notesIn } from '../bot.ts'

type Person = { email: string; status: string; _id?: string; isSuppressed?: boolean }

/** A service with these subscribers, who can be asked for one by one and a page at a time. */
const serviceWith = (people: Person[], suppressionList: unknown[] = []) => {
  const gone = {
    kind: 'not_found',
    status: 404,
    outcome: 'not_done',
    service: 'email',
    row: 'getSubscriber',
  } as const
  const email = {
    getSubscriber: async ({ params }: { params: { email: string } }) => {
      const data = people.find((one) => one.email === params.email)
      if (data === undefined) throw new ServiceError(gone)
      return { data }
    },
    findSubscribers: async ({ query }: { query: { page: number } }) => ({
      data: {
        subscribers: people.slice((query.page - 1) * 100, query.page * 100),
        suppressionList,
        pagination: { totalItems: people.length },
      },
    }),
  }
  return { email: email as unknown as ReadContext['email'] }
}

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const statusOf: Record<Standing | 'well', string> = {
  well: 'subscribed',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complaint: 'spam',
  suppressed: 'subscribed',
}

describe('recipients', () => {
  test('are everybody who may get email, each once, and everybody else is counted by the reason', async () => {
    const kinds = ['well', ...standings] as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(11), fc.constantFrom('', ' ', 'upper')), { minLength: 1, maxLength: 30 }),
        fc.subarray([...standings]),
        async (known, picks, include) => {
          const addresses = [
            ...known.map((_, at) => `p${at}@${at % 2 ? 'a' : 'b'}.example.com`),
            'stranger@else.where',
            'no address',
            '',
          ]
          const people = known.map((kind, at) => ({
            _id: `id${at}`,
            email: addresses[at] as string,
            status: statusOf[kind],
            ...(kind === 'suppressed' ? { isSuppressed: true } : {}),
          }))
          const given = picks.map(([pick, way]) => {
            const address = addresses[pick % addresses.length] as string
            return way === 'upper' ? address.toUpperCase() : way + address
          })
          const kindOf = (address: string) => {
            const at = addresses.indexOf(address.trim().toLowerCase())
            return at < known.length ? known[at] : at === known.length ? 'stranger' : 'invalid'
          }
          const valid = given.filter((one) => kindOf(one) !== 'invalid')
          const first = valid.filter(
            (one, at) =>
              valid.findIndex((other) => other.trim().toLowerCase() === one.trim().toLowerCase()) === at,
          )
          const isOut = (kind: string | undefined) =>
            standings.some((one) => one === kind) && !include.includes(kind as Standing)
          const expected = first.filter((one) => !isOut(kindOf(one))).map((one) => one.trim())
          const count = (kind: string) => first.filter((one) => kindOf(one) === kind && isOut(kind)).length
          const got = await fromAddresses(given, include, serviceWith(people))
          expect(got.ok).toBe(expected.length > 0)
          if (!got.ok) {
            expect(got.refusal.message).toMatch(/^Nobody is left to send to: [^:]+\.$/)
            expect(got.refusal.next).toContain(
              standings.some((one) => count(one) > 0) ? '--include' : 'filters or the file',
            )
            return
          }
          expect(got.value.emails).toEqual(expected)
          expect(got.value.report).toMatchObject({
            duplicates: valid.length - first.length,
            invalid: given.length - valid.length,
            strangers: first.filter((one) => kindOf(one) === 'stranger').length,
            included: include,
            ...Object.fromEntries(standings.map((one) => [one, count(one)])),
          })
          const domains = got.value.report.domains
          expect(domains.reduce((sum, one) => sum + one.count, 0)).toBe(expected.length)
          expect(domains).toEqual(
            domains.toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1)),
          )
        },
      ),
      { numRuns: 150 },
    )
  })

  test('who are suppressed by address or by id are left out of what a filter finds', async () => {
    const people = many(250, (at) => ({ _id: `ID${at}`, email: `p${at}@example.com`, status: 'subscribed' }))
    const lists: [unknown[], number][] = [
      [[], 0],
      [['P7@example.com'], 1],
      [[{ _id: 'id8' }, { email: 'p9@example.com' }, { subscriberId: 'ID10' }, null], 3],
    ]
    for (const [suppression, count] of lists) {
      const got = await fromFilters(
        {},
        [],
        serviceWith([...people, { email: '', status: 'subscribed' }], suppression),
      )
      if (!got.ok) throw new Error(got.refusal.message)
      expect(got.value.emails).toHaveLength(250 - count)
      expect(got.value.report).toMatchObject({
        suppressed: count,
        strangers: 0,
        invalid: 1,
        invalidSample: ['empty'],
      })
    }
  })

  test('that a filter finds nobody of are nobody, and nobody was left out', async () => {
    expect(await fromFilters({}, [], serviceWith([]))).toMatchObject({
      refusal: { message: 'Nobody is left to send to.', next: 'Check the filters or the file.' },
    })
  })

  test('are a quarter of a million at most', async () => {
    const people = (count: number) =>
      many(count, (at) => ({ email: `p${at}@example.com`, status: 'subscribed' }))
    const all = people(250_001)
    const email = (count: number) => ({
      email: {
        findSubscribers: async () => ({
          data: { subscribers: all.slice(0, count), pagination: { totalPages: 1 } },
        }),
      } as unknown as ReadContext['email'],
    })
    expect((await fromFilters({}, [], email(250_000))).ok).toBe(true)
    const given = all.map((one) => one.email)
    expect((await fromAddresses(given.slice(1), [], email(1))).ok).toBe(true)
    for (const got of [
      await fromFilters({}, [], email(250_001)),
      await fromAddresses(given, [], serviceWith([])),
    ])
      expect(got).toMatchObject({
        refusal: { message: 'These are more than 250,000 people, which is the limit for one send.' },
      })
  })

  test('of five domains at most are shown, and five invalid addresses, cut', async () => {
    const given = [...many(7, (at) => `a@d${at}.io`), ...many(6, (at) => `no ${at} ${'x'.repeat(70)}`)]
    const got = await fromAddresses(given, [], serviceWith([]))
    if (!got.ok) throw new Error(got.refusal.message)
    expect(got.value.report.domains.map(({ name }) => name)).toEqual(many(5, (at) => `d${at}.io`))
    expect(got.value.report.invalidSample.map(({ length }) => length)).toEqual(many(5, () => 60))
    expect(got.value.report).toMatchObject({ invalid: 6, strangers: 7 })
  })

  test('are the same whatever their order and spelling', () => {
    expect(recipientsKey(['B@x.io', 'a@x.io', 'b@X.io'])).toEqual(['a@x.io', 'b@x.io'])
    const wrong = emailsParam.safeParse(['a@x.io', ...many(6, (at) => `no${at}`)])
    expect(wrong.error?.issues[0]?.message).toBe('not valid as email addresses: no0, no1, no2, no3, no4')
    expect(emailsParam.safeParse([]).success).toBe(false)
  })
})

const none: Report = {
  ...{ invalid: 0, duplicates: 0, unsubscribed: 0, bounced: 0, complaint: 0, suppressed: 0, strangers: 0 },
  ...{
    included: [],
    invalidSample: [],
    leftOut: [],
    notSubscribers: [],
    domains: [{ name: 'x.io', count: 1_000 }],
  },
}

test.each([
  [{}, ''],
  [{ duplicates: 1 }, ''],
  [{ duplicates: 2, invalid: 1_000, invalidSample: ['a', 'b'] }, '1,000 invalid (a, b)'],
  [
    { unsubscribed: 1, bounced: 2, complaint: 3, suppressed: 4_000 },
    '1 unsubscribed, 2 bounced, 3 complained, 4,000 suppressed',
  ],
])('left out %j is said as %j', (some, words) => {
  expect(leftOutWords({ ...none, ...some })).toBe(words)
})

describe('a preview', () => {
  const plan = (total: number, shown: number, more: Partial<SendPlan> = {}, report = none): SendPlan => ({
    ...{ campaignId: 'c', name: 'N', status: 'live', own: { subject: 'S', senderName: 'F' } },
    recipients: { total, emails: many(shown, (at) => `p${at}@x.io`), report },
    ...more,
  })
  test('names everybody, or the first five and how many more', () => {
    const items = (total: number, shown: number) =>
      blocksOf(sendPreview(plan(total, shown)), 'list')[0]?.items
    expect(items(7, 7)).toHaveLength(7)
    expect(items(6, 5)).toEqual([...many(5, (at) => `p${at}@x.io`), 'and 1 more'])
    expect(items(1_005, 5)?.at(-1)).toBe('and 1,000 more')
  })
  test('says the domains where not every address is plain to see', () => {
    const domains = (total: number, shown: number) => factsIn(sendPreview(plan(total, shown))).Domains
    expect([domains(5, 5), domains(6, 6), domains(6, 5)]).toEqual([undefined, 'x.io 1,000', 'x.io 1,000'])
  })
  test('shows what is replaced beside what it replaces, and only that', () => {
    const same = sendPreview(plan(1, 1, { subject: 'S', fromName: 'F' }))
    expect([factsIn(same).Subject, factsIn(same)['From name'], blocksOf(same, 'diff')]).toEqual([
      'S',
      'F',
      [],
    ])
    const other = sendPreview(plan(1, 1, { fromName: 'G' }))
    expect([factsIn(other).Subject, factsIn(other)['From name']]).toEqual(['S', undefined])
    expect(blocksOf(other, 'diff')[0]?.changes).toEqual([{ label: 'From name', before: 'F', after: 'G' }])
    expect(blocksOf(sendPreview(plan(1, 1, { subject: 'R' })), 'diff')[0]?.changes).toHaveLength(1)
  })
  test('warns of strangers, of people who should get none, and says that a stored set is fixed', () => {
    const warned = sendPreview(plan(1, 1, {}, { ...none, strangers: 1, included: ['bounced'] }))
    expect(notesIn(warned)).toContain('No recipient is a subscriber.')
    expect(notesIn(warned)).toContain('should not get email: bounced.')
    const calm = sendPreview(plan(1, 1))
    expect(notesIn(calm)).not.toMatch(/should not|fixed|subscriber|Left out/)
    const standing = many(7, (at) => ({ email: `left${at}@x.io`, why: 'bounced' as const }))
    const left = sendPreview(plan(3, 3, {}, { ...none, bounced: 7, leftOut: standing, strangers: 2 }))
    expect(notesIn(left)).toContain('Left out: 7 bounced: left0@x.io, left1@x.io, left2@x.io')
    expect(notesIn(left)).toContain('2 recipients are no subscribers.')
    expect(factsIn(left)['Left out']).toMatch(/left0@x\.io \(bounced\), .*left6@x\.io \(bounced\)$/)
    const kept = plan(6, 5)
    expect(notesIn(sendPreview({ ...kept, recipients: { ...kept.recipients, digest: 'd' } }))).toContain(
      'fixed',
    )
  })
})

describe('a file of addresses', () => {
  const read = async (text: string) => {
    const got = await addressesIn({ name: 'f.csv', text })
    return got.ok ? got.value : got.refusal.message
  }
  test.each([
    ['a@x.io\nb@x.io', ['a@x.io', 'b@x.io']],
    ['name,E-Mail\nAda,a@x.io\nBo,b@x.io\nCy', ['a@x.io', 'b@x.io', '']],
    ['Email Address\na@x.io', ['a@x.io']],
    ['Ada,a@x.io\nBo,b@x.io', ['a@x.io', 'b@x.io']],
    ['a@x.io, b@x.io\nc@x.io, ', ['a@x.io', ' b@x.io', 'c@x.io']],
    ['nobody\na@x.io', ['nobody', 'a@x.io']],
    ['name,town\nAda,Ulm', 'f.csv has no column called email, and no addresses in its first line.'],
    ['email', 'f.csv has a header and nothing else.'],
    ['', 'f.csv has no lines.'],
  ])('%j has %j', async (text, addresses) => {
    expect(await read(text)).toEqual(addresses)
  })
})

test.each([
  [{ queued: 2, totalEmails: 2 }, 2, 'Queued 2 emails of N.', 'good', '2 of 2'],
  [{ queued: 1, totalEmails: 2 }, 2, 'Queued only 1 of 2 emails of N.', 'warn', '1 of 2'],
  [{ queued: 2 }, 2, 'Queued 2 emails of N.', 'good', '2 of 2'],
  [{ queued: 2, totalEmails: 1 }, 3, 'Queued only 2 of 3 emails of N.', 'warn', '2 of 3'],
  [{ queued: 0, campaignName: 'M' }, 1, 'Queued only 0 of 1 email of M.', 'warn', '0 of 1'],
])('the receipt %j for %i says: %s', (receipt, asked, message, tone, queued) => {
  const got = receiptOf(receipt, 'N', asked)
  expect([got.message, got.view?.tone, factsIn(got.view).Queued]).toEqual([message, tone, queued])
  expect(notesIn(got.view) !== '').toBe(tone === 'warn')
})

test('a receipt without a count claims none', () => {
  expect(receiptOf({}, 'N', 1)).toEqual({ message: 'The service accepted N for 1 address.' })
})
