import { afterAll } from 'vitest'
import type { ConsoleConfig } from '../../adapters/console/config.ts'
import { createConsole } from '../../adapters/console/console.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createLog } from '../../src/log.ts'
import type { RunningMessenger } from '../../src/messenger/definition.ts'
import type { View } from '../../src/view/view.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../harness/app.ts'

export type ConsoleHarness = TestApp & {
  console: RunningMessenger
  /** http://127.0.0.1:port */
  base: string
  /** Where a person opens it. */
  page(query?: Record<string, string>): string
  /** Stops the console and its server; the bot goes on. */
  stopConsole(): Promise<void>
}

type Options = TestAppOptions & { entry?: ConsoleConfig['entry']; host?: string }

/** The bot with its console, on a port of its own. */
export const openConsoleHarness = async ({
  entry = { kind: 'demo', token: null },
  host = '127.0.0.1',
  ...options
}: Options = {}): Promise<ConsoleHarness> => {
  const opened = await openTestApp({ ...options, started: false })
  const http = createHttpServer()
  const consoleOf = createConsole({
    bot: opened.app.bot,
    http,
    config: { entry, host, port: 0 },
    previews: {
      Slack: async (view: View) => ({ blocks: [{ type: 'header', text: view.title }] }),
      Discord: async (view: View) => ({ flags: 32768, components: [{ type: 10, content: view.title }] }),
    },
    log: createLog('silent'),
  })
  opened.app.join(consoleOf.messenger)
  await opened.app.start()
  const base = await http.listen({ host, port: 0 })
  const close = async () => {
    await consoleOf.stop()
    await http.close()
  }
  afterAll(close)
  return {
    ...opened,
    console: consoleOf,
    base,
    page: (query = {}) => `${base}/console?${new URLSearchParams(query)}`,
    stopConsole: close,
  }
}
