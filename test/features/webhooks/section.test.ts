import { expect, it } from 'vitest'
import { load, policyOf } from '../../policy/example.ts'

const base = `version: 1
people: [{ id: sam, name: Sam, roles: [all] }]
roles: { all: { run: ["*"] } }
`
/** What a file has to say instead, or that it is taken. */
const taken = (section: string): string => {
  const loaded = load(base + section)
  return loaded.ok ? 'taken' : (loaded.problems[0]?.message.replace(/.*? Expected |\\.$/gs, '') ?? '')
}

it.each([
  ['webhooks: [{ url: "https://a.example/", secret: { env: A } }]', 'taken'],
  [
    'webhooks: [{ url: "http://a.example/", secret: { env: A } }]',
    'a public https address, or "private: true" beside it for one in a network of your own',
  ],
  [
    'webhooks: [{ url: "https://10.0.0.1/", secret: { env: A } }]',
    'a public https address, or "private: true" beside it for one in a network of your own',
  ],
  ['webhooks: [{ url: "http://10.0.0.1/", secret: { env: A }, private: true }]', 'taken'],
  [
    'webhooks: [{ url: "ftp://a.example/", secret: { env: A }, private: true }]',
    'an address such as https://example.com/bellhop, without a user or password',
  ],
  [
    'webhooks: [{ url: "https://a.example/", secret: { env: A } }, { url: "https://a.example/", secret: { env: B } }]',
    'each address once',
  ],
])('%s: %s', (section, answer) => {
  expect(taken(section)).toContain(answer)
})

it('takes 8 hooks and no more, and each is told of everything if the file does not say', () => {
  const hooks = (count: number) =>
    `webhooks: [${Array.from({ length: count }, (_, at) => `{ url: "https://example.com/${at}", secret: { env: A } }`)}]`
  expect(policyOf(base + hooks(1)).sections.webhooks).toEqual([
    { url: 'https://example.com/0', events: ['*'], secret: { env: 'A' } },
  ])
  expect(policyOf(base + hooks(1)).variables).toEqual(['A'])
  expect(taken(hooks(8))).toBe('taken')
  expect(taken(hooks(9))).toContain('at most 8 webhooks')
})
