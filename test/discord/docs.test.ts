import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { createCommands } from '../../commands/index.ts'
import { policyOf } from '../harness/app.ts'
import { startFakeDiscord } from './fake/discord.ts'

const doc = readFileSync(new URL('../../docs/discord.md', import.meta.url), 'utf8')

describe('docs/discord.md', () => {
  it('invites with the permissions of its table and no others', () => {
    const inUrl = Number(/permissions=(\d+)/.exec(doc)?.[1])
    const inTable = [...doc.matchAll(/^\| [A-Z][\w ]+ \| (\d+) \|/gm)].map(([, value]) => Number(value))
    expect(inTable).toHaveLength(5)
    expect(inTable.reduce((sum, one) => sum + one, 0)).toBe(inUrl)
  })

  it('has a policy that loads', () => {
    const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(doc) ?? []
    expect(policyOf(yaml, createCommands()).people).toHaveLength(2)
  })

  it('names the commands that stand alone', () => {
    const alone = discordCommandsOf(createCommands()).filter(
      ({ options = [] }) => !options.some(({ type }) => type === 1),
    )
    for (const { name } of alone) expect(doc).toContain(`\`/${name}\``)
  })
})

describe('npm run register', async () => {
  const fake = await startFakeDiscord()
  afterAll(fake.close)
  const script = new URL('../../src/cli/register.ts', import.meta.url).pathname
  const register = (args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [script, ...args], {
      env: {
        PATH: process.env.PATH ?? '',
        DISCORD_TOKEN: fake.state.token,
        DISCORD_APPLICATION_ID: fake.state.applicationId,
        DISCORD_API_URL: fake.apiUrl,
        ...env,
      },
    }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
    )

  it('prints what would change, then changes it, then finds nothing to do', async () => {
    const dry = await register(['--dry-run'])
    expect(dry.said).toContain('+ /refund\n')
    expect(dry.said).toContain('Nothing was changed')
    expect(fake.state.puts).toBe(0)
    expect((await register([])).said).toContain('Registered.')
    expect((await register([])).said).toBe('Everything is registered as it is defined.\n')
    expect(fake.state.puts).toBe(1)
  })

  it('says what is missing or refused, without the token', async () => {
    const missing = await register([], { DISCORD_TOKEN: '' })
    expect(missing).toMatchObject({ code: 1, said: expect.stringContaining('Set DISCORD_TOKEN') })
    const refused = await register([], { DISCORD_TOKEN: 'not-the-token' })
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('401') })
    expect(refused.said).not.toContain('not-the-token')
  })
})
