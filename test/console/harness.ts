import type { ConsoleConfig } from '../../adapters/console/config.ts'
import { createConsole } from '../../adapters/console/console.ts'
import { discordDefinition } from '../../adapters/discord/definition.ts'
import { slackDefinition } from '../../adapters/slack/definition.ts'
import type {
  MessengerDefinition,
  Previews,
  RunningMessenger,
} from '../../src/kernel/messenger/definition.ts'
import type { Messenger } from '../../src/kernel/messenger/messenger.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createLog } from '../../src/lib/log.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { whenDone } from '../harness/when-done.ts'

export type ConsoleHarness = TestApp & {
  console: RunningMessenger
  /** http://127.0.0.1:port */
  base: string
  /** Where a person opens it. */
  page(query?: Record<string, string>): string
  /** Stops the console and its server; the bot goes on. */
  stopConsole(): Promise<void>
}

type Options = TestAppOptions & { entry?: ConsoleConfig['entry']; host?: string; port?: number }

const previewOf =
  ({ preview }: Pick<MessengerDefinition, 'preview'>): Previews[string] =>
  async (view) =>
    (await preview?.(view)) ?? { json: null, drawing: '' }

/** The bot with its console, on a port of its own. */
export const openConsoleHarness = async ({
  entry = { kind: 'demo', token: null },
  host = '127.0.0.1',
  port = 0,
  ...options
}: Options = {}): Promise<ConsoleHarness> => {
  const opened = await openTestApp({ policy: `${demoPolicy}\nunseen: pass\n`, ...options, started: false })
  const http = createHttpServer()
  const consoleOf = createConsole({
    bot: opened.app.bot,
    http,
    config: { entry, host, port },
    previews: {
      Slack: previewOf(slackDefinition),
      Discord: previewOf(discordDefinition),
    },
    log: createLog('silent'),
  })
  opened.app.join(consoleOf.messenger)
  if (entry.kind === 'sign-in') opened.app.join(silentSlack)
  await opened.app.start()
  const base = await http.listen({ host, port })
  const close = async () => {
    await consoleOf.stop()
    await http.close()
  }
  whenDone(close)
  return {
    ...opened,
    console: consoleOf,
    base,
    page: (query = {}) => `${base}/console?${new URLSearchParams(query)}`,
    stopConsole: close,
  }
}

/** Links to sign in are asked for in a messenger. */
const silentSlack: Messenger = {
  platform: 'slack',
  post: async () => '',
  edit: async () => undefined,
  direct: async () => '',
}
