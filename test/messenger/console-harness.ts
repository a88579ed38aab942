import { verbs } from '../../src/lib/view/button-labels.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { Action } from '../../src/lib/view/view.ts'
import { createApiClient, openEventStream } from '../console/api-client.ts'
import { openConsoleHarness } from '../console/harness.ts'
import { whenDone } from '../harness/when-done.ts'
import {
  everybody,
  type MessengerHarness,
  messengerPolicy,
  type Seen,
  type Who,
} from './messenger-harness.ts'

type Pressed = { verb: string; id: string; message: string }

export const openConsoleConversation = async (): Promise<MessengerHarness> => {
  const opened = await openConsoleHarness({ policy: messengerPolicy })
  const caller = createApiClient(opened)
  const pages = new Map<Who, Awaited<ReturnType<typeof openEventStream>>>()
  for (const who of everybody) pages.set(who, await openEventStream(opened, who))
  whenDone(async () => {
    for (const page of pages.values()) await page.close()
  })
  const messages = (who: Who) => pages.get(who)?.messages() ?? []
  const pressed = new Map<Who, Pressed>()
  return {
    messenger: opened.console.messenger,
    store: opened.store,
    db: opened.db,
    sandbox: opened.sandbox,
    channel: 'console',
    drawsForReader: true,
    accountOf: (who) => who,
    says: async (who, line) => {
      await caller.say(line, who)
    },
    sees: (who) =>
      messages(who).flatMap(({ id, body }): Seen[] =>
        body.kind === 'line'
          ? []
          : [
              {
                id,
                words: textOfView(body.view, { details: true }),
                buttons: (body.view.actions ?? []).filter(({ isMore }) => !isMore).map(labelOf),
              },
            ],
      ),
    presses: async (who, { id }, label) => {
      const action = everybody
        .flatMap((one) => messages(one).filter((message) => message.id === id))
        .flatMap(({ body }) => (body.kind === 'view' ? (body.view.actions ?? []) : []))
        .find((one) => labelOf(one as Action) === label)
      if (action === undefined) throw new Error(`no button ${label}`)
      pressed.set(who, { ...action, message: id })
      await caller.press(action, who, { message: id })
    },
    explains: async (who, reason) => {
      const last = pressed.get(who)
      if (last === undefined) throw new Error('nothing was pressed')
      await caller.press(last, who, { message: last.message, reason })
    },
    refused: () => [],
  }
}

/** Without the sum on it. */
const labelOf = ({ verb, label }: Action): string =>
  (label ?? verbs[verb].label).replace(/^(Approve|Confirm) .+/, '$1')
