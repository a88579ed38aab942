import { expect, it } from 'vitest'
import { createSignIns, offerLink } from '../../../src/kernel/actors/sign-ins.ts'
import type { Actor } from '../../../src/kernel/command/context.ts'
import type { Core } from '../../../src/kernel/core.ts'
import { policyOf } from '../../policy/example.ts'
import { useStore } from '../../storage/store.ts'

const use = useStore('sqlite')
const policy = policyOf('version: 1\npeople:\n  - { id: ann, name: Ann, slack: U0ANN }\n')
const ann: Actor = {
  person: 'ann',
  name: 'Ann',
  platform: 'slack',
  account: 'U0ANN',
  roles: [],
  known: true,
}
const minute = 60_000

const open = () => {
  let ids = 0
  const core = {
    store: use.store,
    policy,
    now: () => use.clock.now,
    newId: () => {
      ids += 1
      return `s${ids}-${use.clock.now}`
    },
    signInPage: { url: 'https://bot.example/console' },
    messengers: new Map([['slack', {}]]),
  } as unknown as Core
  return { core, signIns: createSignIns(core) }
}
const linkFor = async (core: Core): Promise<string> => {
  const offered = await offerLink(core, ann)
  if (!offered.ok) throw new Error(offered.refusal.message)
  const [page, secret = ''] = offered.value.split('#')
  expect(page).toBe('https://bot.example/console')
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  return secret
}

it.each<[string, Partial<Actor>, string]>([
  ['in the console itself', { platform: 'console' }, 'not_allowed_now'],
  ['where no messenger vouches for anybody', { platform: 'terminal' }, 'not_allowed_now'],
  ['to somebody whom the file does not list', { known: false }, 'stranger'],
])('no link is given out %s', async (_, over, code) => {
  const offered = await offerLink(open().core, { ...ann, ...over })
  expect(offered.ok || offered.refusal.code).toBe(code)
  expect(await use.store.sessions.people()).toEqual([])
})

it('no link is given out where there is no page to open, until one says where it is', async () => {
  const { core, signIns } = open()
  delete core.signInPage.url
  expect((await offerLink(core, ann)).ok).toBe(false)
  signIns.openAt('https://bot.example/console')
  expect((await offerLink(core, ann)).ok).toBe(true)
  await use.store.sessions.end('ann', 'all')
})

it('a link lasts five minutes and is used once; its session has a secret of its own and lasts twelve hours', async () => {
  const { core, signIns } = open()
  const [first, second] = [await linkFor(core), await linkFor(core)]
  expect(first).not.toBe(second)
  expect(await signIns.personOf(first)).toBeUndefined()
  use.clock.now += 5 * minute - 1
  const session = await signIns.redeem(first)
  expect(session).toMatchObject({ seconds: 12 * 3_600 })
  const secret = session?.secret ?? ''
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(await signIns.redeem(first)).toBeUndefined()
  use.clock.now += 1
  expect(await signIns.redeem(second)).toBeUndefined()
  for (const wrong of ['', first, second, `${secret}x`]) expect(await signIns.personOf(wrong)).toBeUndefined()
  use.clock.now += 12 * 60 * minute - 2
  expect(await signIns.personOf(secret)).toBe('ann')
  use.clock.now += 1
  expect(await signIns.personOf(secret)).toBeUndefined()
  expect(await use.store.audit.find({ limit: 9 })).toMatchObject([
    { kind: 'signed in', who: 'ann', doc: { via: 'slack' } },
  ])
})
