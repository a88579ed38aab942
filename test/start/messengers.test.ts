import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { serve } from '../doctor/server.ts'
import { newFolder, startBot, stopProcess } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'

const policy = `version: 1
people: [{ id: ann, name: Ann, slack: U1, discord: "400000000000000001", roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } }
`

test('a start with Slack and Discord names both as on, shows no token, and takes only what is signed', async () => {
  const slack = await serve(() => ({
    body: { ok: true, team: 'Acme', team_id: 'T1', user: 'bellhop', user_id: 'UB', bot_id: 'B1' },
  }))
  const discord = await serve(({ url }) => ({
    body: url?.endsWith('/commands') ? discordCommandsOf(commandsWith()) : { id: '42', username: 'bellhop' },
  }))
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.yml'), policy)
  const bot = await startBot({
    SANDBOX: 'on',
    SLACK_BOT_TOKEN: 'xoxb-hidden',
    SLACK_SIGNING_SECRET: 'hidden-signing-secret',
    SLACK_API_URL: `${slack.url}/api/`,
    DISCORD_TOKEN: 'hidden.discord.token',
    DISCORD_APPLICATION_ID: '42',
    DISCORD_PUBLIC_KEY: 'ab'.repeat(32),
    DISCORD_GATEWAY: 'off',
    DISCORD_API_URL: `${discord.url}/api`,
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    DATA_DIR: join(folder, 'data'),
  })
  const [head = '', ...lines] = bot.out().trim().split('\n')
  expect(head).not.toContain('demo')
  for (const name of ['Slack', 'Discord']) {
    const line = lines.find((each) => each.trim().startsWith(name)) ?? ''
    expect(line).not.toBe('')
    expect(line).not.toMatch(/ off\b/)
  }
  for (const path of ['/slack/events', '/discord/interactions']) {
    const refused = await fetch(`${bot.base}${path}`, { method: 'POST', body: '{"type":1}' })
    expect([path, refused.status]).toEqual([path, 401])
  }
  expect(await (await fetch(`${bot.base}/metrics`)).text()).toMatch(
    /bellhop_refused_deliveries_total\{platform="slack",.*\} 1[\s\S]*platform="discord",.*\} 1/,
  )
  expect((await stopProcess(bot)).code).toBe(0)
  expect(`${bot.out()}${bot.err()}`).not.toContain('hidden')
})
