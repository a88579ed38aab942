import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { checkSeal, signFile } from '../../src/cli/policy/sign.ts'
import { readConfig, readPolicy } from '../../src/config.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'

/** What the tool reads in a folder of its own. */
const open = () => {
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  const registry = commandsWith()
  const env = { BELLHOP_CONFIG: file, DATA_DIR: join(folder, 'data') }
  const tool = {
    registry,
    config: () => readConfig(env, registry.all, messengers),
    policy: (given?: string) => readPolicy(env, registry.all, messengers, given),
  }
  return { folder, file, tool }
}

test('policy sign adds signatures until policy seal finds enough, and drops those of an earlier text', async () => {
  const { folder, file, tool } = open()
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  const keys = ['ada', 'ben'].map((name) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    return `{ name: ${name}, key: "${readFileSync(join(folder, `${name}.pub`), 'utf8').trim()}" }`
  })
  const text = `version: 1\nseal: { count: 2, keys: [${keys.join(', ')}] }\n`
  writeFileSync(file, text)
  expect(await checkSeal([], tool)).toBe(1)
  expect(await signFile([file, '--key', join(folder, 'ada')], tool)).toBe(1)
  expect(said.slice(-3)).toEqual([
    `${file}: 1 of 2 signatures, by the keys of this file itself.`,
    '  signed   ada',
    '  missing  ben',
  ])
  expect(await signFile([`--key=${join(folder, 'ben')}`, file], tool)).toBe(0)
  expect(await checkSeal([file], tool)).toBe(0)

  writeFileSync(file, `${text}# changed\n`)
  expect(await signFile([file, '--key', join(folder, 'ben')], tool)).toBe(1)
  expect(readFileSync(`${file}.sig`, 'utf8').match(/BEGIN SSH SIGNATURE/g)).toHaveLength(1)

  for (const args of [[], [file], ['--key', 'k'], [file, 'other', '--key', 'k']])
    await expect(signFile(args, tool)).rejects.toThrow('Say which file, and with which key')
  await expect(signFile([file, '--key', '/nowhere'], tool)).rejects.toThrow('did not sign with /nowhere')
})

test('an ssh-keygen that ends before it has read the file did not sign, and one that is not there cannot be started', async () => {
  const { folder, file, tool } = open()
  writeFileSync(file, `version: 1\n# ${'long '.repeat(50_000)}\n`)
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const before = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = before
  })
  process.env.PATH = programs
  await expect(signFile([file, '--key', 'k'], tool)).rejects.toThrow('ssh-keygen cannot be started')
  writeFileSync(join(programs, 'ssh-keygen'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await expect(signFile([file, '--key', 'k'], tool)).rejects.toThrow('ssh-keygen did not sign with k.')
})
