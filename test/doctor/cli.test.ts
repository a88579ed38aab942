import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { scopes } from '../../adapters/slack/manifest.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../../sandbox/service-settings.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { runTool } from '../harness/tool.ts'
import { serve } from './server.ts'

const policy = `version: 1
people: [{ id: ann, name: Ann, slack: U1, discord: "400000000000000001", roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } }
`

const secrets = {
  SLACK_BOT_TOKEN: 'xoxb-hidden-1',
  SLACK_APP_TOKEN: 'xapp-hidden-2',
  DISCORD_TOKEN: 'discord.hidden.token-3',
}

/** Services and messengers that work, and the environment that leads to them. */
const openWorld = async ({ commands = discordCommandsOf(commandsWith()) as unknown[] } = {}) => {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const slack = await serve(() => ({
    headers: { 'x-oauth-scopes': Object.keys(scopes).join(',') },
    body: { ok: true, team: 'Acme', user: 'bellhop', url: 'wss://example.com' },
  }))
  const discord = await serve(({ url }) => ({
    body: url?.endsWith('/commands')
      ? commands
      : url?.endsWith('/applications/@me')
        ? { id: '42', interactions_endpoint_url: null }
        : { username: 'bellhop' },
  }))
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.yml'), policy)
  return {
    ...secrets,
    ...serviceSettingsOf(sandbox),
    SLACK_API_URL: `${slack.url}/api/`,
    DISCORD_APPLICATION_ID: '42',
    DISCORD_API_URL: `${discord.url}/api`,
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    DATA_DIR: join(folder, 'data'),
  }
}

const doctor = async (env: Record<string, string>) => {
  const { code, out, err } = await runTool('doctor', [], { env })
  const lines = out.trimEnd().split('\n')
  expect(err).toBe('')
  for (const secret of Object.values(secrets)) expect(out).not.toContain(secret)
  return { code, lines, failed: lines.filter((line) => line.startsWith('FAIL')) }
}

test('a world in order is well, line by line', async () => {
  const { code, lines, failed } = await doctor(await openWorld())
  expect({ code, failed }).toEqual({ code: 0, failed: [] })
  const about = lines.slice(0, -2).map((line) => /^ok {4}(\w+)/.exec(line)?.[1])
  expect(new Set(about)).toEqual(
    new Set([
      'witnesses',
      'mcp',
      'configuration',
      'policy',
      'database',
      'email',
      'chat',
      'billing',
      'slack',
      'discord',
      'console',
    ]),
  )
  expect(lines.at(-1)).toBe('Everything is working.')
})

test('the demo is well without anything to call', async () => {
  const { code, lines } = await doctor({ DATA_DIR: join(newFolder(), 'data') })
  expect(code).toBe(0)
  expect(lines.join('\n')).toMatch(/slack +off.*SLACK_BOT_TOKEN[\s\S]*discord +off.*DISCORD_TOKEN/)
})

test('each fault is a line with what to do, and the exit code tells', async () => {
  const world = await openWorld({ commands: discordCommandsOf(commandsWith()).slice(1) })
  const { code, lines, failed } = await doctor({
    ...world,
    CHAT_API_KEY: 'wrong',
    SLACK_API_URL: 'http://127.0.0.1:9',
  })
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(/^FAIL {2}chat .*Check CHAT_API_KEY\.$/),
    expect.stringMatching(/^FAIL {2}slack .*cannot be reached/),
    expect.stringMatching(/^FAIL {2}slack .*cannot be reached/),
    expect.stringMatching(/^FAIL {2}discord .*\(\+ \/\w+\)\..*npm run register/),
  ])
  expect(lines.at(-1)).toMatch(/^4 of \d+ need attention\.$/)
})

test('a configuration that cannot be read is told whole, and nothing is called', async () => {
  const { code, failed } = await doctor({ ...secrets, SANDBOX: 'on', PORT: 'x', BELLHOP_CONFIG: '/nowhere' })
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(/^FAIL {2}configuration .*DISCORD_APPLICATION_ID/),
    expect.stringMatching(/^FAIL {2}configuration .*PORT/),
    expect.stringMatching(/^FAIL {2}configuration .*\/nowhere/),
  ])
})

test('without a policy file everything else is still looked at', async () => {
  const world = await openWorld()
  const { code, lines, failed } = await doctor({
    ...world,
    CHAT_API_KEY: 'wrong',
    BELLHOP_CONFIG: '/nowhere',
  })
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(/^FAIL {2}configuration .*\/nowhere/),
    expect.stringMatching(/^FAIL {2}chat .*Check CHAT_API_KEY\.$/),
  ])
  expect(lines.join('\n')).toMatch(/ok {4}email[\s\S]*ok {4}billing[\s\S]*ok {4}slack[\s\S]*ok {4}discord/)
})
