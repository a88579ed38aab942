import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureLines } from '../../../src/features/jobs/failures.ts'
import { startJob } from '../../../src/kernel/change/applying/start-set.ts'
import type { OutFile } from '../../../src/kernel/command/define.ts'
import type { Pinned } from '../../../src/kernel/model/change.ts'
import { putProgress } from '../../../src/kernel/store/bulk.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { gone } from '../../approvals/fake-messenger.ts'
import { textOf } from '../../harness/app.ts'
import { csvOf, emailOf, type Fate, startEmailService } from '../../harness/many-people.ts'
import { bulkPolicy, openHarness } from './harness.ts'

const people = (count: number) => csvOf(Array.from({ length: count }, (_, n) => emailOf(n)))
const verbsOf = (view: View) => (view.actions ?? []).map(({ verb }) => verb)

let service: Awaited<ReturnType<typeof startEmailService>>
let fate: (n: number) => Fate = () => 'ok'
let delayMs = 0
beforeAll(async () => {
  service = await startEmailService({ fate: (n) => fate(n), delay: () => delayMs })
})
afterAll(() => service.close())

const fresh = async (options: Partial<Parameters<typeof openHarness>[0]> = {}) => {
  fate = () => 'ok'
  delayMs = 0
  service.sends.length = 0
  return openHarness({ baseUrl: service.baseUrl, ...options })
}

const viewOf = async (harness: Awaited<ReturnType<typeof openHarness>>, id: string): Promise<View> => {
  const reply = await harness.say(`job get ${id}`)
  if (reply.kind !== 'answer') throw new Error(textOf(reply))
  return reply.view
}

describe('long work', () => {
  it('rests at Pause, goes on at Resume, and sends each chunk once', async () => {
    const harness = await fresh()
    delayMs = 20
    const { job } = await harness.start('campaign send cmp_1', people(300))
    const running = harness.app.run(job)
    await expect.poll(() => service.sends.length).toBeGreaterThan(3)
    const paused = await harness.press('pause', job)
    expect(paused.kind === 'answer' && verbsOf(paused.view)).toEqual(['resume', 'stop'])
    expect(textOf(paused)).toContain('Paused by Ann.')
    await running
    const before = service.sends.length
    expect(before).toBeLessThan(30)
    await harness.app.drain()
    expect(service.sends).toHaveLength(before)
    const resumed = await harness.press('resume', job, 'bob')
    expect(resumed.kind === 'answer' && verbsOf(resumed.view)).toEqual(['pause', 'stop'])
    await harness.app.drain()
    expect(service.sends).toHaveLength(30)
    expect(new Set(service.sends.flatMap(({ emails }) => emails)).size).toBe(300)
    expect(textOf({ kind: 'share', command: '', view: await viewOf(harness, job) })).toContain(
      'Done, without errors.',
    )
  })

  it('ends at Stop, and lists what was not tried', async () => {
    const harness = await fresh()
    delayMs = 20
    const { job } = await harness.start('campaign send cmp_1', people(300))
    const running = harness.app.run(job)
    await expect.poll(() => service.sends.length).toBeGreaterThan(3)
    await harness.press('stop', job)
    await running
    const figures = await harness.store.bulk.figures(job)
    expect(figures).toMatchObject({ failed: 0, unknown: 0, sending: 0 })
    expect(figures.done + figures.left).toBe(300)
    const listed: (string | undefined)[] = []
    for await (const one of failureLines(harness.store, job)) listed.push(one.split(',')[1])
    expect(listed).toEqual(Array.from({ length: figures.left }, () => 'not tried'))
    expect(await harness.press('resume', job)).toMatchObject({
      kind: 'refused',
      refusal: { message: 'This job was stopped.' },
    })
    await harness.app.drain()
    expect(service.sends.flatMap(({ emails }) => emails)).toHaveLength(figures.done)
  })

  it('is steered by whoever asked and by those who may approve, and by nobody else', async () => {
    const harness = await fresh()
    const { job } = await harness.start('campaign send cmp_1', people(30))
    expect(await harness.press('pause', job, 'eve')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_requester' },
    })
    expect(await harness.say(`job stop ${job}`, 'eve')).toMatchObject({ kind: 'refused' })
    expect(await harness.say(`job pause ${job}`, 'bob')).toMatchObject({ kind: 'answer' })
    const { change } = await harness.start('campaign send cmp_1', people(20))
    expect(await harness.say(`job pause ${change.id}`)).toMatchObject({ kind: 'answer' })
    const listed = textOf(await harness.say('job list'))
    expect(listed).toContain(job)
    expect(await harness.press('pause', 'nothing')).toMatchObject({ refusal: { code: 'no_such_change' } })
  })

  it('is not resumed by its requester once they may no longer run it, but can be paused and stopped', async () => {
    const before = await fresh()
    const { job } = await before.start('campaign send cmp_1', people(30))
    // Under another id by now, with the account that asked.
    const policy = bulkPolicy({ annRoles: '[other]' }).replace('id: ann,', 'id: anna,')
    const harness = await openHarness({ baseUrl: service.baseUrl, store: before.store, policy })
    expect(await harness.press('pause', job)).toMatchObject({ kind: 'answer' })
    expect(await harness.press('resume', job)).toMatchObject({ refusal: { code: 'may_not_run' } })
    await harness.app.drain()
    expect(service.sends).toEqual([])
    expect(await harness.press('stop', job)).toMatchObject({ kind: 'answer' })
  })

  it('that an agent asked for is paused by its owner, and goes on when somebody else says so', async () => {
    const policy = `${bulkPolicy()}agents: [{ id: bot, name: Bot, owner: ann, roles: [growth], token: { env: BOT } }]\n`
    const harness = await fresh({ policy })
    const file = { name: 'people.csv', bytes: Buffer.from(people(30)) }
    const line = { kind: 'line' as const, line: 'campaign send cmp_1', file }
    const asked = harness.changeOf(await harness.handle(line, 'bot', 'mcp'))
    expect(await harness.press('approve', asked.id, 'ann')).toMatchObject({ kind: 'refused' })
    const job = harness.changeOf(await harness.press('approve', asked.id, 'bob')).pinned?.set ?? ''
    expect(await harness.press('pause', job, 'ann')).toMatchObject({ kind: 'answer' })
    expect(await harness.press('resume', job, 'ann')).toMatchObject({ refusal: { code: 'own_request' } })
    expect(await harness.press('resume', job, 'bob')).toMatchObject({ kind: 'answer' })
    await harness.app.drain()
    expect(service.sends).toHaveLength(3)
  })

  it('waits after its first part, shows the figures, and runs the rest after one more click', async () => {
    const harness = await fresh({ policy: bulkPolicy({ rule: 'require: confirm, canary: 10%' }) })
    fate = (n) => (n === 1 ? 'refuse' : 'ok')
    const { job } = await harness.start('campaign send cmp_1', people(200))
    await harness.app.drain()
    expect(service.sends).toHaveLength(2)
    const view = await viewOf(harness, job)
    expect(textOf({ kind: 'share', command: '', view })).toContain(
      'The first part is done (2 of 20 batches): 10 failed.',
    )
    await harness.app.drain()
    expect(service.sends).toHaveLength(2)
    await harness.press('resume', job)
    await harness.app.drain()
    expect(service.sends).toHaveLength(20)
    expect(await harness.store.bulk.figures(job)).toMatchObject({ done: 190, failed: 10, left: 0 })
  })

  it.each([
    ['1%', 50, 1],
    ['10%', 50, 5],
    ['28%', 35, 9],
    ['30%', 8, 2],
    ['7%', 100, 7],
  ])('tries no more than %s of %i first, which is %i', async (canary, count, first) => {
    const harness = await fresh({ policy: bulkPolicy({ rule: `require: confirm, canary: ${canary}` }) })
    const { job } = await harness.start('campaign send cmp_1', people(count))
    await harness.app.drain()
    expect(service.sends.map(({ emails }) => emails.length)).toEqual([first])
    await harness.press('resume', job)
    await harness.app.drain()
    expect(await harness.store.bulk.figures(job)).toMatchObject({ done: count, left: 0 })
  })

  it('tries at least one chunk first, and can be stopped there', async () => {
    const harness = await fresh({ policy: bulkPolicy({ rule: 'require: confirm, canary: 1%' }) })
    const { job } = await harness.start('campaign send cmp_1', people(50))
    await harness.app.drain()
    expect(service.sends).toHaveLength(1)
    await harness.press('stop', job, 'bob')
    await harness.app.drain()
    expect(service.sends).toHaveLength(1)
  })

  it('paused within its first part, still asks before the rest when it is resumed', async () => {
    const harness = await fresh({ policy: bulkPolicy({ rule: 'require: confirm, canary: 10%' }) })
    const { job } = await harness.start('campaign send cmp_1', people(200))
    await harness.press('pause', job)
    await harness.press('resume', job)
    await harness.app.drain()
    expect(service.sends).toHaveLength(2)
    expect((await harness.store.bulk.get(job))?.state).toBe('waiting')
  })

  it('is started once: what was resumed since goes on', async () => {
    const harness = await fresh({ policy: bulkPolicy({ rule: 'require: confirm, canary: 10%' }) })
    const { job, change } = await harness.start('campaign send cmp_1', people(200))
    await harness.app.drain()
    await harness.press('resume', job)
    await startJob(harness.app.core, change, change.pinned as Pinned)
    expect((await harness.store.bulk.get(job))?.upto).toBe(20)
  })

  it('pauses for a freeze that comes while it runs', async () => {
    let now = Date.now()
    const harness = await fresh({ now: () => now })
    delayMs = 20
    const { job } = await harness.start('campaign send cmp_1', people(300))
    const running = harness.app.run(job)
    await expect.poll(() => service.sends.length).toBeGreaterThan(3)
    await harness.store.freezes.set({ area: 'email', by: 'bob', name: 'Bob', reason: 'audit', at: 1 })
    now += 1_001
    await running
    expect((await harness.store.bulk.get(job))?.state).toBe('paused')
    expect(service.sends.length).toBeLessThan(30)
  })

  it('pauses for a freeze, and does not go on before it is lifted', async () => {
    const harness = await fresh()
    const { job } = await harness.start('campaign send cmp_1', people(50))
    await harness.store.freezes.set({ area: 'email', by: 'bob', name: 'Bob', reason: 'audit', at: 1 })
    await harness.app.drain()
    expect(service.sends).toEqual([])
    expect(textOf({ kind: 'share', command: '', view: await viewOf(harness, job) })).toContain(
      'frozen by Bob: audit',
    )
    expect(await harness.press('resume', job)).toMatchObject({ refusal: { code: 'frozen' } })
    await harness.store.freezes.clear('email')
    await harness.press('resume', job)
    await harness.app.drain()
    expect(service.sends).toHaveLength(5)
  })

  it('is in the audit log, step by step', async () => {
    const harness = await fresh()
    const { job, change } = await harness.start('campaign send cmp_1', people(20))
    await harness.press('pause', job)
    await harness.press('resume', job, 'bob')
    await harness.app.drain()
    const entries = await harness.store.audit.find({ changeId: change.id, limit: 20 })
    expect(entries.map(({ kind, who }) => `${kind} ${who}`).reverse()).toEqual([
      'asked ann',
      'confirmed ann',
      'claimed bellhop',
      'applied bellhop',
      'job paused ann',
      'job resumed bob',
      'job done bellhop',
    ])
  })
})

describe('a held change', () => {
  const policy = bulkPolicy({ rule: 'require: { approvals: 1 }, hold: 10m' })

  it('waits, says when it runs, then runs', async () => {
    let now = Date.parse('2026-11-15T10:00:00Z')
    const harness = await fresh({ policy, now: () => now })
    const asked = harness.changeOf(await harness.withFile('campaign send cmp_1', people(20)))
    const approved = await harness.press('approve', asked.id, 'bob')
    expect(harness.changeOf(approved)).toMatchObject({ state: 'approved' })
    expect(textOf(approved)).toContain('It runs at 15 Nov 2026, 10:10 UTC')
    expect(approved.kind === 'change' && verbsOf(approved.view)).toEqual(['cancel', 'show_all'])
    const all = await harness.press('show_all', asked.id, 'bob')
    const file = all.kind === 'answer' ? (all.file?.content ?? '') : ''
    const sent = file.split('What is sent\n')[1] ?? ''
    expect(sent.match(/POST \/campaigns\/send-to-individual$/gm)).toHaveLength(2)
    expect(new Set(sent.match(/\w+@[\w.]+/g)).size).toBe(20)
    now += 4 * 60_000
    await harness.app.drain()
    expect(service.sends).toEqual([])
    expect(harness.messenger.shown('C1').join()).toContain('It runs at 15 Nov 2026, 10:10 UTC')
    now += 6 * 60_000
    await harness.app.drain()
    expect((await harness.store.changes.get(asked.id))?.state).toBe('applied')
    expect(service.sends).toHaveLength(2)
  })

  it.each(['ann', 'bob'])('can be cancelled by %s until then, and by nobody else', async (person) => {
    let now = 1_000_000
    const harness = await fresh({ policy, now: () => now })
    const { id } = harness.changeOf(await harness.withFile('campaign send cmp_1', people(20)))
    await harness.press('approve', id, 'bob')
    expect(await harness.press('cancel', id, 'eve')).toMatchObject({ refusal: { code: 'not_requester' } })
    expect(harness.changeOf(await harness.press('cancel', id, person)).state).toBe('cancelled')
    now += 3_600_000
    await harness.app.drain()
    expect(service.sends).toEqual([])
  })

  it('cannot be cancelled by an approver while it only waits for votes', async () => {
    const harness = await fresh({ policy })
    const { id } = harness.changeOf(await harness.withFile('campaign send cmp_1', people(20)))
    expect(await harness.press('cancel', id, 'bob')).toMatchObject({ refusal: { code: 'not_requester' } })
  })
})

describe('the progress of long work', () => {
  it('is one message where it was asked, edited at most every two seconds, and in the end a summary with a file takes its place', async () => {
    let now = 5_000_000
    const harness = await fresh({ now: () => now })
    fate = (n) => (n === 2 ? 'drop_after' : n === 4 ? 'refuse' : 'ok')
    const files: OutFile[] = []
    const { post } = harness.messenger
    harness.messenger.post = (place, view, file) => {
      if (file !== undefined) files.push(file)
      return post(place, view)
    }
    const { job } = await harness.start('campaign send cmp_1', people(100))
    await harness.app.drain()
    const progress = () =>
      [...harness.messenger.messages.values()].filter(({ versions }) =>
        versions.some(({ blocks }) => blocks.some(({ kind }) => kind === 'progress')),
      )
    expect(progress()).toHaveLength(1)
    const shown = progress()[0]?.versions.length ?? 0
    for (const step of [500, 500, 500, 499]) {
      now += step
      await harness.app.drain()
    }
    expect(progress()[0]?.versions).toHaveLength(shown)
    now += 2_000
    await harness.app.drain()
    const [summary] = progress()
    expect(progress()).toHaveLength(1)
    expect(textOf({ kind: 'share', command: '', view: summary?.versions[0] as View })).toContain('100 of 100')
    expect(summary?.versions[0]?.actions).toBeUndefined()
    expect(textOf({ kind: 'share', command: '', view: summary?.versions[0] as View })).toContain(
      'Done: 10 failed, 10 with an unknown outcome.',
    )
    expect(files).toHaveLength(1)
    const lines = files[0]?.content.trim().split('\r\n') ?? []
    expect(lines[0]).toBe('email,outcome,why,batch')
    expect(lines.filter((line) => line.includes(',failed,'))).toHaveLength(10)
    expect(lines.filter((line) => line.includes(',unknown,'))).toHaveLength(10)
    now += 10_000
    await putProgress(harness.store, job, now)
    await harness.app.drain()
    expect(progress()).toHaveLength(1)
  })

  it('is told aside where the channel is closed to us', async () => {
    const harness = await fresh()
    harness.messenger.fail({ call: 'post', error: gone() })
    await harness.start('campaign send cmp_1', people(20))
    await harness.app.drain()
    expect(harness.messenger.shown('U1').join()).toContain('of 20')
  })
})
