import { startEmailService } from '../test/harness/many-people.ts'

/** The email service of the bulk bench, in a process of its own so that its memory and its work are not ours. */
const [subscribers = '0', delayMs = '0'] = process.argv.slice(2)
const service = await startEmailService({ subscribers: Number(subscribers), delay: () => Number(delayMs) })
process.send?.(service.baseUrl)
