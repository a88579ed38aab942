import { z } from 'zod'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'

/** The run of a step that waits: stored with the change, so that any process can end it. */
const stepHandle = z.object({ execution: z.string(), team: z.string() })
export type StepHandle = z.infer<typeof stepHandle>

export const toStepHandle = ({ execution, team }: StepHandle): string => JSON.stringify({ execution, team })

export const readStepHandle = (text: string): StepHandle => {
  try {
    return stepHandle.parse(JSON.parse(text))
  } catch {
    throw new MessengerError('gone', 'this is no step of a workflow')
  }
}
