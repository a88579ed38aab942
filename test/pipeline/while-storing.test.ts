import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { Stored } from '../../src/kernel/messenger/intake.ts'
import { fromOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { until } from '../harness/until.ts'
import { openHarness } from './harness.ts'

afterEach(() => vi.unstubAllEnvs())

eachEngine('a line that is being stored', (engine) => {
  /** The line, on its way until the test says what became of its delivery. */
  const send = async (line: string, person = 'sam') => {
    const harness = await openHarness({ engine })
    const { sandbox, store } = harness
    sandbox.wire.length = 0
    const stored = Promise.withResolvers<Stored>()
    const reply = harness.handle({
      delivery: 'd1',
      storing: stored.promise,
      from: fromOf(person),
      intent: { kind: 'line', line },
    })
    return {
      reply,
      store: stored.resolve,
      asked: () => sandbox.wire.length,
      entries: async () =>
        (await store.audit.find({ limit: 20 }))
          .map(({ kind }) => kind)
          .filter((kind) => kind !== 'log signed by'),
      changes: () => store.changes.list({ limit: 5 }),
    }
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 60))

  it('asks its service at once if it looks something up, and is answered when it is stored', async () => {
    const { reply, store, asked } = await send('subscriber get ada@example.com')
    await until(() => expect(asked()).toBe(1))
    expect(await Promise.race([reply, settled().then(() => 'waits')])).toBe('waits')
    store('first')
    expect((await reply).kind).toBe('answer')
    expect(asked()).toBe(1)
  })

  it.each(['repeated', 'slow'] as const)('is not answered when it turns out to be %s', async (stored) => {
    const { reply, store, asked } = await send('subscriber get ada@example.com')
    await until(() => expect(asked()).toBe(1))
    store(stored)
    expect(await reply).toEqual({ kind: 'repeated' })
  })

  it('leaves no file of what was found where it turns out to be a copy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'files-'))
    vi.stubEnv('TMPDIR', folder)
    const files = () => readdirSync(folder).filter((name) => name.startsWith('bellhop-file-'))
    const { reply, store } = await send('audit pack', 'fay')
    await until(() => expect(files()).toHaveLength(1))
    store('repeated')
    expect(await reply).toEqual({ kind: 'repeated' })
    await until(() => expect(files()).toEqual([]))
  })

  it('is answered if it cannot be stored', async () => {
    const { reply, store } = await send('subscriber get ada@example.com')
    store('not stored')
    expect((await reply).kind).toBe('answer')
  })

  it('is answered once if no copy of it can be stored, unless it only looks something up', async () => {
    const harness = await openHarness({ engine })
    const send = (delivery: string, stored: Stored, line: string) =>
      harness.handle({
        delivery,
        storing: Promise.resolve(stored),
        from: fromOf('sam'),
        intent: { kind: 'line', line },
      })
    expect((await send('d1', 'not stored', 'refund')).kind).toBe('refused')
    expect((await send('d1', 'not stored', 'refund')).kind).toBe('repeated')
    expect((await send('d2', 'first', 'refund')).kind).toBe('refused')
    expect((await send('d2', 'first', 'refund')).kind).toBe('refused')
  })

  it('is answered with nothing to an agent while agents are frozen, and no service is asked', async () => {
    const harness = await openHarness({ engine })
    await harness.store.freezes.set({ area: 'agents', by: 'fay', name: 'Fay', reason: '', at: 0 })
    harness.sandbox.wire.length = 0
    const reply = await harness.handle({
      storing: Promise.resolve('first'),
      from: { ...fromOf('sam'), through: 'Assistant' },
      intent: { kind: 'line', line: 'subscriber get ada@example.com' },
    })
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'frozen' } })
    expect(harness.sandbox.wire).toEqual([])
  })

  it('does nothing before it is stored if it asks for a change', async () => {
    const { reply, store, asked, entries, changes } = await send('refund pay_1001 60')
    await settled()
    expect([asked(), await changes(), await entries()]).toEqual([0, [], []])
    store('first')
    expect((await reply).kind).toBe('change')
    expect(await changes()).toHaveLength(1)
  })

  it('asks for nothing if it is a copy of one that does', async () => {
    const { reply, store, asked, changes } = await send('refund pay_1001 60')
    store('repeated')
    expect(await reply).toEqual({ kind: 'repeated' })
    expect([asked(), await changes()]).toEqual([0, []])
  })

  it('asks no service and records nothing before it is stored if its sender may not run it', async () => {
    const { reply, store, asked, entries } = await send('subscriber get ada@example.com', 'nobody')
    await settled()
    expect([asked(), await entries()]).toEqual([0, []])
    store('first')
    expect((await reply).kind).toBe('refused')
    expect(await entries()).toEqual(['refused'])
  })

  it.each([
    ['something is missing', 'subscriber get'],
    ['it says when, which a look-up does not take', 'subscriber get ada@example.com --at "tomorrow 9:00"'],
  ])('asks no service if %s', async (_, line) => {
    const { reply, store, asked } = await send(line)
    await settled()
    expect(asked()).toBe(0)
    store('first')
    expect(['form', 'refused']).toContain((await reply).kind)
  })
})
