import { randomBytes } from 'node:crypto'
import { isPrivateHost } from '../../src/http/host.ts'
import { type ConfigReading, isOn } from '../../src/messenger/definition.ts'

export type ConsoleConfig = {
  /** Required of every page; `null` in the demo, where nobody is asked. */
  token: string | null
  demo: boolean
  host: string
  port: number
}

export const readConsoleConfig = ({
  env,
  demo,
  host,
  port,
  warnings,
}: ConfigReading): ConsoleConfig | undefined => {
  if (env.CONSOLE === undefined ? !demo : !isOn(env.CONSOLE)) return undefined
  const isPrivate = isPrivateHost(host)
  if (!isPrivate) {
    warnings.push(
      `The console is on and HOST is ${host}: anybody who can reach this address and knows its token can act as anybody.`,
    )
  }
  return { token: demo && isPrivate ? null : randomBytes(18).toString('base64url'), demo, host, port }
}
