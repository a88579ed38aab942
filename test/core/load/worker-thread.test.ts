import { expect, onTestFinished, test, vi } from 'vitest'
import { createWorkerThread } from '../../../src/kernel/load/worker-thread.ts'
import { createSerialPerPerson } from '../../../src/lib/limits/admission.ts'

const script = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const serialPerPerson = createSerialPerPerson(1)
const limits = { ms: 30_000, memoryMb: 32 }
const start = (code: string, answers = {}, over = {}) =>
  createWorkerThread(serialPerPerson, { ...limits, ...over, thread: script(code) })({
    ...{ entry: new URL('file:///work.ts'), input: { n: 1 }, answers, person: 'ada' },
  })

const port = `import { parentPort, workerData } from 'node:worker_threads';`

test('work in a thread is given its input, asks for what it needs, and hands its result back', async () => {
  const code = `${port} parentPort.once('message', (two) => parentPort.postMessage({ result: workerData.input.n + two }));
    parentPort.postMessage({ ask: 'number', about: 'two' })`
  expect(await start(code, { number: async (name: unknown) => (name === 'two' ? 2 : 0) })).toEqual({
    ok: true,
    value: 3,
  })
})

test('it sees nothing of the environment', async () => {
  vi.stubEnv('A_SECRET', 'secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await start(`${port} parentPort.postMessage({ result: Object.keys(process.env) })`)).toEqual({
    ok: true,
    value: [],
  })
})

test.each([
  ['never ends', 'for (;;);', { ms: 50 }],
  ['fills the memory', 'const all = []; for (;;) all.push(new Array(1e5).fill({}))', {}],
])('work that %s is ended, and whoever asked reads what to do', async (_, code, over) => {
  expect(await start(code, {}, over)).toMatchObject({ ok: false, refusal: { code: 'too_slow' } })
})

test('one piece of work of a person runs at a time, and few wait', async () => {
  const held = Promise.withResolvers<number>()
  const code = `${port} parentPort.once('message', (result) => parentPort.postMessage({ result }));
    parentPort.postMessage({ ask: 'number' })`
  const [first, second, third] = [1, 2, 3].map(() => start(code, { number: () => held.promise }))
  expect(await third).toMatchObject({ ok: false, refusal: { code: 'too_many_requests' } })
  held.resolve(7)
  expect(await Promise.all([first, second])).toEqual([
    { ok: true, value: 7 },
    { ok: true, value: 7 },
  ])
})

test('what breaks in the thread breaks the request', async () => {
  await expect(start('throw new Error("broken")')).rejects.toThrow('broken')
  await expect(
    start(`${port} parentPort.once('message', () => undefined); parentPort.postMessage({ ask: 'number' })`, {
      number: () => Promise.reject(new Error('the database is away')),
    }),
  ).rejects.toThrow('the database is away')
})
