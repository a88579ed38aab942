import { expect, it } from 'vitest'
import { load, policyOf } from '../../policy/example.ts'

/** What a file has to say instead, or that it is taken. */
const taken = (section: string): string => {
  const loaded = load(`version: 1\n${section}\n`)
  return loaded.ok ? 'taken' : (/Expected (.*)\.$/.exec(loaded.problems[0]?.message ?? '')?.[1] ?? '')
}

it.each([
  ['stream: { file: log }', 'taken'],
  ['stream: { file: log, https: "https://a.b/" }', 'one receiver: file, https or syslog'],
  ['stream: { addresses: true }', 'one receiver: file, https or syslog'],
  ['stream: { file: log, token: { env: T } }', 'a token only beside https'],
  ['stream: { https: "https://a.b/", token: { env: T } }', 'taken'],
  [
    'stream: { https: "http://a.b/" }',
    'an address such as https://logs.example.com/bellhop, without a user or password',
  ],
  ['stream: { https: "http://127.0.0.1:9/" }', 'taken'],
  [
    'stream: { https: "https://u@a.b/" }',
    'an address such as https://logs.example.com/bellhop, without a user or password',
  ],
  [
    'stream: { https: "nothing" }',
    'an address such as https://logs.example.com/bellhop, without a user or password',
  ],
  [
    'stream: { https: "ftp://localhost/" }',
    'an address such as https://logs.example.com/bellhop, without a user or password',
  ],
  ['stream: { syslog: "tls://a.b:6514" }', 'taken'],
  [
    'stream: { syslog: "tls://a.b:65536" }',
    'an address such as tls://logs.example.com:6514 or tcp://logs.example.com:601',
  ],
  [
    'stream: { syslog: "udp://a.b:6514" }',
    'an address such as tls://logs.example.com:6514 or tcp://logs.example.com:601',
  ],
])('%s: %s', (section, answer) => {
  expect(taken(section)).toBe(answer)
})

it('leaves out what names customers if the file does not say', () => {
  const { sections } = policyOf('version: 1\nstream: { file: log }\n')
  expect(sections.stream).toEqual({ file: 'log', addresses: false })
})
