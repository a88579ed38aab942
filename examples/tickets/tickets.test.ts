import { beforeEach, describe, expect, test } from 'vitest'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { manifestOf } from '../../adapters/slack/manifest.ts'
import { actionsFor } from '../../src/kernel/things/actions.ts'
import { openTestApp, textOf } from '../../test/harness/app.ts'
import { commandsDoc } from '../../tools/reference/commands-page.ts'
import { pack } from './index.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: small voucher, commands: [ticket voucher], amount: { upTo: 10 }, require: confirm }
duplicates: { window: 30m }
`
const bot = await openTestApp({ policy, packs: [pack], tasks: false })
const { sandbox, registry } = bot
beforeEach(() => sandbox.reset())

const sent = (row: string) => sandbox.wire.filter((entry) => entry.row === row).map(({ body }) => body)
const ask = async (line: string) => {
  const reply = await bot.say(line, 'sam')
  if (reply.kind !== 'change') throw new Error(`${line}: ${textOf(reply)}`)
  return reply.change
}
const stateAfter = async (verb: 'confirm' | 'approve', id: string, person: string) => {
  const reply = await bot.press(verb, id, person)
  return reply.kind === 'change' ? reply.change.state : textOf(reply)
}

describe('what the pack brings', () => {
  test('every example of every command of it runs', async () => {
    for (const { name, kind, examples } of registry.under('ticket')) {
      for (const line of examples) {
        const reply = await bot.say(line, 'fay')
        expect([name, reply.kind]).toEqual([name, kind === 'query' ? 'answer' : 'change'])
      }
    }
  })

  test('is in the registration of both messengers and in the docs', () => {
    expect(manifestOf(registry)).toContain('/ticket')
    expect(discordCommandsOf(registry).map(({ name }) => name)).toContain('ticket')
    expect(commandsDoc(registry)).toContain('ticket voucher')
    expect(commandsDoc(registry)).toContain('tickets change')
  })

  test('is offered on a ticket, what shows it first', () => {
    const names = actionsFor(registry, () => true, { kind: 'ticket', id: 'tic_1001' }).map(
      ({ command }) => command.name,
    )
    expect(names[0]).toBe('ticket get')
    expect(names).toEqual(expect.arrayContaining(['ticket comment', 'ticket close', 'ticket voucher']))
  })

  test('completes a ticket by the words of its subject', async () => {
    const param = registry.get('ticket close')?.params[0]
    if (param === undefined) throw new Error('there is no such parameter')
    const from = { platform: 'terminal', account: 'sam', name: 'sam', groups: [] }
    const found = await bot.app.bot.suggest(from, param, 'parcel', [])
    expect(found).toMatchObject([{ value: 'tic_1002' }])
  })

  test('is understood in plain words', async () => {
    expect(textOf(await bot.say('show me ticket tic_1002', 'sam'))).toContain('Parcel came late')
    const reply = await bot.say('give a voucher of 20 for ticket tic_1001', 'sam')
    expect(textOf(reply)).toContain('ticket voucher tic_1001 20')
  })

  test('is part of a person, and a ticket leads to whoever wrote it', async () => {
    const shown = textOf(await bot.say('person get ada@example.com', 'sam'))
    expect(shown).toContain('Tickets\n')
    expect(shown).toContain('tic_1003')
    expect(shown).toContain('ticket tic_1001: learned from the tickets service')
  })

  test('an address in the place of a ticket offers the tickets of its owner', async () => {
    const shown = textOf(await bot.say('ticket close ada@example.com', 'sam'))
    expect(shown).toContain('tic_1001')
    expect(shown).toContain('tic_1003')
  })
})

describe('changes', () => {
  test('a voucher moves money: somebody else approves it, and it is sent once', async () => {
    const change = await ask('ticket voucher tic_1001 20')
    expect(change).toMatchObject({ area: 'tickets', amount: 20, rule: 'default for tickets changes' })
    expect(await stateAfter('approve', change.id, 'sam')).not.toBe('applied')
    expect(sent('createVoucher')).toEqual([])
    expect(await stateAfter('approve', change.id, 'fay')).toBe('applied')
    expect(sent('createVoucher')).toEqual([{ amount: 20 }])
  })

  test('an api call of the same voucher is the same request, with its amount', async () => {
    await ask('ticket voucher tic_1002 7')
    const again = await ask(`api call tickets POST /tickets/tic_1002/vouchers --body '{"amount": 7}'`)
    expect(again.amount).toBe(7)
    expect(again.clauses).toMatchObject([{ kind: 'approvals', because: 'the same was asked before' }])
  })

  test('a comment or a close moves none: its requester confirms it', async () => {
    const comment = await ask('ticket comment tic_1001 "On its way"')
    expect(comment.rule).toBe('default for changes')
    expect(await stateAfter('confirm', comment.id, 'sam')).toBe('applied')
    expect(sent('addComment')).toEqual([{ body: 'On its way', public: true }])
    const close = await ask('ticket close tic_1002')
    expect(await stateAfter('confirm', close.id, 'sam')).toBe('applied')
    expect(textOf(await bot.say('ticket close tic_1002', 'sam'))).toContain('closed already')
  })

  test('a voucher whose answer is lost is never sent again', async () => {
    const change = await ask('ticket voucher tic_1002 9')
    sandbox.fault({ service: 'tickets', row: 'createVoucher', kind: 'drop_after' })
    expect(await stateAfter('confirm', change.id, 'sam')).toBe('unknown')
    expect(sent('createVoucher')).toHaveLength(1)
  })

  test('a freeze of its area stops its changes and no others', async () => {
    expect((await ask('freeze tickets')).state).toBe('applied')
    expect(textOf(await bot.say('ticket close tic_1002', 'sam'))).toContain('tickets changes are frozen')
    expect((await bot.say('list create Autumn', 'sam')).kind).toBe('change')
    const thaw = await ask('unfreeze tickets')
    expect(await stateAfter('confirm', thaw.id, 'sam')).toBe('applied')
  })
})
