import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messengers } from '../adapters/index.ts'
import { createCommands } from '../commands/index.ts'
import { isKey, keysAt, publicBytesOf } from '../src/audit/signer.ts'
import { ConfigError, readConfig } from '../src/config.ts'
import { keyNamed } from '../verify.mjs'

const commands = createCommands().all
const read = (env: Record<string, string>) =>
  readConfig({ DATA_DIR: '/nowhere', ...env }, commands, messengers)
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const newPem = (type: 'ed25519' | 'x25519' = 'ed25519') =>
  generateKeyPairSync(type as 'ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
const fileWith = (text: string, mode: number): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'bellhop-key-')), 'key.pem')
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

test('the key of the audit log is understood however a variable holds its lines', () => {
  const pem = newPem()
  const [key] = keysAt({ given: pem, dataDir: '' })
  if (key === undefined) throw new Error('no key')
  const named = keyNamed('log', publicBytesOf(key))
  for (const given of [
    pem,
    pem.trim(),
    pem.replaceAll('\n', '\\n'),
    pem.replaceAll('\n', ' '),
    pem.replaceAll('\n', '\r\n'),
    `"${pem.replaceAll('\n', '\\n')}"`,
  ]) {
    const [one, ...others] = keysAt(read({ AUDIT_KEY: given }).logKey)
    expect([one && isKey(one, named), others]).toEqual([true, []])
  }
  expect(keysAt(read({ AUDIT_KEY: pem + newPem() }).logKey)).toHaveLength(2)
  for (const mode of [0o600, 0o400])
    expect(keysAt(read({ AUDIT_KEY_FILE: fileWith(pem, mode) }).logKey)).toHaveLength(1)
})

test.for([
  [
    'no key at all',
    () => ({ AUDIT_KEY: 'hush-not-to-be-shown' }),
    /^AUDIT_KEY must be an Ed25519 private key/,
  ],
  ['a key of another kind', () => ({ AUDIT_KEY: newPem('x25519') }), /^AUDIT_KEY must be an Ed25519/],
  [
    'a second key of another kind',
    () => ({ AUDIT_KEY: newPem() + newPem('x25519') }),
    /^AUDIT_KEY must be an Ed25519/,
  ],
  [
    'both places',
    () => ({ AUDIT_KEY: newPem(), AUDIT_KEY_FILE: fileWith(newPem(), 0o600) }),
    /^AUDIT_KEY and AUDIT_KEY_FILE are both set\. Leave one of them out\.$/,
  ],
  [
    'a file that others may read',
    () => ({ AUDIT_KEY_FILE: fileWith(newPem(), 0o640) }),
    /can be read by others, with mode 640\. .*chmod 600\.$/,
  ],
  ['a file that is not there', () => ({ AUDIT_KEY_FILE: '/nowhere/key.pem' }), /cannot be read/],
  ['a file without a key', () => ({ AUDIT_KEY_FILE: fileWith('hush', 0o600) }), /must hold an Ed25519/],
] as const)('%s is a mistake that is named, and nothing of the key is repeated', ([, env, says]) => {
  const problems = problemsOf(env())
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(says)
  expect(problems[0]).not.toMatch(/hush|BEGIN/)
})
