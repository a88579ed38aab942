import { describe, expect, test } from 'vitest'
import type { ChangeCommand } from '../../../src/kernel/command/define.ts'
import { isMoneyCommand } from '../../../src/kernel/command/moves-money.ts'
import { needsApproval } from '../../../src/kernel/law/clauses.ts'
import { traitsOf } from '../../../src/lib/things/kinds.ts'
import { widest } from '../../commands/widest-lines.ts'
import { openTestApp } from '../../harness/app.ts'

const policyWith = (more = '') => `version: 1
people: [{ id: ann, name: Ann, roles: [all] }, { id: bob, name: Bob, roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } }
policies: [{ name: alone, commands: ["*"], require: confirm }]
${more}`

const bot = await openTestApp({ policy: policyWith(), tasks: false })
const passing = await openTestApp({ policy: policyWith('unseen: pass\n'), tasks: false })

const asked = async (app: typeof bot, line: string) => {
  const reply = await app.say(line, 'ann')
  if (reply.kind !== 'change') throw new Error(`${line}: ${JSON.stringify(reply)}`)
  await app.press('cancel', reply.change.id, 'ann')
  return reply.change
}

const money = bot.registry.all.filter(isMoneyCommand)
const lines = money.flatMap(({ name, examples }) => [...(widest[name] ?? []), ...examples])

/** By nothing that anybody knows of, with the same values. */
const unknownIn = (line: string) =>
  line.replace(/\b(pay|sub|cus)_\d+/g, '$1_77$&').replace(/plan_\w+/, 'plan_nobody_has')

describe('where one confirmation is all that the rules ask for', () => {
  test.each(lines.flatMap((line) => [line, unknownIn(line)]))(
    '%s is confirmed by its requester alone only where somebody has looked',
    async (line) => {
      const change = await asked(bot, line)
      const params = bot.registry.get(change.command)?.params ?? []
      const isSomebodys = params.some(({ kinds }) =>
        kinds.some((kind) => traitsOf(kind).perPerson !== undefined),
      )
      const isSeen = change.judged?.had?.evidence === true
      expect(needsApproval(change.clauses)).toBe(isSomebodys && !isSeen)
    },
  )

  test('what no customer is known for is not, and what was looked at is', async () => {
    const because = 'nobody has looked at it'
    for (const app of [bot, passing]) {
      const unseen = await asked(app, 'refund pay_1003 20')
      expect(unseen.clauses).toMatchObject([{ kind: 'approvals', count: 1, because }])
    }
    expect((await asked(bot, 'refund pay_1003 20 --customer cus_1002')).clauses).toEqual([
      { kind: 'confirm' },
    ])
    expect((await asked(bot, 'refund pay_1003 21')).clauses).toEqual([{ kind: 'confirm' }])
  })

  test('a call of the endpoint itself looks nothing up, and is not', async () => {
    const call = `api call billing POST /transaction/refund/pay_1003 --body '{"amount":20}'`
    expect(needsApproval((await asked(bot, call)).clauses)).toBe(true)
  })
})

test('every command that takes what somebody has where money moves says whether it was looked at', () => {
  const silent = money.filter(
    (command) =>
      (command as ChangeCommand).evidenceOf === undefined &&
      (command as ChangeCommand).uses.length > 0 &&
      command.params.some(({ kinds }) => kinds.some((kind) => traitsOf(kind).perPerson !== undefined)),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})
