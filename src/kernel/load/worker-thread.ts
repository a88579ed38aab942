import { Worker } from 'node:worker_threads'
import type { SerialPerPerson } from '../../lib/limits/admission.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'

/** What the work may ask of this side, one thing at a time; questions and answers are plain data. */
type Asked = Readonly<Record<string, (about: unknown) => Promise<unknown>>>

/** Work that can be long, in a thread of its own that ends with it: whoever decides or freezes does not wait for it. */
export type WorkerThread = (work: {
  /** A file that exports `work`, which is given the input and `ThreadDeps`. */
  entry: URL
  input: unknown
  answers: Asked
  /** One piece of work of a person at a time. */
  person: string
}) => Promise<Result<unknown>>

/** `thread` is a file that calls `serveThread`. */
type Limits = { ms: number; thread: URL; memoryMb?: number }

export const createWorkerThread =
  (serialPerPerson: SerialPerPerson, { ms, thread, memoryMb = 256 }: Limits): WorkerThread =>
  ({ entry, input, answers, person }) =>
    serialPerPerson(person, () => inThread({ entry: entry.href, input }, answers, { ms, thread, memoryMb }))

const tooLong = refusal('too_slow', 'This takes longer, or more memory, than one request is given.')

const inThread = async (
  workerData: { entry: string; input: unknown },
  answers: Asked,
  { ms, thread, memoryMb }: Required<Limits>,
): Promise<Result<unknown>> => {
  // Imported, and by its address as it is spelled: see run.js about Bellhop as an installed package.
  const worker = new Worker(`import(${JSON.stringify(thread.href)})`, {
    eval: true,
    workerData,
    // It reads nothing of the environment, where the secrets are.
    env: {},
    execArgv: ['--preserve-symlinks'],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const ended = Promise.withResolvers<Result<unknown>>()
  const timer = setTimeout(() => ended.resolve(no(tooLong)), ms)
  worker.on('message', (message: { result: unknown } | { ask: string; about: unknown }) => {
    if ('result' in message) return ended.resolve(ok(message.result))
    answers[message.ask]?.(message.about).then((answer) => worker.postMessage(answer), ended.reject)
  })
  worker.on('error', (error) => (isOutOfMemory(error) ? ended.resolve(no(tooLong)) : ended.reject(error)))
  try {
    return await ended.promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
