import { type ConfigReading, isOn } from '../../src/kernel/messenger/definition.ts'
import { defined } from '../../src/lib/defined.ts'

export type DiscordConfig = {
  token: string
  applicationId: string
  /** Turns the HTTP endpoint on. */
  publicKey?: string | undefined
  gateway: boolean
  apiUrl?: string | undefined
}

export const readDiscordConfig = ({ env, problems }: ConfigReading): DiscordConfig | undefined => {
  const { DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: applicationId, DISCORD_PUBLIC_KEY: publicKey } = env
  if (token === undefined && applicationId === undefined && publicKey === undefined) return undefined
  if (token === undefined) problems.push('DISCORD_TOKEN is missing: it is the token of your Discord bot.')
  if (applicationId === undefined) {
    problems.push(
      'DISCORD_APPLICATION_ID is missing: it stands on the General Information page of your application.',
    )
  }
  if (publicKey !== undefined && !/^[0-9a-f]{64}$/i.test(publicKey)) {
    problems.push(
      'DISCORD_PUBLIC_KEY must be the 64 hexadecimal characters of your application’s public key.',
    )
  }
  const gateway = env.DISCORD_GATEWAY === undefined || isOn(env.DISCORD_GATEWAY)
  if (!gateway && publicKey === undefined) {
    problems.push('DISCORD_GATEWAY is off, so DISCORD_PUBLIC_KEY must be set for the HTTP endpoint.')
  }
  return {
    token: token ?? '',
    applicationId: applicationId ?? '',
    gateway,
    ...defined({ publicKey, apiUrl: env.DISCORD_API_URL }),
  }
}
