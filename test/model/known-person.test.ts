import { describe, expect, test } from 'vitest'
import { followLinks } from '../../src/kernel/model/known-person.ts'
import { isSameEnd, keyOfEnd, type Link, linkEnd, pairOf } from '../../src/lib/things/link.ts'

const end = (text: string) => linkEnd(...(text.split(':') as ['email', string])) as never
const link = (one: string, other: string, isOff = false): Link => ({
  ends: pairOf(end(one), end(other)) as never,
  provenance: { kind: 'seen', source: 'x', at: 1 },
  isOff,
})
const known = async (start: string, links: Link[]) => {
  const { ends } = await followLinks(end(start), async (asked) =>
    links.filter((one) => one.ends.some((a) => asked.some((b) => isSameEnd(a, b)))),
  )
  return ends.map(keyOfEnd).sort()
}

const ada = [
  link('email:ada@x.se', 'subscriber:s1'),
  link('email:ada@x.se', 'phone:15550110000'),
  link('contact:c1', 'phone:15550110000'),
  link('email:ada@x.se', 'customer:cus_1'),
  link('customer:cus_1', 'subscription:sub_1'),
]
const all = [
  'contact:c1',
  'customer:cus_1',
  'email:ada@x.se',
  'phone:15550110000',
  'subscriber:s1',
  'subscription:sub_1',
]

describe('links', () => {
  test.each(all)('lead from %s to everything of the same person', async (start) => {
    expect(await known(start, ada)).toEqual(all)
  })
  test('do not make one of two people who share a number', async () => {
    const shared = [
      ...ada,
      link('email:bo@x.se', 'phone:15550110000'),
      link('email:bo@x.se', 'customer:cus_2'),
    ]
    expect(await known('email:ada@x.se', shared)).toEqual([...all, 'email:bo@x.se'].sort())
    expect(await known('phone:15550110000', shared)).not.toContain('customer:cus_1')
  })
  test('that contradict are both there, and neither is followed', async () => {
    const both = [...ada, link('email:ada@x.se', 'customer:cus_7'), link('customer:cus_7', 'email:eve@x.se')]
    const found = await known('email:ada@x.se', both)
    expect(found).toContain('customer:cus_1')
    expect(found).toContain('customer:cus_7')
    expect(found).not.toContain('email:eve@x.se')
  })
  test('that were cut by hand keep their ends apart, also where another way leads there', async () => {
    const cut = [...ada, link('email:ada@x.se', 'contact:c1', true)]
    expect(await known('email:ada@x.se', cut)).toEqual(all.filter((one) => one !== 'contact:c1'))
  })
})
