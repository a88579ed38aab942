import type { RequestEnd } from '../../../src/kernel/messenger/messenger.ts'
import { slackErrorCode, toSlackMessengerError } from '../api/errors.ts'
import { limits } from '../api/limits.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { ellipsize } from '../render/text.ts'
import type { stepOutputs } from './step-definitions.ts'
import { readStepHandle } from './step-handle.ts'

/**
 * Ends the run of a step: well if the change was made, and otherwise with why not. It is called with the bot's own token,
 * because the one that comes with the run has expired long before people have decided.
 */
export const completeStep = async (
  { web, log }: Pick<SlackContext, 'web' | 'log'>,
  handle: string,
  { id, state, message }: RequestEnd,
): Promise<void> => {
  const { execution } = readStepHandle(handle)
  const run = { function_execution_id: execution }
  try {
    if (state === 'applied') {
      const outputs = { change_id: id ?? '', state, message } satisfies Record<
        keyof typeof stepOutputs,
        string
      >
      await web.functions.completeSuccess({ ...run, outputs })
    } else {
      const why = id === null ? message : `${message} (change ${id}, ${state})`
      await web.functions.completeError({ ...run, error: ellipsize(why, limits.step.error) })
    }
  } catch (error) {
    // It was ended before, by the process that died or by whoever cancelled the workflow, or is no longer ours.
    if (!endedErrors.has(slackErrorCode(error) ?? '')) throw toSlackMessengerError(error)
    log.info({ code: slackErrorCode(error) }, 'the step of a workflow has ended already')
  }
}

const endedErrors: ReadonlySet<string> = new Set([
  'access_denied',
  'execution_not_in_running_state',
  'function_execution_not_found',
])
