import { describe, expect, it } from 'vitest'
import { formatProblems, loadPolicy } from '../../../src/kernel/policy/file/load.ts'
import { fileSchema } from '../../../src/kernel/policy/file/schema.ts'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { platforms } from '../../harness/platforms.ts'
import { exampleFile, load, policyOf } from '../example.ts'

/** What somebody sees in the terminal when the file is wrong. */
const mistakesIn = (text: string): string[] => {
  const loaded = load(text)
  return loaded.ok ? [] : formatProblems('bellhop.yml', loaded.problems)
}

const warningsOf = (text: string): string[] => {
  const loaded = load(text)
  if (!loaded.ok) throw new Error(mistakesIn(text).join('\n'))
  return loaded.warnings()
}

const sections = Object.keys(fileSchema(platforms).shape).join(', ')

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
const withBudget = (budget: string): string => `${base}budgets:\n  - ${budget}\n`

describe('a file without mistakes', () => {
  it('is read as it is meant', () => {
    const loaded = load(exampleFile)
    expect(loaded).toMatchObject({
      ok: true,
      policy: {
        version: 1,
        people: [
          {
            id: 'p1',
            name: 'Support one',
            accounts: { slack: 'U0SUPPORT', discord: '400000000000000001', console: 'p1', terminal: 'p1' },
            roles: ['support'],
          },
          { id: 'p2', roles: ['finance'] },
          { id: 'p3', roles: ['finance'] },
        ],
        groups: { slack: { S0FIN: ['finance'] }, discord: { '500000000000000001': ['finance'] } },
        roles: { support: { approve: [] }, finance: { run: ['*'], approve: ['*'] } },
        everyone: { run: ['bellhop *'] },
        workspaces: {},
        spaces: [undefined],
        approvals: [
          { platform: 'slack', channel: 'C0APPROVALS' },
          { platform: 'discord', channel: '300000000000000009' },
        ],
        budgets: [
          {
            // biome-ignore lint/suspicious/noThenProperty: it is the file's word
            then: [{ kind: 'approvals', count: 2, from: ['finance'] }],
            name: 'refunds a day',
            per: 'requester',
            windowMs: 86_400_000,
            limit: 200,
          },
        ],
        duplicates: { windowMs: 1_800_000 },
      },
    })
    expect(warningsOf(exampleFile)).toEqual([])
    expect(policyOf(exampleFile).policies[1]).toEqual({
      name: 'refund',
      commands: ['refund'],
      amount: { upTo: 500 },
      require: [{ kind: 'approvals', count: 1, from: ['finance'] }],
      expiresInMs: 1_800_000,
    })
  })

  it('is also the demo, which has no warnings', () => {
    expect(warningsOf(demoPolicy)).toEqual([])
    expect(policyOf(demoPolicy).people.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'p-support Sam Support',
      'p-finance Fay Finance',
      'p-finance2 Finn Finance',
    ])
  })

  /** Two texts that mean the same are two versions all the same. */
  const meaningOf = (text: string) => ({ ...policyOf(text), digest: '' })

  it('may be short, start with a byte order mark, end its lines the Windows way and leave sections empty', () => {
    expect(policyOf('version: 1')).toMatchObject({ people: [], policies: [], duplicates: null })
    expect(meaningOf(`\uFEFF${base}`)).toEqual(meaningOf(base))
    expect(meaningOf(base.replaceAll('\n', '\r\n'))).toEqual(meaningOf(base))
    expect(meaningOf(`${base}policies:\n  # - none yet\nbudgets:\n`)).toEqual(meaningOf(base))
  })

  it('holds, tries a part first, and says how long work is cut up', () => {
    const rule = '{ name: mailing, commands: [campaign send], require: confirm, hold: 10m, canary: 2.5% }'
    expect(policyOf(withRules(rule)).policies[0]).toMatchObject({ holdMs: 600_000, canary: 0.025 })
    expect(policyOf(`${base}bulk: { chunk: 20, rate: 5 }`).bulk).toEqual({
      chunk: 20,
      concurrency: 4,
      rate: 5,
    })
  })

  it.each(['0%', '100%', '1', '-1%', '0.00001%'])('takes no %s for a part', (canary) => {
    const rule = `{ name: mailing, commands: [campaign send], require: confirm, canary: "${canary}" }`
    expect(mistakesIn(withRules(rule)).join()).toContain('Expected a share such as 1% or 2.5%')
  })

  it('may use anchors, aliases and merge keys', () => {
    const rules = withRules(
      '&one { name: one, commands: [refund], require: &vote { approvals: 1, from: [finance] } }',
      '{ <<: *one, name: two, commands: [upgrade] }',
      '{ name: three, commands: [addon *], require: *vote }',
    )
    const requirement = [{ kind: 'approvals', count: 1, from: ['finance'] }]
    expect(policyOf(rules).policies.map(({ name, require }) => [name, require])).toEqual([
      ['one', requirement],
      ['two', requirement],
      ['three', requirement],
    ])
  })
})

describe('a mistake is named by its place and by what was expected', () => {
  it.each<[string, string, string[]]>([
    [
      'an empty file',
      '',
      ['1:1: the file is empty. Expected at least "version: 1", people, roles and policies.'],
    ],
    [
      'a file of comments',
      '# soon\n',
      ['1:1: the file is empty. Expected at least "version: 1", people, roles and policies.'],
    ],
    [
      'an amount that is two numbers',
      withRules('{ name: small, commands: [refund], amount: { upTo: 1.000 }, require: confirm }'),
      [
        '9:56: wrong value 1.000 in policies[0].amount.upTo. Expected one number: “1.000” can be read as 1000 and as 1.',
      ],
    ],
    [
      'an amount in text that is two numbers',
      withRules('{ name: small, commands: [refund], amount: { upTo: "1,000" }, require: confirm }'),
      [
        '9:56: wrong value "1,000" in policies[0].amount.upTo. Expected one number: “1,000” can be read as 1000 and as 1.',
      ],
    ],
    [
      'a list instead of sections',
      '- version: 1\n',
      [`1:1: wrong value (a list). Expected a map with the keys ${sections}.`],
    ],
    [
      'an open bracket',
      'version: 1\npeople: [\n',
      [
        '3:1: this is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].',
      ],
    ],
    [
      'a tab',
      'version: 1\neveryone:\n\trun: []\n',
      ['3:1: this is not valid YAML: Tabs are not allowed as indentation.'],
    ],
    [
      'a second document',
      'version: 1\n---\nversion: 1\n',
      ['2:1: a second document starts here. Expected one, without "---".'],
    ],
    [
      'an unknown anchor',
      'version: 1\neveryone: *all\n',
      ['2:11: unknown anchor "all". Expected it to be set with &all further up.'],
    ],
    [
      'a key twice',
      withRules('{ name: a, commands: [refund], require: confirm, name: b, nam: c }'),
      [
        '9:54: duplicate key "name". Expected each key once.',
        '9:63: unknown key "nam" in policies[0]. Did you mean "name"? Expected one of: name, commands, amount, require, expiresIn, hold, canary, notify, remind, escalate, evidence, reason.',
      ],
    ],
    [
      'another version',
      'version: 2\n',
      ['1:10: wrong value 2 in version. Expected 1, the only version there is.'],
    ],
    [
      'an entry with nothing in it',
      'version: 1\nroles:\n  boss:\n',
      ['3:8: wrong value (nothing) in roles.boss. Expected a map with the keys run, approve, delegate.'],
    ],
    ['no version', 'people: []\n', ['1:1: missing key "version". Expected 1, the only version there is.']],
    [
      'an unknown section',
      `${base}polices: []\n`,
      [`8:1: unknown key "polices". Did you mean "policies"? Expected one of: ${sections}.`],
    ],
    [
      'an unknown key deep down',
      withRules('{ name: a, commands: [refund], amount: { upto: 50, upTo: 60 }, require: confirm }'),
      [
        '9:46: unknown key "upto" in policies[0].amount. Did you mean "upTo"? Expected one of: from, over, upTo.',
      ],
    ],
    [
      'an unknown key in a requirement',
      withRules('{ name: a, commands: [refund], require: { approvals: 1, form: [finance] } }'),
      [
        '9:61: unknown key "form" in policies[0].require. Did you mean "from"? Expected one of: approvals, from, sign.',
      ],
    ],
    [
      'a text for a list',
      withRules('{ name: a, commands: refund, require: confirm }'),
      [
        '9:26: wrong value refund in policies[0].commands. Expected a list of commands such as [refund, "campaign *"].',
      ],
    ],
    [
      'no commands',
      withRules('{ name: a, commands: [], require: confirm }'),
      ['9:26: wrong value [] in policies[0].commands. Expected at least one command.'],
    ],
    [
      'a requirement that is none of the three',
      withRules('{ name: a, commands: [refund], require: approval }'),
      [
        '9:45: wrong value approval in policies[0].require. Expected none, confirm, { approvals: 1, from: [role] }, { stages: [...] } or a list of these.',
      ],
    ],
    [
      'no requirement',
      withRules('{ name: a, commands: [refund] }'),
      [
        '9:5: missing key "require" in policies[0]. Expected none, confirm, { approvals: 1, from: [role] }, { stages: [...] } or a list of these.',
      ],
    ],
    [
      'no approvals at all',
      withRules('{ name: a, commands: [refund], require: { approvals: 0, from: [finance] } }'),
      ['9:58: wrong value 0 in policies[0].require.approvals. Expected a whole number from 1 up.'],
    ],
    [
      'half an approval',
      withRules('{ name: a, commands: [refund], require: { approvals: 1.5 } }'),
      ['9:58: wrong value 1.5 in policies[0].require.approvals. Expected a whole number.'],
    ],
    [
      'a duration in words',
      withRules('{ name: a, commands: [refund], require: confirm, expiresIn: a while }'),
      [
        '9:65: wrong value a while in policies[0].expiresIn. Expected a duration such as 10s, 30m, 24h or 7d.',
      ],
    ],
    [
      'a duration without a unit',
      `${base}duplicates: { window: 30 }\n`,
      ['8:23: wrong value 30 in duplicates.window. Expected a duration such as 10s, 30m, 24h or 7d.'],
    ],
    [
      'an amount of a map in lines that is two numbers',
      `${base}budgets:\n  - name: b\n    commands: [refund]\n    per: everyone\n    window: 1d\n    limit: 1,000\n    then: confirm\n`,
      [
        '13:12: wrong value 1,000 in budgets[0].limit. Expected one number: “1,000” can be read as 1000 and as 1.',
      ],
    ],
    [
      'a key with nothing behind it',
      withRules('{ name: a, commands, require: confirm }'),
      [
        '9:16: wrong value (nothing) in policies[0].commands. Expected a list of commands such as [refund, "campaign *"].',
      ],
    ],
    [
      'a key that is a list',
      withRules('{ name: a, commands: [refund], require: confirm, ? [b] : c }'),
      [
        '9:5: unknown key "[ b ]" in policies[0]. Expected one of: name, commands, amount, require, expiresIn, hold, canary, notify, remind, escalate, evidence, reason.',
        '9:56: wrong key that is not text. Expected a text.',
      ],
    ],
    [
      'a merge key in quotes, which is a key like others',
      `${base}"<<": { run: [] }\n`,
      [`8:1: unknown key "<<". Expected one of: ${sections}.`],
    ],
    [
      'a negative amount',
      withRules('{ name: a, commands: [refund], amount: { upTo: -1 }, require: confirm }'),
      ['9:52: wrong value -1 in policies[0].amount.upTo. Expected a number from 0 up.'],
    ],
    [
      'an amount that ends before it starts',
      withRules('{ name: a, commands: [refund], amount: { from: 100, upTo: 50 }, require: confirm }'),
      [
        '9:44: no amount is from 100 and up to 50 in policies[0].amount. Expected an upTo that is not below from.',
      ],
    ],
    [
      'an amount between two equal ends, one of them left out',
      withRules('{ name: a, commands: [refund], amount: { over: 50, upTo: 50 }, require: confirm }'),
      ['9:44: no amount is over 50 and up to 50 in policies[0].amount. Expected an upTo above over.'],
    ],
    [
      'two lower ends',
      withRules('{ name: a, commands: [refund], amount: { over: 5, from: 5 }, require: confirm }'),
      ['9:44: both from and over are said in policies[0].amount. Expected one lower end.'],
    ],
    [
      'an amount without ends',
      withRules('{ name: a, commands: [refund], amount: {}, require: confirm }'),
      ['9:44: nothing is said in policies[0].amount. Expected upTo, over or from.'],
    ],
    [
      'an unknown role of a requirement',
      withRules('{ name: a, commands: [refund], require: { approvals: 1, from: [financ] } }'),
      ['9:68: unknown role "financ" in policies[0].require.from. Expected one of: support, finance.'],
    ],
    [
      'an unknown role of a person',
      base.replace('roles: [finance]', 'roles: [finance, boss]'),
      ['4:71: unknown role "boss" in people[1].roles. Expected one of: support, finance.'],
    ],
    [
      'an unknown role of a group',
      `${base}groups:\n  slack: { S1: [boss] }\n`,
      ['9:17: unknown role "boss" in groups.slack.S1. Expected one of: support, finance.'],
    ],
    [
      'an unknown role of a budget',
      withBudget(
        '{ name: b, commands: [refund], per: everyone, window: 1d, limit: 5, then: { approvals: 1, from: [boss] } }',
      ),
      ['9:102: unknown role "boss" in budgets[0].then.from. Expected one of: support, finance.'],
    ],
    [
      'a role where none are defined',
      'version: 1\npeople: [{ id: a, name: A, roles: [boss] }]\n',
      ['2:36: unknown role "boss" in people[0].roles. Expected it under roles.'],
    ],
    [
      'an unknown command',
      withRules('{ name: a, commands: [refnd], require: confirm }'),
      ['9:27: unknown command "refnd" in policies[0].commands. Did you mean "refund"?'],
    ],
    [
      'a noun without its star',
      `${base}everyone: { run: [bellhop] }\n`,
      ['8:19: unknown command "bellhop" in everyone.run. Did you mean "bellhop *"?'],
    ],
    [
      'a command like no other',
      `${base}everyone: { run: [make coffee please] }\n`,
      [
        '8:19: unknown command "make coffee please" in everyone.run. Expected a command such as "campaign send", all of a noun such as "campaign *", or "*".',
      ],
    ],
    [
      'two people with one id',
      base.replace('id: fay', 'id: sam'),
      ['4:11: two people have the id "sam". Expected each id once, with all accounts of that person.'],
    ],
    [
      'an account of a workspace that is not listed',
      `${base.replace('slack: U2', 'slack: T9/U2')}workspaces: { slack: [T2] }\n`,
      [
        '4:34: "T9/U2" is of a Slack workspace that is not listed. Expected T9 in the list workspaces.slack: T2.',
      ],
    ],
    [
      'two accounts in one workspace',
      base.replace('slack: U2', 'slack: [U2, U3]'),
      [
        '4:34: wrong value (a list) in people[1].slack. Expected a Slack member id such as U012ABCDEF, or a list with one for each workspace.',
      ],
    ],
    [
      'something else than a workspace',
      `${base}workspaces: { slack: [acme] }\n`,
      [
        '8:23: wrong value acme in workspaces.slack. Expected Slack workspaces or organizations by their ids, such as T012ABCDEF or E012ABCDEF.',
      ],
    ],
    [
      'one Slack account on two people',
      base.replace('slack: U2', 'slack: U1'),
      ['4:34: the Slack account "U1" belongs to both sam and fay. Expected each account on one person.'],
    ],
    [
      'one Discord account on two people',
      base.replace('"402"', '"401"'),
      ['4:47: the Discord account "401" belongs to both sam and fay. Expected each account on one person.'],
    ],
    [
      'an id that could pass for an account',
      base.replace('id: fay', 'id: "slack:U1"'),
      [
        '4:11: wrong value "slack:U1" in people[1].id. Expected a name of letters, digits, ".", "_", "-" and "@".',
      ],
    ],
    [
      'a Discord account as a bare number',
      base.replace('"402"', '400000000000000002'),
      [
        '4:47: wrong value 400000000000000002 in people[1].discord. Expected a Discord id in quotes, such as "400000000000000001" (a bare number loses its last digits).',
      ],
    ],
    [
      'a Discord role as a bare number',
      `${base}groups:\n  discord: { 500000000000000001: [finance] }\n`,
      [
        '9:14: wrong key 500000000000000001. Expected it in quotes: "500000000000000001" (a bare number loses its last digits).',
      ],
    ],
    [
      'the name of a Discord role',
      `${base}groups:\n  discord: { finance: [finance] }\n`,
      [
        '9:14: wrong key "finance" in groups.discord. Expected a Discord id in quotes, such as "400000000000000001" (a bare number loses its last digits).',
      ],
    ],
    [
      // Who may approve by it, nobody can say.
      'a role that cannot be read',
      withRules('{ name: a, commands: [refund], require: { approvals: 1, from: [finance] } }').replace(
        'approve: ["*"]',
        'approve: all',
      ),
      [
        '7:35: wrong value all in roles.finance.approve. Expected a list of commands such as [refund, "campaign *"].',
      ],
    ],
    [
      'the name of a channel',
      `${base}approvals: { slack: "#approvals" }\n`,
      [
        '8:21: wrong value "#approvals" in approvals.slack. Expected a Slack channel id such as C012ABCDEF, not its name.',
      ],
    ],
    [
      'a version that is not said',
      base.replace('version: 1', 'version:'),
      ['1:9: wrong value (nothing) in version. Expected 1, the only version there is.'],
    ],
    [
      'an account of a workspace where none is listed',
      base.replace('slack: U1', 'slack: T2/U1'),
      [
        '3:34: "T2/U1" is of a Slack workspace that is not listed. Expected T2 in the list workspaces.slack: there is none.',
      ],
    ],
    [
      'an administrator where nobody is listed',
      'version: 1\nadministrators: [sam]\n',
      [
        '2:18: unknown person "sam" in administrators[0]. Expected the id of somebody under people: there is nobody.',
      ],
    ],
    [
      'two rules of one name',
      withRules(
        '{ name: a, commands: [refund], require: confirm }',
        '{ name: a, commands: [upgrade], require: confirm }',
      ),
      [
        '10:13: two policies have the name "a". Expected each name once: the audit log tells them apart by it.',
      ],
    ],
    [
      'a billing command that would run at once',
      withRules('{ name: a, commands: [refund], require: none }'),
      [
        '9:45: "none" in policies[0].require covers commands that move money: "refund". Expected confirm or { approvals: 1, from: [role] } for them.',
      ],
    ],
    [
      'everything, billing included, at once',
      withRules('{ name: a, commands: ["*"], require: none }'),
      [
        '9:42: "none" in policies[0].require covers commands that move money: "refund", "transaction delete", "addon create" and 4 more. Expected confirm or { approvals: 1, from: [role] } for them.',
      ],
    ],
    [
      'a budget that asks for nothing',
      withBudget('{ name: b, commands: [refund], per: everyone, window: 1d, limit: 5, then: none }'),
      [
        '9:79: "none" in budgets[0].then makes the budget mean nothing. Expected confirm or { approvals: 1, from: [role] }.',
      ],
    ],
    [
      'a budget of nobody',
      withBudget('{ name: b, commands: [refund], per: team, window: 1d, limit: 5, then: confirm }'),
      ['9:41: wrong value team in budgets[0].per. Expected requester or everyone.'],
    ],
    [
      'approvers who may not approve',
      withRules('{ name: a, commands: [refund, "campaign *"], require: { approvals: 1, from: [support] } }'),
      [
        '9:59: nobody in support may approve "campaign send", "refund", so policies[0].require could never be met. Expected one of: finance.',
      ],
    ],
    [
      'approvers for three commands, where no role may approve all of them',
      withRules(
        '{ name: a, commands: [refund, campaign send, freeze], require: { approvals: 1, from: [support] } }',
      ).replace('approve: ["*"]', 'approve: [refund]'),
      [
        '9:68: nobody in support may approve "campaign send", "refund", "freeze", so policies[0].require could never be met. Expected a role with it under approve.',
      ],
    ],
    [
      'an approval that no role may give',
      'version: 1\nroles: { all: { run: ["*"] } }\npolicies:\n  - { name: a, commands: [freeze], require: { approvals: 1 } }\n',
      [
        '4:45: nobody may approve "freeze", so policies[0].require could never be met. Expected a role with it under approve.',
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(mistakesIn(text)).toEqual(expected.map((line) => `bellhop.yml:${line}`))
  })

  it('points into the anchor when an alias or a merge brought the mistake in', () => {
    const rules = withRules(
      '&one { name: one, commands: [refund], require: confirm, expiresIn: &never never }',
      '{ <<: *one, name: two, commands: [upgrade] }',
    )
    expect(mistakesIn(rules)).toEqual([
      'bellhop.yml:9:79: wrong value never in policies[0].expiresIn. Expected a duration such as 10s, 30m, 24h or 7d.',
      'bellhop.yml:9:79: wrong value never in policies[1].expiresIn. Expected a duration such as 10s, 30m, 24h or 7d.',
    ])
    // Of several maps that are merged, the first that has the key gives it.
    const several = withRules(
      '&one { name: one, commands: [refund], require: confirm }',
      '&two { name: two, commands: [refund], require: confirm, hold: long }',
      '&three { name: three, commands: [refund], require: confirm, hold: 1m, canary: 5 }',
      '{ <<: [*one, *two, *three], name: four }',
    )
    expect(mistakesIn(several)).toEqual([
      'bellhop.yml:10:67: wrong value long in policies[1].hold. Expected a duration such as 10s, 30m, 24h or 7d.',
      'bellhop.yml:10:67: wrong value long in policies[3].hold. Expected a duration such as 10s, 30m, 24h or 7d.',
      'bellhop.yml:11:83: wrong value 5 in policies[2].canary. Expected a share such as 1% or 2.5%, above 0% and below 100%.',
      'bellhop.yml:11:83: wrong value 5 in policies[3].canary. Expected a share such as 1% or 2.5%, above 0% and below 100%.',
    ])
  })

  it('has the column that an editor shows, also after a byte order mark', () => {
    expect(mistakesIn('\uFEFFversion: 2')).toEqual([
      'bellhop.yml:1:10: wrong value 2 in version. Expected 1, the only version there is.',
    ])
  })

  it('is found for a command that does not say whether it is a change', () => {
    const text =
      'version: 1\nroles: { a: { run: ["*"] } }\npolicies:\n  - { name: x, commands: [go], require: { approvals: 1, from: [a] } }\n'
    const loaded = loadPolicy(text, {
      file: 'bellhop.yml',
      commands: [{ name: 'go', area: 'email' }],
      platforms,
    })
    expect(loaded).toMatchObject({ ok: false, problems: [{ line: 4, column: 41 }] })
  })

  it('does not hide another, not even in the same entry', () => {
    const text = base
      .replace('id: fay, name: Fay, slack: U2', 'id: sam, slack: U1, surname: F')
      .replace('roles: [finance]', 'roles: [boss]')
      .replace('run: [refund,', 'run: [refnd, refund,')
    expect(mistakesIn(`${text}duplicates: { window: 0m }\neveryone: { run: [a], rum: 1 }\n`)).toEqual([
      'bellhop.yml:4:5: missing key "name" in people[1]. Expected a text.',
      'bellhop.yml:4:11: two people have the id "sam". Expected each id once, with all accounts of that person.',
      'bellhop.yml:4:23: the Slack account "U1" belongs to both sam and sam. Expected each account on one person.',
      'bellhop.yml:4:27: unknown key "surname" in people[1]. Expected one of: id, name, slack, discord, roles, email, zone, manager.',
      'bellhop.yml:4:63: unknown role "boss" in people[1].roles. Expected one of: support, finance.',
      'bellhop.yml:6:20: unknown command "refnd" in roles.support.run. Did you mean "refund"?',
      'bellhop.yml:8:23: wrong value 0m in duplicates.window. Expected a duration such as 10s, 30m, 24h or 7d.',
      'bellhop.yml:9:19: unknown command "a" in everyone.run. Expected a command such as "campaign send", all of a noun such as "campaign *", or "*".',
      'bellhop.yml:9:23: unknown key "rum" in everyone. Did you mean "run"? Expected one of: run.',
    ])
  })

  it('is found in a file made to exhaust the reader, or to reach a prototype', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh']) {
      bomb.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`)
    }
    expect(mistakesIn(bomb.join('\n'))).toEqual([
      'bellhop.yml:1:1: this cannot be read: with its aliases it holds more than 200,000 values, which is the most.',
    ])
    expect(mistakesIn('version: 1\neveryone: &own { <<: *own, run: [] }\n')).toEqual([
      'bellhop.yml:1:1: this cannot be read: an alias stands inside of what it names.',
    ])
    expect(mistakesIn(`${base}__proto__: { run: ["*"] }\n`)).toEqual([
      'bellhop.yml:8:1: wrong key __proto__. Expected a text.',
    ])
    expect(mistakesIn(base.replace('roles: [support]', 'roles: [constructor]'))).toEqual([
      'bellhop.yml:3:62: unknown role "constructor" in people[0].roles. Expected one of: support, finance.',
    ])
  })
})
