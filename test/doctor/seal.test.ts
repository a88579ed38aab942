import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { checkSealed } from '../../src/cli/doctor/seal.ts'
import { readConfig } from '../../src/cli/start/config.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { textDigestOf } from '../../src/lib/codecs/canonical-json.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'

test('the doctor says whose signature a policy file lacks, and when a start would take it in', async () => {
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  const key = join(folder, 'ada')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const seal = `seal: { count: 1, keys: [{ name: ada, key: "${readFileSync(`${key}.pub`, 'utf8').trim()}" }] }`
  const { db, dataDir, close } = await openTestDatabase('sqlite')
  whenDone(close)
  const store = createStore(db, { now: Date.now })
  const env = { BELLHOP_CONFIG: file, DATA_DIR: dataDir ?? '' }
  const look = () => checkSealed(readConfig(env, commandsWith().all, messengers))

  const first = `version: 1\n${seal}\n`
  writeFileSync(file, first)
  const digest = textDigestOf(first)
  await store.policies.keep(digest, first, 1)
  await store.policies.add({ n: 1, digest, at: 1, who: 'bellhop', name: 'Bellhop', source: file })
  expect(await look()).toEqual([{ ok: true, about: 'seal', words: `${file} is in force, sealed.` }])

  const second = `version: 1\nfollows: ${digest}\n`
  writeFileSync(file, second)
  expect(await look()).toMatchObject([{ ok: false, words: expect.stringContaining('by 1 of the keys ada') }])

  const signature = execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'bellhop', '-f', key], {
    input: second,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  writeFileSync(`${file}.sig`, signature)
  expect(await look()).toMatchObject([{ ok: true, words: 'signed by ada; the next start takes it in.' }])
})
