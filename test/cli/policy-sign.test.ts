import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkSeal, signFile } from '../../src/cli/policy/sign.ts'
import { openUpToDate } from '../../src/kernel/store/database/open-up-to-date.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { textDigestOf } from '../../src/lib/codecs/canonical-json.ts'
import { newFolder } from '../harness/bot-process.ts'

/** A folder of its own, and the environment in which the tool reads it. */
const open = () => {
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  return { folder, file, env: { BELLHOP_CONFIG: file, DATA_DIR: join(folder, 'data') } }
}

test('policy sign adds signatures until policy seal finds enough, and drops those of an earlier text', async () => {
  const { folder, file, env } = open()
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  const keys = ['ada', 'ben'].map((name) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    return `{ name: ${name}, key: "${readFileSync(join(folder, `${name}.pub`), 'utf8').trim()}" }`
  })
  const text = `version: 1\nseal: { count: 2, keys: [${keys.join(', ')}] }\n`
  writeFileSync(file, text)
  expect(await checkSeal([], env)).toBe(1)
  expect(await signFile([file, '--key', join(folder, 'ada')], env)).toBe(1)
  expect(said.slice(-3)).toEqual([
    `${file}: 1 of 2 signatures, by the keys of this file itself.`,
    '  signed   ada',
    '  missing  ben',
  ])
  expect(await signFile([`--key=${join(folder, 'ben')}`, file], env)).toBe(0)
  expect(await checkSeal([file], env)).toBe(0)

  writeFileSync(file, `${text}# changed\n`)
  expect(await signFile([file, '--key', join(folder, 'ben')], env)).toBe(1)
  expect(readFileSync(`${file}.sig`, 'utf8').match(/BEGIN SSH SIGNATURE/g)).toHaveLength(1)

  for (const args of [[], [file], ['--key', 'k'], [file, 'other', '--key', 'k']])
    await expect(signFile(args, env)).rejects.toThrow('Say which file, and with which key')
  await expect(signFile([file, '--key', '/nowhere'], env)).rejects.toThrow('did not sign with /nowhere')
})

test('policy sign writes which version a file follows, once a sealed one is in force', async () => {
  const { folder, file, env } = open()
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  const key = join(folder, 'ada')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const seal = `seal: { count: 1, keys: [{ name: ada, key: "${readFileSync(`${key}.pub`, 'utf8').trim()}" }] }`
  const first = `# Ours.\nversion: 1\n${seal}\n`
  const db = await openUpToDate({ dataDir: env.DATA_DIR })
  const { policies } = createStore(db, { now: () => 1 })
  const digest = textDigestOf(first)
  await policies.keep(digest, first, 1)
  await policies.add({ n: 1, digest, at: 1, who: 'bellhop', name: 'Bellhop', source: file })
  await db.close()

  writeFileSync(file, first)
  expect(await signFile([file, '--key', key], env)).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(first)
  for (const text of [`${first}zone: UTC\n`, `${first}follows: "${'0'.repeat(64)}"\n`, 'version: 1']) {
    writeFileSync(file, text)
    expect(await checkSeal([file], env)).toBe(1)
    expect(said.at(-1)).toContain(`Write follows: "${digest}" into it`)
    expect(await signFile([file, '--key', key], env)).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain(`\nfollows: "${digest}"`)
    expect(await checkSeal([file], env)).toBe(0)
  }
})

test('an ssh-keygen that ends before it has read the file did not sign, and one that is not there cannot be started', async () => {
  const { folder, file, env } = open()
  writeFileSync(file, `version: 1\n# ${'long '.repeat(50_000)}\n`)
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const before = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = before
  })
  process.env.PATH = programs
  await expect(signFile([file, '--key', 'k'], env)).rejects.toThrow('ssh-keygen cannot be started')
  writeFileSync(join(programs, 'ssh-keygen'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await expect(signFile([file, '--key', 'k'], env)).rejects.toThrow('ssh-keygen did not sign with k.')
})
