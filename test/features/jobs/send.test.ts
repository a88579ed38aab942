import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, factsIn } from '../../commands/bot.ts'
import { textOf } from '../../harness/app.ts'
import { csvOf, emailOf, startEmailService } from '../../harness/many-people.ts'
import { whenDone } from '../../harness/when-done.ts'
import { openHarness } from './harness.ts'

const statuses = ['subscribed', 'subscribed', 'subscribed', 'unsubscribed', 'bounced', 'complaint']

describe('recipients from a search or a file', () => {
  let service: Awaited<ReturnType<typeof startEmailService>>
  let harness: Awaited<ReturnType<typeof openHarness>>
  beforeAll(async () => {
    service = await startEmailService({ subscribers: 60, status: (n) => statuses[n % 6] as string })
    harness = await openHarness({ baseUrl: service.baseUrl })
  })
  whenDone(() => service.close())

  it('reports who is left out before anybody is asked, with domains and a sample', async () => {
    const change = harness.changeOf(await harness.say('campaign send cmp_1 --tags customer'))
    expect(change.preview.title).toBe('Send News to 30 people')
    expect(factsIn(change.preview)).toMatchObject({
      Recipients: '30 addresses',
      'Left out': expect.stringMatching(/^(\S+ \((unsubscribed|bounced|complained)\)(, |$)){30}/),
      Domains: expect.stringContaining('.example.com '),
    })
    expect(blocksOf(change.preview, 'list')[0]?.items).toHaveLength(6)
    expect(service.sends).toEqual([])
  })

  it('takes in those whom the line includes, and says so loudly', async () => {
    const change = harness.changeOf(
      await harness.say('campaign send cmp_1 --tags customer --include bounced,complaint'),
    )
    expect(change.preview.title).toBe('Send News to 50 people')
    expect(textOf({ kind: 'share', command: '', view: change.preview })).toContain(
      'Also goes to people who should not get email: bounced, complaint.',
    )
  })

  it('reads a file, and counts what is invalid, repeated, unsubscribed or unknown', async () => {
    const file = csvOf([
      emailOf(0),
      emailOf(0).toUpperCase(),
      emailOf(3),
      'nobody@else.where',
      'not an address',
    ])
    const change = harness.changeOf(await harness.withFile('campaign send cmp_1', file))
    expect(factsIn(change.preview)).toMatchObject({
      Recipients: '2 addresses',
      'Given twice': '1 address',
      'Left out': expect.stringMatching(/^\S+ \(unsubscribed\)$/),
      'Not subscribers': expect.stringMatching(/^\S+@\S+$/),
    })
    expect(change.line).toBe('campaign send cmp_1 --file people.csv')
    expect(JSON.stringify(change)).not.toContain('not an address\\n')
  })

  it('refuses when nobody is left, and says why', async () => {
    const reply = await harness.withFile('campaign send cmp_1', csvOf([emailOf(3), emailOf(4)]))
    expect(reply).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'bad_recipients',
        message: 'Nobody is left to send to: 1 unsubscribed, 1 bounced.',
      },
    })
  })

  it.each([
    ['campaign send cmp_1 ada@example.com --tags customer', 'in one way only'],
    ['campaign send cmp_1', 'campaign send needs emails.'],
    ['campaign send cmp_1 --file people.csv', 'a line of text cannot contain one'],
    ['campaign send cmp_1 --tags x --include nobody', 'only these can be included'],
  ])('refuses %s', async (line, words) => {
    expect(textOf(await harness.say(line))).toContain(words)
  })

  it('keeps a few typed addresses one request, and still leaves out those who want no mail', async () => {
    const asked = harness.changeOf(await harness.say(`campaign send cmp_1 ${emailOf(1)},${emailOf(3)}`))
    expect(factsIn(asked.preview)['Left out']).toMatch(/^\S+ \(unsubscribed\)$/)
    const change = harness.changeOf(await harness.press('confirm', asked.id))
    expect(change.outcome?.message).toBe('Queued 1 email of News.')
    expect(service.sends.splice(0)).toEqual([{ emails: [emailOf(1)], fate: 'ok' }])
  })

  it('sends just the set that was approved, whatever the search would find later', async () => {
    const { change } = await harness.start('campaign send cmp_1 --tags customer')
    expect(change).toMatchObject({
      state: 'applied',
      outcome: { message: expect.stringContaining('Started: 30 in 3 batches') },
    })
    await harness.app.drain()
    const sent = service.sends.splice(0)
    expect(sent.map(({ emails }) => emails.length)).toEqual([10, 10, 10])
    expect(new Set(sent.flatMap(({ emails }) => emails)).size).toBe(30)
  })

  it('does not send a set that somebody has touched', async () => {
    const asked = harness.changeOf(await harness.say('campaign send cmp_1 --tags customer'))
    await harness.store.bulk.addChunks(asked.pinned?.set ?? '', 99, [['mallory@example.com']])
    expect(harness.changeOf(await harness.press('confirm', asked.id))).toMatchObject({ state: 'voided' })
    expect(service.sends).toEqual([])
  })

  it('knows the same send again', async () => {
    const first = harness.changeOf(await harness.say('campaign send cmp_1 --tags customer'))
    const second = harness.changeOf(
      await harness.withFile('campaign send cmp_1', csvOf(Array.from({ length: 60 }, (_, n) => emailOf(n)))),
    )
    expect(second.intent).toBe(first.intent)
  })
})
