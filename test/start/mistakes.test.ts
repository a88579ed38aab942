import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { ConfigError, readConfig } from '../../src/cli/start/config.ts'
import { newFolder, refusedStart, startProcess } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'

const slack = { SLACK_BOT_TOKEN: 'xoxb-not-to-be-shown', SLACK_SIGNING_SECRET: 'hush-not-to-be-shown' }

const mistakes: { mistake: string; env: Record<string, string>; says: RegExp[] }[] = [
  {
    mistake: 'a service without its key',
    env: { EMAIL_BASE_URL: 'http://127.0.0.1:9/api/v2' },
    says: [/^EMAIL_BASE_URL is set, so EMAIL_API_KEY must be set too\.$/, /^\.\/bellhop\.yml cannot be read/],
  },
  {
    mistake: 'an address that holds more than one, and a key that no header can carry',
    env: {
      EMAIL_BASE_URL: 'http://me:not-to-be-shown@127.0.0.1:9/api/v2',
      EMAIL_API_KEY: 'not-to-\nbe-shown',
      CHAT_BASE_URL: 'HTTP://127.0.0.1:9/api/v1?x=1',
      CHAT_API_KEY: 'schlüssel-not-to-be-shown',
    },
    says: [
      /^EMAIL_BASE_URL must hold nothing but the address/,
      /^EMAIL_API_KEY holds a line break/,
      /^CHAT_BASE_URL must hold nothing but the address/,
      /^CHAT_API_KEY holds a line break or a letter/,
      /^\.\/bellhop\.yml cannot be read/,
    ],
  },
  {
    mistake: 'Slack over services that are not set',
    env: slack,
    says: [
      /^EMAIL_BASE_URL is not set\..*SANDBOX=on/,
      /^CHAT_BASE_URL is not set\..*SANDBOX=on/,
      /^BILLING_BASE_URL is not set\..*SANDBOX=on/,
      /^\.\/bellhop\.yml cannot be read/,
    ],
  },
  {
    mistake: 'a Slack token without a way to receive',
    env: { SLACK_BOT_TOKEN: slack.SLACK_BOT_TOKEN, SANDBOX: 'on' },
    says: [/SLACK_SIGNING_SECRET .*or SLACK_APP_TOKEN/, /^\.\/bellhop\.yml cannot be read/],
  },
  {
    mistake: 'Discord without its application',
    env: { DISCORD_TOKEN: 'discord-not-to-be-shown', SANDBOX: 'on' },
    says: [/^DISCORD_APPLICATION_ID is missing/, /^\.\/bellhop\.yml cannot be read/],
  },
  { mistake: 'a port that is none', env: { PORT: '70000' }, says: [/^PORT must be a number .*"70000"/] },
  {
    mistake: 'switches that are neither on nor off',
    env: { CONSOLE: 'maybe', SANDBOX: 'onn', DISCORD_GATEWAY: 'offf' },
    says: [
      /^SANDBOX must be on or off, not "onn"\.$/,
      /^DISCORD_GATEWAY must be on or off, not "offf"\.$/,
      /^CONSOLE must be on or off, not "maybe"\.$/,
    ],
  },
  {
    mistake: 'a console outside the demo without an address for its links',
    env: { ...slack, CONSOLE: 'on', SANDBOX: 'on', PUBLIC_URL: 'bellhop.example.com' },
    says: [/^CONSOLE is on, so PUBLIC_URL must be .* https:/, /^\.\/bellhop\.yml cannot be read/],
  },
  { mistake: 'a log level that is none', env: { LOG_LEVEL: 'loud' }, says: [/^LOG_LEVEL must be one of/] },
  {
    mistake: 'a database address of another kind',
    env: { DATABASE_URL: 'mysql://root:not-to-be-shown@db/x' },
    says: [/^DATABASE_URL must start with postgres/],
  },
  {
    mistake: 'a policy file that is not there',
    env: { BELLHOP_CONFIG: '/nowhere/bellhop.yml' },
    says: [/^\/nowhere\/bellhop\.yml cannot be read/],
  },
]
const commands = commandsWith().all

test.for(mistakes)('$mistake is told in a sentence each, all at once', ({ env, says }) => {
  const lines = problemsOf({ DATA_DIR: '/nowhere', ...env })
  expect(lines).toHaveLength(says.length)
  for (const [at, sentence] of says.entries()) expect(lines[at]).toMatch(sentence)
  expect(lines.join('\n')).not.toMatch(/not-to-be-shown/)
})

test('a start tells them on lines of their own, and ends', async () => {
  const env = Object.assign({}, ...mistakes.map((each) => each.env))
  const { code, out, lines } = await refusedStart({ DATA_DIR: newFolder(), ...env })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(lines).toEqual(problemsOf({ DATA_DIR: newFolder(), ...env }))
  expect(lines.length).toBeGreaterThan(8)
  expect(lines.join('\n')).not.toMatch(/not-to-be-shown|^ +at /m)
})

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env, commands, messengers)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('a broken policy is told with its file, line and column', async () => {
  const file = join(newFolder(), 'bellhop.yml')
  writeFileSync(file, 'version: 1\npeople:\n  - { id: a, name: A, roles: [nobody] }\nroles: {}\n')
  const { code, lines } = await refusedStart({ BELLHOP_CONFIG: file, DATA_DIR: newFolder() })
  expect(code).toBe(1)
  expect(lines[0]).toMatch(/bellhop\.yml:3:\d+: .*nobody/)
  expect(lines.join('\n')).not.toMatch(/^ +at /m)
})

test('a data folder that cannot be made is told in a sentence', async () => {
  const folder = newFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  chmodSync(file, 0o400)
  const { code, lines } = await refusedStart({ DATA_DIR: join(file, 'data'), CONSOLE: 'off', PORT: '0' })
  expect(code).toBe(1)
  expect(lines).toEqual([expect.stringContaining(join(file, 'data'))])
})

test.each(['not a host', '203.0.113.9'])('HOST=%s, which is no address of ours, is told', async (HOST) => {
  const { code, lines } = await refusedStart({ HOST, DATA_DIR: newFolder(), CONSOLE: 'off', PORT: '0' })
  expect(code).toBe(1)
  expect(lines).toEqual([expect.stringContaining(`HOST=${HOST} is no address of this machine.`)])
})

test('a data folder where nobody can make one is told and not tried for ever', async () => {
  const { code, lines } = await refusedStart({ DATA_DIR: '/proc/bellhop/data', CONSOLE: 'off', PORT: '0' })
  expect(code).toBe(1)
  expect(lines).toEqual([expect.stringMatching(/data folder .* cannot be made\. Look at .*npm run doctor/)])
})

test('a database that does not answer yet is waited for, and that is told without its password', async () => {
  const bot = startProcess({
    env: {
      DATABASE_URL: 'postgres://bellhop:not-to-be-shown@127.0.0.1:9/bellhop',
      CONSOLE: 'off',
      PORT: '0',
    },
  })
  await expect.poll(bot.err).toBe('The database does not answer. Waiting for it, at most 60 seconds.\n')
})
