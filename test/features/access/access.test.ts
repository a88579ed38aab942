import { describe, expect, it } from 'vitest'
import { withAccess } from '../../../src/features/access/ask.ts'
import { accessDifference } from '../../../src/features/access/difference.ts'
import type { Actor } from '../../../src/kernel/command/context.ts'
import { type RefusalCode, refusal, refusals } from '../../../src/lib/view/refusals.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { openHarness, refusalOf } from '../../pipeline/harness.ts'
import { policy as file } from '../../pipeline/policy.ts'
import { policyOf } from '../../policy/example.ts'

it('who may not run a command reads who could give the right, and asks for it with one press', async () => {
  const harness = await openHarness({ tasks: false })
  const refused = refusalOf(await harness.say('addon delete add_1'))
  expect(refused).toMatchObject({
    code: 'may_not_run',
    next: 'The role finance may run it; ask one of: Fay Finance, Finn Finance. Fay Finance, Finn Finance can give you the right.',
    actions: [{ verb: 'ask_access', id: 'addon delete' }],
  })
  expect(textOf(await harness.press('ask_access', 'addon delete'))).toContain(
    'Asked for the right to run addon delete',
  )
  const [entry] = await harness.store.audit.find({ kind: 'asked for access', limit: 1 } as never)
  expect(entry?.kind).toBe('asked for access')
  expect(refusalOf(await harness.say('addon delete add_1')).code).toBe('may_not_run')
  expect(refusalOf(await harness.press('ask_access', 'refund')).code).toBe('not_allowed_now')
})

it('nobody is sent to ask for a right that is not what they lack', async () => {
  const { app } = await openHarness({ tasks: false })
  const known = { known: true, agent: undefined } as Actor
  for (const code of Object.keys(refusals) as RefusalCode[]) {
    const refused = refusal(code, 'No.')
    const told = withAccess(app.core, known, 'refund', refused)
    expect(told.actions !== undefined, code).toBe(code === 'may_not_run')
    for (const nobody of [
      { ...known, known: false },
      { ...known, agent: 'helper' },
    ])
      expect(withAccess(app.core, nobody, 'refund', refused)).toEqual(refused)
  }
})

describe('the right to run a command', () => {
  const withAgent = file.replace(
    'roles:\n',
    'agents:\n  - { id: helper, name: Helper, owner: kim, roles: [reader], token: { env: HELPER_TOKEN } }\nroles:\n',
  )

  it.each([
    ['a stranger', fromOf('U-nobody'), 'refund'],
    ['an agent', fromOf('helper', 'mcp'), 'refund'],
    ['somebody, of a command that there is not', fromOf('kim'), 'no such'],
  ])('is not asked for by %s', async (_, from, id) => {
    const harness = await openHarness({ tasks: false, policy: withAgent })
    const reply = await harness.handle({ from, intent: { kind: 'press', verb: 'ask_access', id } })
    expect(refusalOf(reply)).toMatchObject({
      code: 'unknown_command',
      message: 'There is nothing to ask for.',
    })
    expect(await harness.store.audit.find({ limit: 9, command: id })).toEqual([])
    expect(await harness.store.tasks.pending()).toEqual({})
  })

  it.each([
    ['with what to change in the file, where it was taken in', true],
    ['without it, where its text is not kept', false],
  ])('is told to the administrators %s', async (_, isKept) => {
    const harness = await openHarness({ tasks: false, ...(isKept ? { reads: () => file } : {}) })
    const messenger = createFakeMessenger('slack')
    harness.app.join(messenger)
    await harness.press('ask_access', 'refund', 'kim')
    await harness.app.drain()
    const [told = ''] = messenger.shown('U0FAY')
    expect(told).toContain('asks for the right to run refund')
    expect(told.includes('Add it to a role of theirs in bellhop.yml.')).toBe(!isKept)
    expect(told.includes('This change of bellhop.yml would do')).toBe(isKept)
    expect(told.includes('+   reader: { run: ["subscriber get", refund] }')).toBe(isKept)
  })
})

describe('whoever lacks a right reads which role has it and who has that role', async () => {
  const harness = await openHarness({ tasks: false })
  const { registry } = harness
  const lacking = registry.all.filter(
    ({ name, kind, aboutOwn }) =>
      kind !== 'decision' && !aboutOwn && !/^(?:bellhop |subscriber get$)/.test(name),
  )
  const named = /^The roles? .*finance.* may run it; ask one of: .*Fay Finance/

  it.each(lacking)('in a line and in a form: $name', async ({ name, examples: [line = ''] }) => {
    const byForm = await harness.handle({
      from: fromOf('kim'),
      intent: { kind: 'form', command: name, values: {} },
    })
    for (const reply of [await harness.say(line, 'kim'), byForm]) {
      expect(refusalOf(reply)).toMatchObject({ code: 'may_not_run', next: expect.stringMatching(named) })
    }
    const stranger = refusalOf(await harness.say(line, 'U-nobody'))
    expect(`${stranger.message} ${stranger.next}`).not.toMatch(/Fay|finance/)
  })

  it('in a sentence of their own, and where a decision is not theirs', async () => {
    expect(textOf(await harness.say('please refund pay_1001', 'kim'))).toMatch(/may run it; ask one of: /)
    const change = await harness.ask(`refund ${harness.payment()} 400`)
    expect(refusalOf(await harness.press('approve', change.id, 'kim'))).toMatchObject({
      code: 'may_not_approve',
      next: 'Fay Finance, Finn Finance can.',
    })
  })
})

it('the difference is one that would do', () => {
  const before = policyOf(file)
  const lines = accessDifference(file, before, { person: 'kim', command: 'refund' })
  expect(lines).toHaveLength(2)
  const [gone = '', added = ''] = lines
  const after = file.replace(gone.slice(2).trim(), added.slice(2).trim())
  expect(policyOf(after).roles.reader?.run).toContain('refund')
  const block = file.replace(
    'reader: { run: ["subscriber get"] }',
    'reader:\n    run:\n      - subscriber get',
  )
  expect(accessDifference(block, before, { person: 'kim', command: 'addon delete' })).toEqual([
    '+       - "addon delete"',
  ])
})

it('anybody has a line of their own explained', async () => {
  const harness = await openHarness({ tasks: false })
  expect(textOf(await harness.say('policy explain "refund pay_1 60"'))).toContain('1 approval from finance')
  expect(refusalOf(await harness.say('policy explain "refund pay_1 60"', 'kim')).message).toContain(
    'may run refund',
  )
})
