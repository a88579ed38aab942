import { describe, expect, it } from 'vitest'
import { readAddress, serversIn, whyNoAddress } from '../../../src/lib/sql/address.ts'

const password = 'not-to-be-shown'

/** As libpq reads them; each server's own address is read by the driver. */
const places: readonly [written: string, servers: readonly string[]][] = [
  ['postgres://a:5432,b:5433/bellhop', ['a:5432', 'b:5433']],
  ['postgresql://a,b/bellhop', ['a:5432', 'b:5432']],
  ['postgres://a,b:6432/bellhop', ['a:5432', 'b:6432']],
  ['postgres://a,b,c/bellhop?port=6432', ['a:6432', 'b:6432', 'c:6432']],
  ['postgres:///bellhop?host=a,b&port=1,2', ['a:1', 'b:2']],
  ['postgres://ignored:9/bellhop?host=a,b&port=1,2', ['a:1', 'b:2']],
  ['postgres://[::1]:5433,[2001:db8::2]/bellhop', ['[::1]:5433', '[2001:db8::2]:5432']],
  ['postgres://bellhop@%2Fvar%2Frun%2Fpg,b/bellhop', ['/var/run/pg', 'b:5432']],
  ['postgres://u:p%40s%2Fs@a,b:1', ['a:5432', 'b:1']],
  ['postgres://u@localhost/?host=%2Ftmp%2Fone', ['/tmp/one']],
  ['postgres:///', ['localhost:5432']],
]

it.each(places)('%s is tried in its order', (url, servers) => {
  expect(serversIn(url)).toBe(servers.join(', '))
})

it('gives the driver one server at a time, with the account and whatever else was written', () => {
  const read = readAddress(
    `postgres://ada%40x:p%3Aq%26@a,[::1]:7/bell%68op?sslmode=no-verify&application_name=x y&target_session_attrs=read-write&connect_timeout=3`,
  )
  if (!read.ok) throw new Error(read.problem)
  expect(read.value).toMatchObject({ takesReader: false, connectMs: 3_000 })
  const [a, b] = read.value.servers.map(({ url }) => new URL(url))
  expect(Object.fromEntries(a?.searchParams ?? [])).toEqual({
    sslmode: 'no-verify',
    application_name: 'x y',
    user: 'ada@x',
    password: 'p:q&',
    host: 'a',
  })
  expect([b?.searchParams.get('host'), b?.searchParams.get('port'), b?.pathname]).toEqual([
    '::1',
    '7',
    '/bell%68op',
  ])
})

describe('target_session_attrs', () => {
  it.each([
    ['any', true],
    ['read-write', false],
    ['primary', false],
  ])('%s is taken', (attrs, takesReader) => {
    const read = readAddress(`postgres://a,b/bellhop?target_session_attrs=${attrs}`)
    expect(read).toMatchObject({ ok: true, value: { takesReader } })
  })

  it.each(['read-only', 'standby', 'prefer-standby'])('%s is refused, because Bellhop writes', (attrs) => {
    expect(whyNoAddress(`postgres://a,b/bellhop?target_session_attrs=${attrs}`)).toEqual([
      `DATABASE_URL asks for target_session_attrs=${attrs}, and Bellhop writes to its database: say read-write.`,
    ])
  })
})

it.each([
  `mysql://root:${password}@db/x`,
  `postgres:/u:${password}@db/x`,
  `postgres://u:${password}@:x y`,
  `postgres://u:${password}@a:port/x`,
  `postgres://u:${password}@a:0/x`,
  `postgres://u:${password}@a:65536/x`,
  `postgres://u:${password}@a,b,c/x?port=1,2`,
  `postgres://u:${password}%zz@a/x`,
  `postgres://u:${password}@[::1/x`,
  `postgres://u:${password}@a/x?target_session_attrs=${password}`,
  `postgres://u:${password}@a/x?sslmode=${password}`,
  `postgres://u:${password}@a/x?connect_timeout=${password}`,
  `postgres://u:${password}@a/x?hostaddr=10.0.0.1`,
  password,
])('%s is refused in one sentence without a secret', (url) => {
  const [problem, ...others] = whyNoAddress(url)
  expect(problem).toMatch(/^DATABASE_URL .*\.$/)
  expect(others).toEqual([])
  expect(problem).not.toContain(password)
})
