import { describe, expect, it } from 'vitest'
import { formatProblems } from '../../../src/kernel/policy/file/load.ts'
import { load } from '../../policy/example.ts'

const warningsOf = (text: string): string[] => {
  const loaded = load(text)
  if (!loaded.ok) throw new Error(formatProblems('bellhop.yml', loaded.problems).join('\n'))
  return loaded.warnings()
}

/** A file without mistakes, to which a test adds one. */
const base = `version: 1
people:
  - { id: sam, name: Sam, slack: U1, discord: "401", roles: [support] }
  - { id: fay, name: Fay, slack: U2, discord: "402", roles: [finance] }
roles:
  support: { run: [refund, "campaign *"] }
  finance: { run: ["*"], approve: ["*"] }
`

const withRules = (...rules: string[]): string =>
  `${base}policies:\n${rules.map((rule) => `  - ${rule}\n`).join('')}`

describe('a doubt is a warning', () => {
  it('when fewer people are listed than must approve', () => {
    expect(
      warningsOf(withRules('{ name: a, commands: [refund], require: { approvals: 2, from: [finance] } }')),
    ).toEqual([
      'bellhop.yml:9:45: policies[0].require asks for 2 approvals of "refund", but only 1 listed person may give one. List more people, or ask for fewer.',
    ])
  })

  it('when everybody who may ask is needed to approve, since nobody counts for their own request', () => {
    expect(
      warningsOf(withRules('{ name: a, commands: [upgrade], require: { approvals: 1, from: [finance] } }')),
    ).toEqual([
      'bellhop.yml:9:46: policies[0].require asks for 1 approval of "upgrade", but only 0 besides the requester may give one. List more people, or ask for fewer.',
    ])
  })

  it('but not when everyone may ask, as somebody is left who need not approve', () => {
    const rules = withRules('{ name: a, commands: [upgrade], require: { approvals: 1, from: [finance] } }')
    expect(warningsOf(`${rules}everyone: { run: [upgrade] }\n`)).toEqual([])
  })

  it('but not when a group may hold more of them, who have an account there', () => {
    const rules = withRules('{ name: a, commands: [refund], require: { approvals: 2, from: [finance] } }')
    const grouped = `${rules}groups:\n  slack: { S1: [finance] }\n`
    expect(warningsOf(grouped)).toHaveLength(1)
    const listed = '  - { id: x1, name: X, slack: U0X1 }\n  - { id: x2, name: X, slack: U0X2 }\n'
    expect(warningsOf(grouped.replace('people:\n', `people:\n${listed}`))).toEqual([])
  })

  it('when a rule comes after one that takes everything it could', () => {
    const rules = withRules(
      '{ name: all, commands: ["campaign *", refund], require: confirm }',
      '{ name: mail, commands: [campaign send], require: { approvals: 1, from: [finance] } }',
    )
    expect(warningsOf(rules)).toEqual([
      'bellhop.yml:10:5: policies[1] "mail" can never match: "all" before it takes all it could. Move it up or remove it.',
    ])
  })

  it('when several rules before it take everything together, or a wider amount does', () => {
    const rules = withRules(
      '{ name: one, commands: [refund], amount: { upTo: 30 }, require: confirm }',
      '{ name: two, commands: [refund], amount: { over: 30, upTo: 500 }, require: confirm }',
      '{ name: late, commands: [refund, campaign send], amount: { from: 10, upTo: 50 }, require: confirm }',
    )
    expect(warningsOf(rules)).toEqual([
      'bellhop.yml:11:5: policies[2] "late" can never match: "one" and "two" before it take all it could. Move it up or remove it.',
    ])
  })

  it('but not when an amount, a command or one end is left over', () => {
    const rules = withRules(
      '{ name: one, commands: [refund], amount: { over: 10, upTo: 50 }, require: confirm }',
      '{ name: two, commands: [refund], amount: { from: 10, upTo: 50 }, require: confirm }',
      '{ name: three, commands: [refund], amount: { upTo: 51 }, require: confirm }',
      '{ name: four, commands: [refund], require: confirm }',
      '{ name: five, commands: [refund, freeze], require: confirm }',
    )
    expect(warningsOf(rules)).toEqual([])
  })

  it('when nobody may approve what comes to need it without a rule', () => {
    const text = 'version: 1\nroles: { all: { run: [refund, campaign send, freeze] } }\n'
    const sentence = (names: string) =>
      `bellhop.yml:2:1: no role may approve ${names}, which can come to need it: what moves money and policy reload by default, others when they are repeated.`
    expect(warningsOf(text)).toEqual([sentence('"refund"')])
    expect(warningsOf(`${text}duplicates: { window: 1h }\n`)).toEqual([sentence('"campaign send", "refund"')])
  })

  it('when two approvals are asked of a manager, who is one person', () => {
    const rules = withRules('{ name: a, commands: [refund], require: { approvals: 2, from: [manager] } }')
    expect(
      warningsOf(rules.replace('roles: [support] }', 'roles: [support], manager: fay }')).join(),
    ).toContain('only 1 besides the requester may give one')
  })
})
