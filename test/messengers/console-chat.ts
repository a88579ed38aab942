import { afterAll } from 'vitest'
import { textOfView } from '../../src/view/text.ts'
import { labelOf } from '../../src/view/words.ts'
import { createCaller, listen } from '../console/caller.ts'
import { openConsole } from '../console/open.ts'
import { type Chat, chatPolicy, everybody, type Seen, type Who } from './chat.ts'

type Pressed = { verb: string; id: string; message: string }

export const openConsoleChat = async (): Promise<Chat> => {
  const opened = await openConsole({ policy: chatPolicy })
  const caller = createCaller(opened)
  const pages = new Map<Who, Awaited<ReturnType<typeof listen>>>()
  for (const who of everybody) pages.set(who, await listen(opened, who))
  afterAll(async () => {
    for (const page of pages.values()) await page.close()
  })
  const messages = (who: Who) => pages.get(who)?.messages() ?? []
  const pressed = new Map<Who, Pressed>()
  return {
    messenger: opened.console.messenger,
    store: opened.store,
    sandbox: opened.sandbox,
    channel: 'console',
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
                words: textOfView(body.view),
                buttons: (body.view.actions ?? []).map(({ verb }) => labelOf[verb]),
              },
            ],
      ),
    presses: async (who, { id }, label) => {
      const message = messages(who).find((one) => one.id === id)
      const action =
        message?.body.kind === 'view'
          ? message.body.view.actions?.find(({ verb }) => labelOf[verb] === label)
          : undefined
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
