import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actorOf } from '../../../src/kernel/actors/authorization.ts'
import { warningsIn } from '../../../src/kernel/model/warning.ts'
import type { Explained } from '../../../src/kernel/policy/explain-view.ts'
import { explainLine, judgeLine } from '../../../src/kernel/request/look-ups/explain.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { fromOf, policyOf, textOf } from '../../harness/app.ts'
import { account, buttonOf, changeOf, joinGroups, openHarness, refusalOf } from '../harness.ts'
import { policy as harnessPolicy } from '../policy.ts'

/** Each of them may ask for explanations, and little else. */
const lookers = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: kim, name: Kim, roles: [reader] }
  - { id: ada, name: Ada, roles: [approver] }
roles:
  support: { run: [refund] }
  reader: { run: ["subscriber get"] }
  approver: { approve: [refund] }
everyone: { run: ["policy explain"] }
agents:
  - { id: first, name: Helper, owner: sam, roles: [support], token: { env: FIRST } }
  - { id: second, name: Helper, owner: kim, roles: [reader], token: { env: SECOND } }
`

const need = fc.oneof(
  fc.constant('confirm'),
  fc
    .record({
      count: fc.integer({ min: 1, max: 3 }),
      from: fc.subarray(['support', 'finance', 'owner']),
    })
    .map(
      ({ count, from }) =>
        `{ approvals: ${count}${from.length === 0 ? '' : `, from: [${from.join(', ')}]`} }`,
    ),
)
const needs = fc.array(need, { minLength: 1, maxLength: 3 }).map((some) => `[${some.join(', ')}]`)
const commands = fc
  .subarray(['"*"', 'refund', '"api *"', 'upgrade', '"list *"', 'freeze'], { minLength: 1 })
  .map((some) => `[${some.join(', ')}]`)
const amount = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map((upTo) => `{ upTo: ${upTo} }`),
  fc.integer({ min: 1, max: 9 }).map((over) => `{ over: ${over} }`),
  fc.integer({ min: 1, max: 5 }).map((from) => `{ from: ${from}, upTo: ${from + 3} }`),
)
const rule = fc
  .record({
    commands,
    needs,
    amount: fc.option(amount),
    more: fc.constantFrom('', ', hold: 10m', ', expiresIn: 2h'),
  })
  .map(
    (one) =>
      `commands: ${one.commands}${one.amount === null ? '' : `, amount: ${one.amount}`}, require: ${one.needs}${one.more} }`,
  )
const budget = fc
  .record({
    commands,
    needs,
    limit: fc.integer({ min: 0, max: 20 }),
    per: fc.constantFrom('requester', 'everyone'),
  })
  .map(
    (one) =>
      `commands: ${one.commands}, per: ${one.per}, window: 1h, limit: ${one.limit}, then: ${one.needs} }`,
  )
const numbered = (name: string, some: string[]) =>
  some.map((one, at) => `  - { name: ${name} ${at + 1}, ${one}`).join('\n')
const policyText = fc
  .record({
    rules: fc.array(rule, { maxLength: 6 }),
    budgets: fc.array(budget, { maxLength: 2 }),
    duplicates: fc.boolean(),
    approvers: fc.subarray(['support', 'finance', 'owner'], { minLength: 1 }),
  })
  .map(
    ({ rules, budgets, duplicates, approvers }) => `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance, owner] }
  - { id: ona, name: Ona, roles: [owner] }
roles:
${['support', 'finance', 'owner'].map((role) => `  ${role}: { run: ["*"], approve: [${approvers.includes(role) ? '"*"' : '"subscriber *"'}] }`).join('\n')}
policies:
${numbered('rule', rules)}
budgets:
${numbered('budget', budgets)}
${duplicates ? 'duplicates: { window: 30m }' : ''}
`,
  )
const people = ['sam', 'fay', 'finn', 'ona']
const request = fc.record({
  person: fc.constantFrom(...people),
  line: fc.oneof(
    fc
      .tuple(fc.constantFrom('pay_1001', 'pay_1002'), fc.integer({ min: 0, max: 12 }))
      .map(([payment, much]) => `refund ${payment}${much === 0 ? '' : ` ${much}`}`),
    fc
      .integer({ min: 1, max: 12 })
      .map((much) => `api call billing POST /transaction/refund/pay_1003 --body '{"amount":${much}}'`),
    fc
      .integer({ min: 1, max: 9 })
      .map((price) => `upgrade sub_1 plan_2 --payment-mode offline --price ${price} --quantity 1`),
    fc.integer({ min: 1, max: 3 }).map((n) => `list create "List ${n}"`),
    fc.constant('freeze chat'),
  ),
  voter: fc.constantFrom(...people),
})

const anyTime = (words: string) => words.replace(/\d+ seconds? ago|just now/, 'then')

it('what is explained is what really happens, over random policies and requests', async () => {
  const { app, registry, say, press } = await openHarness()
  let n = 0
  await fc.assert(
    fc.asyncProperty(
      policyText,
      fc.array(request, { minLength: 1, maxLength: 6 }),
      async (text, requests) => {
        const policy = (() => {
          try {
            return policyOf(text, registry)
          } catch {
            // A file that nobody could ever satisfy is refused.
            return undefined
          }
        })()
        fc.pre(policy !== undefined)
        app.core.usePolicy(policy, ++n)
        for (const { person, line, voter } of requests) {
          const told = await judgeLine({ ...app.core }, actorOf(policy, fromOf(person)), line)
          const reply = await say(line, person)
          if (reply.kind === 'refused') {
            // What cannot be prepared is not asked for, and no rule is asked about it: a list that is there, a freeze.
            expect(['nothing_to_change', 'not_allowed_now']).toContain(reply.refusal.code)
            continue
          }
          const change = changeOf(reply)
          const { decision, explanation } = (told.ok ? told.value : told) as Explained
          expect({
            rule: decision.rule,
            clauses: decision.clauses,
            warnings: warningsIn({ ...change, warnings: decision.warnings }).map(({ words }) =>
              anyTime(plainWords(words)),
            ),
          }).toEqual({
            rule: change.rule,
            clauses: change.clauses,
            warnings: warningsIn(change).map(({ words }) => anyTime(plainWords(words))),
          })
          expect(change.expiresAt - change.createdAt).toBe(decision.expiresInMs)
          expect(change.holdMs).toBe(decision.holdMs)
          const decides = explanation.rules.filter((one) => one.decides).map(({ name }) => name)
          expect(decides.join(' and ') || decision.rule).toBe(
            policy.policies
              .filter(({ name }) => change.rule.split(' and ').includes(name))
              .map(({ name }) => name)
              .join(' and ') || change.rule,
          )
          if (change.state !== 'pending') continue
          const could = new Set(explanation.clauses.flatMap((one) => one.people))
          const vote = await press(
            change.clauses[0]?.kind === 'confirm' ? 'confirm' : 'approve',
            buttonOf(change),
            voter,
          )
          const name = policy.people.find(({ id }) => id === voter)?.name ?? ''
          expect([voter, vote.kind !== 'refused' || vote.refusal.code === 'frozen']).toEqual([
            voter,
            could.has(name) || (vote.kind === 'refused' && vote.refusal.code === 'frozen'),
          ])
        }
      },
    ),
    { numRuns: 60 },
  )
})

describe('policy explain in chat', () => {
  it('shows every rule with why, the clauses with who could satisfy them, and what the budgets hold', async () => {
    const { say } = await openHarness()
    expect(textOf(await say('policy explain refund pay_1001 120', 'fay'))).toMatchInlineSnapshot(`
      "refund pay_1001 120

      Asked by       Fay Finance (finance)
      Amount         120
      Decides        refund
      Needs          1 approval from finance
      Waits at most  30 m
      Policy         7300fcacaef2

      No.  Rule          Decides  Why
        1  small refund  no       It is for amounts up to 50, and this is 120.
        2  refund        yes      It is the first for refund.
        3  large refund  no       "refund" stands before it.
        4  plan change   no       It is for upgrade, downgrade.
        5  lists         no       It is for list create.

      - 1 approval from finance (rule "refund"); today: Finn Finance, and whoever is listed and in S0FIN or 500000000000000001.

      Budget         For        Used                                               With this one
      refunds a day  requester  0 of 200 (currency unknown) used in the last 24 h  this would make 120, within it"
    `)
  })

  it('says of a command alone who can run and approve it, to those whom the file lists', async () => {
    const { say } = await openHarness()
    expect(textOf(await say('policy explain refund', 'sam'))).toMatch(
      /May run it +.*finance.*\nMay approve it +finance: Fay Finance, Finn Finance[\s\S]*small refund +amounts up to 50 /,
    )
    expect(await say('policy explain refund', 'U-stranger')).toMatchObject({ kind: 'refused' })
    // With a word of what it is about, or of what no rule is about, it is asked for the rest.
    for (const line of ['upgrade sub_1', 'subscriber get'])
      expect(textOf(await say(`policy explain ${line}`, 'fay'))).not.toContain('May run it')
  })

  it('is for the person that --as names, and says when they may not ask', async () => {
    const { say } = await openHarness()
    expect(textOf(await say('policy explain "refund pay_1001 20" --as sam', 'fay'))).toContain(
      'Sam Support (support)',
    )
    expect(textOf(await say('policy explain "refund pay_1001 20" --as kim', 'fay'))).toMatch(
      /^None of the roles of Kim \(reader\) may run refund\.$/m,
    )
    expect(textOf(await say('policy explain "refund pay_1001 20" --as nobody', 'fay'))).toContain(
      'nobody in the policy file goes by "nobody"',
    )
  })

  it('is refused as the line itself would be', async () => {
    const { say } = await openHarness()
    for (const line of [
      'refund pay_1001 9999 --customer cus_1001',
      'refund pay_1001 -4',
      'refund --amount 20',
    ]) {
      const told = await say(`policy explain "${line}"`, 'fay')
      expect(told.kind, line).toBe('refused')
      expect(told).toMatchObject({ refusal: refusalOf(await say(line, 'fay')) })
    }
  })

  it('counts those whom a messenger has in a group today', async () => {
    const { app, say } = await openHarness()
    const asked: string[] = []
    joinGroups(app, 'slack', (id) => {
      asked.push(id)
      return id === 'U0GUS' ? ['S0FIN'] : []
    })
    expect(textOf(await say('policy explain refund pay_1001 120', 'fay'))).toContain(
      'today: Finn Finance, Gus, and whoever is listed',
    )
    // A messenger answers only so often: once for each person is enough.
    expect(asked.toSorted()).toEqual(['U0FAY', 'U0FINN', 'U0GUS', 'U0SAM'])
  })

  it('says of what takes a set that nobody knows yet whether it was asked for before', async () => {
    const { app, registry } = await openHarness()
    const line = 'campaign send cmp_welcome ada@example.com,ben@example.com'
    const note = 'Whether the same was asked before can be told only when its items are collected.'
    const notesUnder = async (text: string) => {
      const policy = policyOf(text, registry)
      const told = await judgeLine({ ...app.core, policy }, actorOf(policy, fromOf('fay')), line)
      return told.ok && 'notes' in told.value ? told.value.notes : told
    }
    expect(await notesUnder(harnessPolicy)).toEqual([note])
    expect(await notesUnder(harnessPolicy.replace('duplicates: { window: 30m }', ''))).toEqual([])
  })

  it('says of a look-up that no rule is about it, and of a frozen area that it is frozen', async () => {
    const { say, ask } = await openHarness()
    expect(textOf(await say('policy explain subscriber get ada@example.com', 'fay'))).toContain(
      'asks for no change',
    )
    await ask('freeze billing', 'fay')
    expect(textOf(await say('policy explain refund pay_1001 20', 'fay'))).toContain('frozen by Fay')
  })
})

describe('a command alone', async () => {
  const { app, registry } = await openHarness()
  const policy = policyOf(lookers, registry)
  const told = async (from: Parameters<typeof actorOf>[1], as?: string, line = 'refund') => {
    const view = await explainLine({ ...app.core, policy }, actorOf(policy, from), line, as)
    return view.ok ? view.value.title : view.refusal.code
  }

  it('is told of to people of the file, and others are asked for a whole line', async () => {
    expect(await told(fromOf('kim'))).toBe('Who can run and approve refund')
    expect(await told(fromOf('stranger'))).toBe('missing_arguments')
    expect(await told(account('mcp', 'first'))).toBe('missing_arguments')
  })

  it('is of nobody in particular, so that of somebody else a whole line is asked for', async () => {
    expect(await told(fromOf('sam'), 'sam')).toBe('missing_arguments')
  })

  it('is none where there is no such command', async () => {
    expect(await told(fromOf('kim'), undefined, 'nonsense')).toBe('unknown_command')
  })
})

describe('what somebody else asks for', async () => {
  const { app, registry } = await openHarness()
  const told = async (person: string, as: string, text = lookers, line = 'refund pay_1001 20') => {
    const policy = policyOf(text, registry)
    const core = { ...app.core, policy }
    const judged = await judgeLine(core, actorOf(policy, fromOf(person)), line, as)
    return judged.ok ? judged.value.requester.name : [judged.refusal.message, judged.refusal.next].join(' ')
  }

  it('is explained to whoever could run or approve it, and to nobody else', async () => {
    expect(await told('ada', 'sam')).toBe('Sam')
    expect(await told('sam', 'kim')).toMatch(/^None of the roles of Kim \(reader\) may run refund\. /)
    expect(await told('kim', 'sam')).toBe(
      'You may neither run nor approve refund, whoever asks for it. The role support may run it; ask one of: Sam.',
    )
    expect(await told('stranger', 'sam')).toBe(
      'You may neither run nor approve refund, whoever asks for it. Ask an administrator for the role.',
    )
  })

  it('is refused where they may call what they may not run', async () => {
    const callers = lookers
      .replace('["subscriber get"]', '["api call"]')
      .replace('[refund] }', '[refund, "api *"] }')
    const call = `api call billing POST /transaction/refund/pay_1001 --body '{"amount": 20}'`
    expect(await told('ada', 'sam', callers, call)).toBe('Sam')
    expect(await told('ada', 'kim', callers, call)).toMatch(/refund/)
  })

  it('may be what an agent asks for, by its id or its name, the first of that name', async () => {
    expect(await told('ada', ' first ')).toBe('Helper (agent of Sam)')
    expect(await told('ada', 'Helper')).toBe('Helper (agent of Sam)')
  })

  it('is nothing where nobody goes by the name, of which only the beginning is said', async () => {
    expect(await told('ada', 'x'.repeat(50))).toBe(
      `as: nobody in the policy file goes by "${'x'.repeat(40)}". Write the id, the name or an account of somebody there, such as sam.`,
    )
    expect(await told('ada', 'zed', 'version: 1\neveryone: { run: ["*"] }\n')).toContain('such as sam.')
  })
})

describe('why a card needs what it needs', () => {
  const older = 'The policy was changed after this was asked for: these are the rules of today.'

  it('is told by the rules of today, and says so where they are others', async () => {
    const { app, ask, payment, press, registry } = await openHarness()
    const small = await ask(`refund ${payment()} 20`)
    const middle = await ask(`refund ${payment()} 120`)
    const why = async (id: string) => textOf(await press('why', id))
    expect(await why(small.id)).toContain('Why this needs a confirmation: ')
    expect(await why(middle.id)).toContain('Why this needs approval: ')
    expect(await why(middle.id)).not.toContain(older)
    app.core.usePolicy(policyOf(`${harnessPolicy}# changed\n`, registry), 2)
    expect(await why(middle.id)).toContain(older)
  })

  it('does not say so of a card on which no version is written', async () => {
    const { ask, press, store } = await openHarness()
    const { policy: _, ...rest } = await ask('refund pay_1002 120')
    await store.changes.swap({ ...rest, version: rest.version + 1 })
    const told = textOf(await press('why', rest.id))
    expect(told).toContain('Why this needs approval: ')
    expect(told).not.toContain(older)
  })
})
