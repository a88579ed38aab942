import { parentPort, workerData } from 'node:worker_threads'
import { type LiveMany, liveMany } from './live-many.ts'

const say = (line: string) => parentPort?.postMessage(line)
parentPort?.postMessage(await liveMany(workerData as LiveMany, say))
