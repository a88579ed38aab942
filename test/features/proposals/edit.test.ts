import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editedText, readEdits } from '../../../src/features/proposals/edit.ts'
import { patchOf } from '../../../src/features/proposals/patch.ts'
import { newFolder } from '../../harness/bot-process.ts'

const file = `# who keeps this: Fay
version: 1
people:
  - { id: sam, name: Sam, roles: [support] } # asks
  - id: fay
    name: Fay
    roles:
      - finance
      - lead   # since May
roles:
  support: { run: [refund, "list *"] }   # nothing that sends
  # decides
  finance:
    run: ["*"]
    approve:
      - "*"
  lead: {}
policies:
  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - name: refund
    commands: [refund] # all others
    require: { approvals: 1, from: [finance] }
budgets:
  - { name: a, commands: [refund], limit: 20 }
`

const edited = (written: string): string => {
  const edits = readEdits(written)
  if (!edits.ok) return edits.why
  const made = editedText(file, edits.value)
  return made.ok ? made.value : made.why
}

/** The lines that are gone, and those that are new. */
const changed = (written: string): string[] =>
  patchOf('bellhop.yml', file, edited(written))
    .split('\n')
    .filter((line) => /^[-+](?![-+])/.test(line))

describe('an edit changes its place alone', () => {
  it.each([
    [
      'roles.support.run + "audit verify"',
      '-  support: { run: [refund, "list *"] }   # nothing that sends',
      '+  support: { run: [refund, "list *", "audit verify"] }   # nothing that sends',
    ],
    ['roles.finance.approve + refund', '+      - refund'],
    ['people.fay.roles - finance', '-      - finance'],
    ['people.fay.roles - lead', '-      - lead   # since May'],
    ['people.fay.email = fay@example.com', '+    email: "fay@example.com"'],
    [
      'people.sam.roles + lead',
      '-  - { id: sam, name: Sam, roles: [support] } # asks',
      '+  - { id: sam, name: Sam, roles: [support, lead] } # asks',
    ],
    [
      'policies."small refund".amount.upTo = 80',
      '-  - { name: small refund, commands: [refund], amount: { upTo: 50 }, require: confirm }',
      '+  - { name: small refund, commands: [refund], amount: { upTo: 80 }, require: confirm }',
    ],
    [
      'roles.support.run - refund',
      '-  support: { run: [refund, "list *"] }   # nothing that sends',
      '+  support: { run: ["list *"] }   # nothing that sends',
    ],
    ['roles.lead.run + "policy show"', '-  lead: {}', '+  lead: {run: ["policy show"]}'],
    ['roles.night = { run: [refund] }', '+  night: { run: [refund] }'],
    ['zone = Europe/Berlin', '+zone: "Europe/Berlin"'],
    ['budgets.a -', '-  - { name: a, commands: [refund], limit: 20 }', '+  []'],
    [
      'roles.night = { run: [refund] }; people.sam.roles = [night]',
      '-  - { id: sam, name: Sam, roles: [support] } # asks',
      '+  - { id: sam, name: Sam, roles: [night] } # asks',
      '+  night: { run: [refund] }',
    ],
  ])('%s', (written, ...lines) => {
    expect(changed(written).toSorted()).toEqual(lines.toSorted())
    expect(edited(written)).toContain('# who keeps this: Fay')
  })
})

it.each([
  ['', 'it says nothing to change'],
  ['roles.support.run', 'does not say =, + or -'],
  ['= 5', 'does not begin with a place'],
  ['roles.support.run +', 'does not say what to put there'],
  ['roles.support.run + refund', 'has that already'],
  ['roles.support.run - upgrade', 'does not have that'],
  ['roles.boss.run + refund', 'there is no "boss"'],
  ['people.kim.name = Kim', 'there is no "kim"'],
  ['policies.refund.name + x', 'is no list'],
  ['zone -', 'there is no'],
  ['roles.support.run = [refund', 'is no value'],
  ['policies."small refund".amount.upTo = 50', 'is that already'],
  ...['version', 'follows', 'seal.count', 'packs', 'features'].map((place) => [
    `${place} = 2`,
    'is changed in the file alone',
  ]),
])('what cannot be meant is said: %s', (written, why) => {
  expect(edited(written)).toContain(why)
})

it('names of everything that objects have are names like others', () => {
  expect(edited('roles.constructor = { run: [refund] }')).toContain('constructor: { run: [refund] }')
  expect(edited('roles.toString.run + refund')).toContain('there is no "toString"')
})

it('a patch is one that the tools take', () => {
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  for (const [before, after] of [
    [file, edited('policies."small refund".amount.upTo = 80; zone = UTC')],
    [file.trimEnd(), edited('roles.support.run - refund').trimEnd()],
    [file, `${file}zone: UTC`],
    [file, `# first\n${file}`],
    [file, ''],
  ] as const) {
    const path = join(folder, 'bellhop.yml')
    writeFileSync(path, before)
    execFileSync('git', ['apply', '--unsafe-paths', '-'], {
      cwd: folder,
      input: patchOf('bellhop.yml', before, after),
    })
    expect(after === '' ? '' : readFileSync(path, 'utf8')).toBe(after)
  }
  expect(patchOf('bellhop.yml', file, file)).toBe('')
})
