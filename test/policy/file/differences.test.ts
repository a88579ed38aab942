import { expect, test } from 'vitest'
import { differencesOf } from '../../../src/kernel/policy/file/differences.ts'

const rules = (...names: string[]) =>
  names.map((name) => `  - { name: ${name}, require: confirm }\n`).join('')

test.each<[what: string, before: string, after: string, said: string[]]>([
  ['nothing', 'version: 1\nzone: UTC\n', 'version: 1\n# a word\nzone: UTC\n', []],
  [
    'a key that is new, gone and other',
    'zone: UTC\nreasons: [late]\nunseen: ask\n',
    'links: {}\nreasons: [late, broken]\nunseen: ask\n',
    ['Zone is gone: it was UTC.', 'Reasons is [late, broken]; it was [late].', 'Links is new: {  }.'],
  ],
  [
    'rules in another order',
    `policies:\n${rules('one', 'two')}`,
    `policies:\n${rules('two', 'one')}`,
    ['The order of the rules is "two", "one"; it was "one", "two".'],
  ],
  [
    'a rule more, which changes no order',
    `policies:\n${rules('one', 'two')}`,
    `policies:\n${rules('one', 'new', 'two')}`,
    ['The rule "new" is new: { name: new, require: confirm }.'],
  ],
  [
    'people in another order, which says nothing',
    'people:\n  - { id: a, name: A }\n  - { id: b, name: B }\n',
    'people:\n  - { id: b, name: B }\n  - { id: a, name: A }\n',
    [],
  ],
  [
    'lists of named things inside of a rule, in another order',
    'policies:\n  - { name: one, more: [{ id: a }, { id: b }] }\n',
    'policies:\n  - { name: one, more: [{ id: b }, { id: a }] }\n',
    [],
  ],
  [
    'a value deep inside of a rule, a budget, a person and a role',
    'policies: [{ name: one, amount: { upTo: 50 } }]\nbudgets: [{ name: day, limit: 1 }]\npeople: [{ id: a, roles: [x] }]\nroles: { x: { run: [] } }\n',
    'policies: [{ name: one, amount: { upTo: 60 } }]\nbudgets: [{ name: day, limit: 2 }]\npeople: [{ id: a, roles: [y] }]\nroles: { x: { run: ["*"] } }\n',
    [
      'Amount.upTo of the rule "one" is 60; it was 50.',
      'Limit of the budget "day" is 2; it was 1.',
      'Roles of the person "a" is [y]; it was [x].',
      'Run of the role "x" is [*]; it was [].',
    ],
  ],
  [
    'a record that was empty, or is',
    'groups: {}\nlinks: { a: b }\n',
    'groups: { slack: S1 }\nlinks: {}\n',
    ['Groups.slack is new: S1.', 'Links.a is gone: it was b.'],
  ],
  ['a record that is a text now', 'links: { a: b }\n', 'links: c\n', ['Links is c; it was { a: b }.']],
  ['a file of which nothing is left', 'zone: UTC\n', '', ['Zone is gone: it was UTC.']],
  [
    'a list of which not all have a name, which is told as a whole',
    'people: [{ id: a }, x]\n',
    'people: [{ id: a }, y]\n',
    ['People is [{ id: a }, y]; it was [{ id: a }, x].'],
  ],
  [
    'two of one name, which are told as a whole',
    `policies:\n${rules('one', 'one')}`,
    `policies:\n${rules('one')}`,
    [
      'Policies is [{ name: one, require: confirm }]; it was [{ name: one, require: confirm }, { name: one, require: confirm }].',
    ],
  ],
])('what differs is told as sentences: %s', (_, before, after, said) => {
  expect(differencesOf(before, after)).toEqual(said)
})
