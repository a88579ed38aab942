import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStub } from '../prove/fuzz/in-process-bot.ts'
import { provePolicy } from '../prove/policy.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../sandbox/service-settings.ts'
import { createState } from '../test/discord/fake/state.ts'

/** Everything that the bot talks to, as cheap as it can be, and the environment that leads there. */
export type BenchEnvironment = {
  sandbox: Sandbox
  env: { slack: Record<string, string>; discord: Record<string, string> }
  discord: ReturnType<typeof createState>
  responseUrl: string
  /** How often each platform was called, by the last word of the path. */
  calls: Map<string, number>
  close(): Promise<void>
}

export const slackSecret = 'bench-signing-secret'

/** `onCall` hears of every call to a platform, with the number that its answer carries. */
export const openBenchEnvironment = async (
  onCall: (path: string, body: string, id: string) => void = () => undefined,
): Promise<BenchEnvironment> => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'))
  writeFileSync(join(folder, 'bellhop.yml'), provePolicy)
  const sandbox = await startSandbox()
  const discord = createState()
  const calls: BenchEnvironment['calls'] = new Map()
  let serial = 0
  const platforms = await startStub((path, sent) => {
    const method = path.split('?')[0]?.split('/').at(-1) ?? ''
    calls.set(method, (calls.get(method) ?? 0) + 1)
    if (path.endsWith('/commands')) return { body: [] }
    const id = String(++serial)
    onCall(path, sent, id)
    return {
      body: {
        ok: true,
        id,
        ts: `${id}.1`,
        channel: 'C0ROOM',
        channel_id: 'C0ROOM',
        user_id: 'U0B',
        bot_id: 'B0',
        team_id: 'T0',
      },
    }
  })
  const common = {
    DATA_DIR: join(folder, 'data'),
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    ...serviceSettingsOf(sandbox),
  }
  return {
    sandbox,
    discord,
    calls,
    responseUrl: `${platforms.url}/response/{number}`,
    env: {
      slack: {
        ...common,
        SLACK_BOT_TOKEN: 'xoxb-bench',
        SLACK_SIGNING_SECRET: slackSecret,
        SLACK_API_URL: `${platforms.url}/api/`,
      },
      discord: {
        ...common,
        DISCORD_TOKEN: 'bench',
        DISCORD_APPLICATION_ID: discord.applicationId,
        DISCORD_PUBLIC_KEY: discord.publicKey,
        DISCORD_GATEWAY: 'off',
        DISCORD_API_URL: `${platforms.url}/api`,
      },
    },
    close: async () => {
      await Promise.all([platforms.close(), sandbox.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
