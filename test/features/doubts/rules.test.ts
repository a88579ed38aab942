import { describe, expect, it } from 'vitest'
import { loadPolicy } from '../../../src/kernel/policy/file/load.ts'
import { commandsWith } from '../../harness/commands.ts'
import { platforms } from '../../harness/platforms.ts'

const commands = commandsWith().all

const warningsOf = (sections: string): string[] => {
  const text = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance] }
  - { id: deb, name: Deb, roles: [desk] }
roles:
  desk: { approve: ["*"] }
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
${sections}`
  const loaded = loadPolicy(text, { file: 'bellhop.yml', commands, platforms })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.warnings().map((warning) => warning.replace(/^bellhop\.yml:\d+:\d+: /, ''))
}

const rules = (...some: string[]) => `policies:\n${some.map((one) => `  - { ${one} }\n`).join('')}`
const budget = (one: string) => `budgets:\n  - { name: a day, per: requester, window: 24h, ${one} }\n`
const two = 'require: { approvals: 2, from: [finance] }'
const one = 'require: { approvals: 1, from: [finance] }'

describe('a rule that never matches', () => {
  it('because others before it take all amounts together', () => {
    const above = 'name: above, commands: [refund], amount: { over: 50 }, require: confirm'
    const unknown = `name: unknown, commands: [refund], ${two}`
    expect(
      warningsOf(
        rules(
          'name: small, commands: [refund], amount: { upTo: 50 }, require: confirm',
          above,
          unknown,
          `name: late, commands: [refund], amount: { from: 10, upTo: 90 }, ${one}`,
        ),
      ),
    ).toEqual([
      'policies[3] "late" can never match: "small" and "above" before it take all it could. Move it up or remove it.',
    ])
  })

  it.each([
    [
      'because it is about look-ups',
      'name: look, commands: [subscriber get, "report *"], require: confirm',
      'policies[0] "look" can never match: it is only about look-ups and decisions, and rules are about changes. Remove it.',
    ],
    [
      'because what it is about has no amount',
      'name: mail, commands: [campaign send], amount: { upTo: 5 }, require: confirm',
      'policies[0] "mail" can never match: none of its commands has an amount. Leave amount out.',
    ],
  ])('%s', (_, rule, warning) => {
    expect(warningsOf(rules(rule))).toEqual([warning])
  })

  it('is not one for the other name of the same change, nor one for what only api call reaches', () => {
    expect(
      warningsOf(rules(`name: up, commands: [upgrade], ${one}`, `name: down, commands: [downgrade], ${two}`)),
    ).toEqual([])
    expect(
      warningsOf(
        rules(`name: all, commands: [campaign send], ${one}`, `name: rest, commands: ["campaign *"], ${two}`),
      ),
    ).toEqual([])
    expect(
      warningsOf(
        rules(
          `name: any, commands: [api call], amount: { upTo: 5 }, ${one}`,
          `name: all, commands: ["*"], ${two}`,
        ),
      ),
    ).toEqual([])
  })
})

describe('a hole between ranges of amounts', () => {
  const small = 'name: small, commands: [refund], amount: { upTo: 50 }, require: confirm'
  it.each([
    [
      'falls to the default',
      [small, `name: large, commands: [refund], amount: { from: 100 }, ${one}`],
      'amounts over 50 and below 100 of "refund" are in no range: no rule is about them, and the default holds. Let the ranges meet, or give these a rule.',
    ],
    [
      'falls to a rule that asks for more than both',
      [
        small,
        `name: middle, commands: [refund], amount: { over: 51, upTo: 500 }, ${one}`,
        `name: rest, commands: [refund], ${two}`,
      ],
      'amounts over 50 and up to 51 of "refund" are in no range: "rest" decides about them. Let the ranges meet, or give these a rule.',
    ],
    [
      'falls to a rule that asks for less than what is below it',
      [
        `name: small, commands: [refund], amount: { upTo: 50 }, ${one}`,
        `name: huge, commands: [refund], amount: { from: 1000 }, ${two}`,
        'name: rest, commands: [refund], require: confirm',
      ],
      'amounts over 50 and below 1000 of "refund" are in no range: "rest" decides about them. Let the ranges meet, or give these a rule.',
    ],
    [
      'is one for every name that it holds for',
      [
        'name: few, commands: [refund, api call], amount: { upTo: 5 }, require: confirm',
        `name: many, commands: [refund, api call], amount: { from: 7 }, ${one}`,
      ],
      'amounts over 5 and below 7 of "refund", "api call" are in no range: no rule is about them, and the default holds. Let the ranges meet, or give these a rule.',
    ],
  ])('%s', (_, some, warning) => {
    expect(warningsOf(rules(...some))).toEqual([warning])
  })

  it('is none where ranges meet, where only cents could be between, or where the rule for the rest asks for more than the smaller and less than the larger', () => {
    for (const from of ['over: 50', 'from: 50.01', 'from: 20'])
      expect(
        warningsOf(rules(small, `name: large, commands: [refund], amount: { ${from} }, ${one}`)),
      ).toEqual([])
    expect(
      warningsOf(
        rules(
          small,
          `name: huge, commands: [refund], amount: { from: 1000 }, ${two}`,
          `name: rest, commands: [refund], ${one}`,
        ),
      ),
    ).toEqual([])
  })
})

describe('a demand that could never be met', () => {
  it('is named with the commands that have no reason or no evidence', () => {
    expect(
      warningsOf(
        rules(`name: why, commands: [refund, license delete], ${one}, reason: required, evidence: required`),
      ),
    ).toEqual([
      'policies[0] "why" could never be met for "license delete": no reason can be given there. Leave it out of the rule, or reason out of it.',
      'policies[0] "why" could never be met for "license delete": nothing is looked up there. Leave it out of the rule, or evidence out of it.',
    ])
    expect(
      warningsOf(
        rules(`name: why, commands: [license delete, license delete-code], ${one}, reason: required`),
      ),
    ).toEqual([
      'policies[0] "why" could never be met for "license delete-code", "license delete": no reason can be given there. Leave them out of the rule, or reason out of it.',
    ])
    expect(
      warningsOf(
        rules(`name: why, commands: [refund, upgrade], ${one}, reason: required, evidence: required`),
      ),
    ).toEqual([])
  })

  it('is none where another rule decides', () => {
    expect(
      warningsOf(
        rules(
          `name: codes, commands: [license delete], ${one}`,
          `name: why, commands: [refund, license delete], ${one}, reason: required`,
        ),
      ),
    ).toEqual([])
  })
})

describe('a rule about a deed that leaves its larger form to less', () => {
  it.each([
    ['campaign send', 'campaign send-list'],
    ['subscriber update', 'subscriber import'],
  ])('%s', (small, large) => {
    expect(warningsOf(rules(`name: it, commands: [${small}], ${one}`))).toEqual([
      `policies[0] "it" asks more of "${small}" than is needed for "${large}", which does the same to many at once: no rule is about that. Ask as much of both: write "${large}" beside it.`,
    ])
    expect(warningsOf(rules(`name: it, commands: [${small}, ${large}], ${one}`))).toEqual([])
    expect(warningsOf(rules(`name: it, commands: [${large}], ${two}`))).toEqual([])
  })

  it('is told which rule decides about that one, or that only the default asks as much', () => {
    expect(
      warningsOf(
        rules(
          `name: codes, commands: [license delete-code], ${two}`,
          `name: rest, commands: ["license *"], ${one}`,
        ),
      ),
    ).toEqual([
      'policies[0] "codes" asks more of "license delete-code" than is needed for "license delete", which does the same to many at once: "rest" decides about that. Ask as much of both: write "license delete" beside it.',
    ])
    expect(warningsOf(rules('name: mine, commands: [license delete], require: confirm'))).toEqual([
      'policies[0] "mine" asks less for "license delete" than "license delete-code" needs where no rule is about it, although it does the same to many at once. Ask as much of both.',
    ])
  })

  const vote = (from: string) => `{ approvals: 1, from: [${from}] }`
  const sends = (small: string, large: string) =>
    warningsOf(
      rules(
        `name: one, commands: [campaign send], require: ${small}`,
        `name: many, commands: [campaign send-list], require: ${large}`,
      ),
    )

  it.each([
    ['as many of fewer roles are asked', '{ approvals: 1 }', vote('finance')],
    ['one of several that are asked says as much', vote('finance'), `[${vote('desk')}, ${vote('finance')}]`],
  ])('is none where %s', (_, small, large) => {
    expect(sends(small, large)).toEqual([])
  })

  it.each([
    ['others are asked', vote('finance'), vote('desk')],
    ['others are asked as well as those', vote('finance'), vote('finance, desk')],
    ['only one of two is asked', `[${vote('desk')}, ${vote('finance')}]`, vote('finance')],
  ])('is one where %s', (_, small, large) => {
    expect(sends(small, large)).toEqual([
      'policies[0] "one" asks more of "campaign send" than is needed for "campaign send-list", which does the same to many at once: "many" decides about that. Ask as much of both: write "campaign send-list" beside it.',
    ])
  })
})

describe('a budget', () => {
  const levels = rules(
    'name: small, commands: [refund], amount: { upTo: 50 }, require: confirm',
    `name: middle, commands: [refund], amount: { upTo: 500 }, ${one}`,
    `name: large, commands: [refund], ${two}`,
  )
  const then = 'then: { approvals: 2, from: [finance] }'

  it('that is wider than every rule is told', () => {
    expect(warningsOf(`${levels}${budget(`commands: [refund], limit: 5000, ${then}`)}`)).toEqual([
      'budgets[0] "a day" is wider than every rule: its limit is 5,000, and no rule lets more than 500 pass with less than it asks for. Small ones would add up to more than a large one: lower the limit.',
    ])
    expect(warningsOf(`${levels}${budget(`commands: [refund], limit: 500, ${then}`)}`)).toEqual([])
  })

  it('is held against rules alone, not against what the default lets pass', () => {
    const small = rules('name: small, commands: [refund], amount: { upTo: 50 }, require: confirm')
    expect(warningsOf(`${small}${budget(`commands: [refund], limit: 100, ${then}`)}`)).toEqual([
      expect.stringContaining('its limit is 100, and no rule lets more than 50 pass with less'),
    ])
    expect(warningsOf(budget(`commands: [refund], limit: 100, ${then}`))).toEqual([])
  })

  it('that asks for nothing more than the rules do is told', () => {
    expect(
      warningsOf(
        `${rules(`name: all, commands: [refund], ${two}`)}${budget(`commands: [refund], limit: 5, then: { approvals: 1, from: [finance] }`)}`,
      ),
    ).toEqual(['budgets[0] "a day" changes nothing: whatever it is about needs as much already. Remove it.'])
  })

  it('that counts what never has an amount is told', () => {
    expect(warningsOf(budget(`commands: [campaign send], limit: 200, ${then}`))).toEqual([
      expect.stringMatching(/^budgets\[0\] "a day" covers "campaign send", which never has an amount: /),
    ])
    expect(warningsOf(`${levels}${budget(`commands: [refund, "list *"], limit: 200, ${then}`)}`)).toEqual([
      expect.stringMatching(
        /^budgets\[0\] "a day" covers "list \w+", "list \w+", "list \w+" and 1 more, which never have an amount: what is not known is always too much/,
      ),
    ])
  })
})
