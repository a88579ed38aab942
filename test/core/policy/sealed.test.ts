import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealedText, tellUnsealed } from '../../../src/kernel/policy/in-force/sealed.ts'
import { textDigestOf } from '../../../src/lib/codecs/canonical-json.ts'
import { useStore } from '../../storage/store.ts'

const use = useStore('sqlite')

const sealedFile = () => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const field = (bytes: Buffer) => Buffer.concat([Buffer.of(0, 0, 0, bytes.length), bytes])
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.from(x, 'base64url'))])
  return `version: 1\nseal: { keys: [{ name: ada, key: "ssh-ed25519 ${blob.toString('base64')}" }], count: 1 }\n`
}

it('a start whose file cannot be read uses the newest text, if that is sealed', async () => {
  const { policies } = use.store
  expect(await sealedText(use.store)).toBeUndefined()
  const [sealed, plain] = [sealedFile(), 'version: 1\n']
  let n = 0
  const inForce = async (text: string) => {
    n += 1
    await policies.keep(textDigestOf(text), text, n)
    await policies.add({ n, digest: textDigestOf(text), at: n, who: 'p', name: 'P', source: 'bellhop.yml' })
    return sealedText(use.store)
  }
  expect(await inForce(plain)).toBeUndefined()
  expect(await inForce(sealed)).toBe(sealed)
  expect(await inForce(`${plain}# again\n`)).toBeUndefined()
})

it('a file that is refused is told once for each reason, and logged each time', async () => {
  const logged: string[] = []
  let woken = 0
  const core = {
    store: use.store,
    policy: {},
    now: () => use.clock.now,
    wake: () => void woken++,
    log: { error: (_: object, words: string) => void logged.push(words) },
  }
  for (const why of ['one', 'one', 'two']) await tellUnsealed(core as never, why)
  expect([logged, woken]).toEqual([['one', 'one', 'two'], 2])
  const told = await use.store.tasks.take({ limit: 9, leaseMs: 1, owner: 'o' })
  expect(told.map(({ kind, doc }) => [kind, JSON.stringify(doc).includes('"one"')])).toEqual([
    ['notice', true],
    ['notice', false],
  ])
})
