import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { messengers } from '../adapters/index.ts'
import { readPlace } from '../src/cli/backup/place.ts'
import { readConfig } from '../src/cli/start/config.ts'
import { ownEnvironment } from '../src/cli/start/environment.ts'
import { startProcess } from './harness/bot-process.ts'
import { commandsWith } from './harness/commands.ts'

test('one place reads the environment of the process', () => {
  const readers = globSync('{src,adapters,commands,packs,sandbox}/**/*.{ts,js}').filter((file) =>
    /\bprocess\s*(\.|\?\.|\[\s*['"])\s*env\b|\benv\b[^'"]*from 'node:process'|import\.meta\.env/.test(
      readFileSync(file, 'utf8'),
    ),
  )
  // The second starts the first, on a Node that may be too old for it.
  expect(readers.toSorted()).toEqual(['src/cli/run.js', 'src/cli/start/environment.ts'])
})

const variables = [
  ...new Set(
    ['.env.example', 'docs/deploy.md', 'docs/backup.md', 'docs/slack.md', 'docs/discord.md']
      .flatMap((file) => globSync(file))
      .flatMap((file) => readFileSync(file, 'utf8').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
  ),
]
const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-environment-'))
const plain = { DATA_DIR: dataDir }

test('what is set to nothing is not set, whatever it is', () => {
  const commands = commandsWith().all
  const told = (env: Record<string, string>) => {
    const { withPolicy: _, warnings, secretOf: __, ...config } = readConfig(env, commands, messengers)
    return JSON.stringify([config, warnings(), readPlace(env)])
  }
  const names = variables.filter((name) => name !== 'DATA_DIR')
  expect(names).toEqual(expect.arrayContaining(['BELLHOP_CONFIG', 'DATABASE_URL', 'SLACK_BOT_TOKEN']))
  const unset = told(plain)
  for (const nothing of ['', ' \n'])
    expect(told({ ...plain, ...Object.fromEntries(names.map((name) => [name, nothing])) })).toBe(unset)
  vi.stubEnv('BELLHOP_CONFIG', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(Object.keys(ownEnvironment())).not.toContain('BELLHOP_CONFIG')
})

test('tools take the usual file where BELLHOP_CONFIG is set to nothing', async () => {
  for (const args of [
    ['bin/bellhop', 'packs', 'pin'],
    ['bin/bellhop', 'policy', 'seal'],
  ]) {
    const ran = startProcess({ args, env: { BELLHOP_CONFIG: '', DATA_DIR: dataDir } })
    await ran.ended
    expect(`${ran.out()}${ran.err()}`).toContain('./bellhop.yml')
  }
})
