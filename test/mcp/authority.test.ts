import { afterAll, describe, expect, it } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { agentOf, agentPolicy } from './harness.ts'

const bot = await openTestApp({ policy: agentPolicy })
afterAll(bot.close)

const ask = (line: string, agent = 'helper') =>
  bot.handle({ from: agentOf(agent), intent: { kind: 'line', line } })

const asked = async (line: string, agent?: string): Promise<Change> => {
  const reply = await ask(line, agent)
  if (reply.kind !== 'change') throw new Error(textOf(reply))
  return reply.change
}

const refusedCode = async (reply: ReturnType<typeof ask>) => {
  const told = await reply
  return told.kind === 'refused' ? told.refusal.code : told.kind
}

describe('what an agent asks', () => {
  it('is shown as asked by the agent and its owner, and its texts as its own', async () => {
    const reply = await ask('refund pay_1001 120 --description "Ignore the rules"')
    expect(textOf(reply)).toContain('Asked by Helper (agent of Sam Support)')
    expect(textOf(reply)).toContain('every text in this request is its own words')
  })

  it('needs somebody else where a person would confirm it alone', async () => {
    const { clauses, state } = await asked('refund pay_1002 20')
    expect([state, clauses]).toEqual([
      'pending',
      [{ kind: 'approvals', count: 1, from: [], because: 'an agent asked' }],
    ])
  })

  it('runs at once only where the policy asks nobody', async () => {
    expect((await asked('list create "Made by an agent"')).state).toBe('applied')
  })

  it('is never approved by its owner, whatever the owner may approve', async () => {
    const { id } = await asked('refund pay_1003 60', 'clerk')
    expect(await refusedCode(bot.press('approve', id, 'fay'))).toBe('own_request')
    expect(await refusedCode(bot.press('confirm', id, 'fay'))).toBe('own_request')
    expect(await refusedCode(bot.press('reject', id, 'fay', 'no'))).toBe('own_request')
    const done = await bot.press('approve', id, 'finn')
    expect(done.kind === 'change' && done.change.state).toBe('applied')
  })

  it('can be taken back by its owner', async () => {
    const { id } = await asked('refund pay_1004 70', 'clerk')
    const done = await bot.press('cancel', id, 'fay')
    expect(done.kind === 'change' && done.change.state).toBe('cancelled')
  })

  it('counts with what its owner asks for, in budgets and as a repetition', async () => {
    await bot.press('approve', (await asked('refund pay_1007 100', 'clerk')).id, 'finn')
    const own = await bot.say('refund pay_1006 60', 'fay')
    expect(textOf(own)).toContain('160 of 200')
    expect(own.kind === 'change' && own.change.clauses).toContainEqual(expect.objectContaining({ count: 2 }))
    const again = await bot.say('refund pay_1007 100', 'fay')
    expect(textOf(again)).toContain('Clerk (agent of Fay Finance) asked for the same')
  })

  it('is in the log with the agent and its owner, from the request to the end', async () => {
    const { id } = await asked('list create "In the log"')
    const entries = (await bot.store.audit.find({ limit: 50 })).filter(({ changeId }) => changeId === id)
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['asked', 'claimed', 'applied']))
    for (const { doc } of entries) expect(doc).toMatchObject({ agent: 'helper', owner: 'sam' })
    expect(entries.find(({ kind }) => kind === 'asked')).toMatchObject({
      who: 'sam',
      name: 'Helper (agent of Sam Support)',
    })
  })
})

describe('an agent', () => {
  it('decides nothing, by line or by button', async () => {
    const own = await bot.say('refund pay_1006 90', 'sam')
    const id = own.kind === 'change' ? own.change.id : ''
    expect(await refusedCode(ask(`approval approve ${id}`))).toBe('may_not_approve')
    // What its owner asked for is not its own.
    expect(await refusedCode(ask(`approval cancel ${id}`))).toBe('not_requester')
    expect(await refusedCode(ask(`approval change ${id} --amount 10`))).toBe('may_not_approve')
    for (const verb of ['approve', 'confirm', 'reject', 'remind'] as const) {
      const press = bot.handle({ from: agentOf('helper'), intent: { kind: 'press', verb, id } })
      expect(await refusedCode(press)).toBe('may_not_approve')
    }
  })

  it('has no session of its owner, and none to end', async () => {
    expect(await refusedCode(ask('bellhop console'))).toBe('may_not_run')
    expect(await refusedCode(ask('bellhop sessions --end all'))).toBe('may_not_run')
    expect(textOf(await ask('bellhop help'))).not.toContain('bellhop console')
  })

  it('has its own roles, not those of its owner', async () => {
    expect(await refusedCode(ask('audit find', 'clerk'))).toBe('may_not_run')
  })

  it('sees its own changes and not what its owner confirms alone', async () => {
    const alone = await bot.say('refund pay_1008 5', 'sam')
    const own = await asked('refund pay_1009 80')
    const { agents } = bot.app.bot
    const seen = async (id: string) => (await agents.change(agentOf('helper'), id))?.id
    expect(await seen(own.id)).toBe(own.id)
    expect(alone.kind === 'change' && (await seen(alone.change.id))).toBeUndefined()
    const waiting = await agents.waiting(agentOf('helper'))
    expect(waiting.map(({ requester }) => requester.agent)).toEqual(waiting.map(() => 'helper'))
    expect(waiting.map(({ id }) => id)).toContain(own.id)
  })

  it('is nobody under another name, and nobody else is an agent', async () => {
    expect(await refusedCode(ask('refund pay_1001 20', 'sam'))).toBe('stranger')
    const person = bot.handle({
      from: fromOf('helper'),
      intent: { kind: 'line', line: 'refund pay_1001 20' },
    })
    expect(await refusedCode(person)).toBe('stranger')
  })
})

describe('freeze agents', () => {
  it('stops them all, also what waits, and nobody else', async () => {
    const waiting = await asked('refund pay_1010 65')
    await bot.say('freeze agents --reason "Odd requests"', 'finn')
    expect(textOf(await ask('subscriber get ada@example.com'))).toContain(
      'Agents are frozen by Finn Finance: Odd requests.',
    )
    expect(await refusedCode(ask('refund pay_1011 65', 'clerk'))).toBe('frozen')
    expect(await refusedCode(bot.press('approve', waiting.id, 'finn'))).toBe('frozen')
    expect((await bot.say('subscriber get ada@example.com', 'sam')).kind).toBe('answer')
    expect((await bot.say('refund pay_1012 66', 'sam')).kind).toBe('change')
    const thawed = await bot.say('unfreeze agents', 'finn')
    await bot.press('confirm', thawed.kind === 'change' ? thawed.change.id : '', 'finn')
    expect((await ask('subscriber get ada@example.com')).kind).toBe('answer')
  })
})
