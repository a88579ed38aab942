import { describe, expect, it } from 'vitest'
import { accessDifference } from '../../../src/features/access/difference.ts'
import { policyOf } from '../../policy/example.ts'

const base = `version: 1
people:
  - { id: sam, name: Sam, slack: U1, roles: [support] }
  - { id: fay, name: Fay, slack: U2, roles: [finance] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
`

describe('the smallest change that gives somebody a right', () => {
  const lines = (text: string, person: string, command = 'list create') =>
    accessDifference(text, policyOf(text), { person, command })
  it('is one more command of the role that the fewest have', () => {
    const text = base
      .replace('roles: [support] }', 'roles: [support, own] }')
      .replace('roles:\n', 'roles:\n  own: { run: [] }\n')
      .replace('roles: [finance] }', 'roles: [finance, support] }')
    expect(lines(text, 'sam')).toEqual(['-   own: { run: [] }', '+   own: { run: ["list create"] }'])
    expect(lines(base, 'sam', 'freeze')).toEqual([
      '-   support: { run: [refund] }',
      '+   support: { run: [refund, freeze] }',
    ])
  })
  it('is one more line where the list has a line for each', () => {
    const text = base.replace('support: { run: [refund] }', 'support:\n    run:\n      - refund')
    expect(lines(text, 'sam')).toEqual(['+       - "list create"'])
    const told = text.replace('- refund', '- refund # up to 50\n      - freeze # at night')
    expect(lines(told, 'sam')).toEqual(['+       - "list create"'])
  })
  it('is a list where the role has none, and a role where the person has none', () => {
    const text = base.replace('support: { run: [refund] }', 'support: { approve: [refund] }')
    expect(lines(text, 'sam')).toEqual([
      '-   support: { approve: [refund] }',
      '+   support: { approve: [refund], run: ["list create"] }',
    ])
    const none = base.replace(', roles: [support]', '')
    expect(lines(none, 'sam')).toEqual([
      '-   - { id: sam, name: Sam, slack: U1 }',
      '+   - { id: sam, name: Sam, slack: U1, roles: [sam-list] }',
      '+   sam-list: { run: ["list create"] }',
    ])
  })
})
