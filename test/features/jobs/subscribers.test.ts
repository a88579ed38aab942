import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureLines } from '../../../src/features/jobs/failures.ts'
import { summaryOf } from '../../../src/features/jobs/progress-publisher.ts'
import { readCsv } from '../../../src/lib/codecs/csv.ts'
import { blocksOf, factsIn, notesIn } from '../../commands/bot.ts'
import { textOf } from '../../harness/app.ts'
import { emailOf, type Fate, startEmailService } from '../../harness/many-people.ts'
import { openHarness } from './harness.ts'

let service: Awaited<ReturnType<typeof startEmailService>>
let harness: Awaited<ReturnType<typeof openHarness>>
let updateFate: (n: number) => Fate = () => 'ok'
beforeAll(async () => {
  service = await startEmailService({ subscribers: 25_000, updateFate: (n) => updateFate(n) })
  harness = await openHarness({ baseUrl: service.baseUrl })
})
beforeEach(() => {
  service.updates.length = 0
  updateFate = () => 'ok'
})
afterAll(() => service.close())

describe('subscriber import', () => {
  const file = [
    'E-Mail;First Name;Lead score;Tags;Company',
    `${emailOf(1)};Ada;80;"vip,customer";`,
    `${emailOf(2)};First2;2;customer;`,
    `${emailOf(3).toUpperCase()};;;;'=Fern`,
    `${emailOf(1)};Twice;1;;`,
    'stranger@else.where;X;1;;',
    'nope;X;1;;',
    `${emailOf(4)};X;high;;`,
  ].join('\r\n')

  it('shows the first differences and counts, then changes just those', async () => {
    const asked = harness.changeOf(await harness.withFile('subscriber import', file))
    expect(asked.preview.title).toBe('Update 2 subscribers from people.csv')
    expect(factsIn(asked.preview)).toMatchObject({
      'To update': '2 subscribers',
      'Already up to date': '1',
      'Not subscribers, left out': '1 (stranger@else.where)',
      'Invalid, left out': '2',
      'Duplicates, left out': '1',
    })
    expect(blocksOf(asked.preview, 'table')[0]?.rows).toContainEqual([
      emailOf(1),
      'First name',
      'First1',
      'Ada',
    ])
    expect(blocksOf(asked.preview, 'list')[0]?.items).toEqual([
      'line 7: "nope" is not an email address',
      'line 8: the lead score is not a whole number',
    ])
    expect(service.updates).toEqual([])
    await harness.press('confirm', asked.id)
    await harness.app.drain()
    expect(service.updates).toEqual([
      { email: emailOf(1), body: { firstName: 'Ada', leadScore: 80, tagsToAdd: ['vip'] } },
      { email: emailOf(3), body: { customFields: { company: '=Fern' } } },
    ])
    // This service answers with the old values.
    const { store } = harness
    const job = await store.bulk.ofChange(asked.id)
    if (job === null) throw new Error('there is no job')
    const { file: told } = await summaryOf(store, job, asked, Date.now())
    expect(told?.content).toContain(
      `${emailOf(1)},different,"Asked for first name Ada; the service shows First1. Asked for lead score 80; the service shows 1.`,
    )
  })

  it('goes on where it was when the service goes away within a batch: nobody is changed twice, and each is counted once', async () => {
    const fates: Record<number, Fate> = {
      ...{ 3: 'refuse', 4: 'bad_key', 14: 'limit', 18: 'bad_key', 22: 'drop_after' },
    }
    const met: string[] = []
    updateFate = (n) => {
      if (fates[n] === undefined) met.push(service.updates[n - 1]?.email ?? '')
      return fates[n] ?? 'ok'
    }
    const people = Array.from({ length: 25 }, (_, n) => emailOf(n))
    const rows = people.map((email) => `${email},Grace`)
    const { job, change } = await harness.start('subscriber import', `email,first name\n${rows.join('\n')}`)
    for (let n = 0; n < 3; n++) {
      await harness.app.drain()
      await harness.press('resume', job)
    }
    const figures = await harness.store.bulk.figures(job)
    expect(figures).toMatchObject({ done: 24, failed: 1, unknown: 0, left: 0 })
    expect([met.length, new Set(met).size]).toEqual([24, 24])
    // Of which a part was sent is remembered as sent, for a database that forgets it.
    const kept = harness.app.core.sent.all().filter(({ batch }) => batch?.job === job)
    const inParts = [...Map.groupBy(kept, ({ batch }) => batch?.n).values()].filter(
      ({ length }) => length > 1,
    )
    expect(inParts.length).toBeGreaterThan(0)
    for (const parts of inParts) expect(parts.map(({ end }) => end?.state)).toEqual(parts.map(() => 'sent'))
    expect(change.pinned?.total).toBe(25)
    const listed: string[][] = []
    for await (const line of failureLines(harness.store, job)) listed.push(line.split(',').slice(0, 2))
    expect(listed.filter(([, outcome]) => outcome !== 'different')).toEqual(
      people.filter((one) => !met.includes(one)).map((one) => [one, 'failed']),
    )
  })

  it('sends a status that the documents do not name, with a warning', async () => {
    const asked = harness.changeOf(
      await harness.withFile('subscriber import', `email,status\n${emailOf(7)},Sleeping`),
    )
    expect(notesIn(asked.preview)).toContain('The documents name no status sleeping')
    await harness.press('confirm', asked.id)
    await harness.app.drain()
    expect(service.updates).toEqual([{ email: emailOf(7), body: { status: 'sleeping' } }])
  })

  it.each([
    ['an unknown column', 'email,nickname\na@b.io,x', 'unknown column: nickname'],
    ['no address column', 'name\nAda', 'no column called email'],
    ['a column twice', 'email,mail\na@b.io,a@b.io', 'two columns are both email'],
    ['a header alone', 'email,company', 'it has no rows'],
    ['nothing new', `email,first name\n${emailOf(5)},First5`, '1 are already up to date'],
    ['a quote that never closes', 'email\n"a', 'is never closed'],
  ])('refuses a file with %s', async (_, content, words) => {
    expect(textOf(await harness.withFile('subscriber import', content))).toContain(words)
  })

  it('leaves out unknown columns when told to', async () => {
    const content = `email,nickname,company\n${emailOf(6)},x,New`
    const asked = harness.changeOf(await harness.withFile('subscriber import --ignore-unknown', content))
    expect(factsIn(asked.preview)['Columns left out']).toBe('nickname')
  })

  it('asks for its file by name where none is attached', async () => {
    expect(textOf(await harness.say('subscriber import'))).toContain('subscriber import needs file.')
    expect(textOf(await harness.withFile('subscriber stats', 'x'))).toContain(
      'subscriber stats takes no file.',
    )
  })
})

describe('subscriber export', () => {
  it('hands over every page as a file that a spreadsheet can open safely', async () => {
    const reply = await harness.say('subscriber export')
    if (reply.kind !== 'answer') throw new Error(textOf(reply))
    expect(reply.view.title).toBe('25,000 subscribers as a CSV file')
    const path = reply.file?.path ?? ''
    const rows = [...readCsv(readFileSync(path, 'utf8'))].map(({ cells }) => cells)
    expect(rows).toHaveLength(25_001)
    expect(rows[1]?.slice(0, 8)).toEqual([
      emailOf(0),
      'First0',
      'Last0',
      'subscribed',
      '0',
      'customer',
      'Company, 0',
      "'=1+1",
    ])
    expect(new Set(rows.map(([email]) => email)).size).toBe(25_001)
    expect(readFileSync(path, 'utf8')).not.toMatch(/(^|,|\n)"?[=+@]/)
  })

  it('learns links of the first two thousand people, and fills the database with no more', async () => {
    await harness.say('subscriber export')
    const { learner, store } = harness.app.core
    await learner.flush()
    const linksOf = async (n: number) => (await store.links.of([{ kind: 'email', id: emailOf(n) }])).length
    expect(await Promise.all([0, 1_999, 2_000, 24_999].map(linksOf))).toEqual([1, 1, 0, 0])
  })

  it('exports what an import understands', async () => {
    const exported = `email,first name,lead score,tags,company,position\n${emailOf(7)},First7,7,customer,"Company, 7",'=1+1\n`
    expect(textOf(await harness.withFile('subscriber import', exported))).toContain(
      '1 are already up to date',
    )
  })
})
