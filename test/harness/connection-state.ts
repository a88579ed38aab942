import { messengerReport } from '../../src/kernel/messenger/connection.ts'
import type { RunningMessenger } from '../../src/kernel/messenger/definition.ts'
import { messengerWords } from '../../src/kernel/model/connection.ts'

/** How a messenger stands, as `bellhop status` and the banner say it. */
export const stateOf = (running: RunningMessenger): string => messengerWords(messengerReport('', running))

/** The state of one of its connections. */
export const connectionOf = (running: RunningMessenger, name: string) => {
  const found = running.connections.find((one) => one.report().name === name)
  if (found === undefined) throw new Error(`there is no connection ${name}`)
  return found.report()
}
