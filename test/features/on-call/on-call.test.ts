import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messengers } from '../../../adapters/index.ts'
import { readConfig } from '../../../src/cli/start/config.ts'
import { createDuty } from '../../../src/features/on-call/duty.ts'
import { onCall } from '../../../src/features/on-call/index.ts'
import type { MembersOutside } from '../../../src/kernel/policy/outside-groups.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { openTestApp, textOf } from '../../harness/app.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { commandsWith } from '../../harness/commands.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { refusalOf } from '../../pipeline/harness.ts'
import { patient, startStandIn } from './stand-ins.ts'

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, email: fay@example.com, roles: [support] }
  - { id: finn, name: Finn Finance, slack: U0FINN, email: finn@example.com, roles: [support] }
groups:
  pagerduty: { PI7DH85: [oncall] }
roles:
  support: { run: [refund, "transaction *", "approval *"] }
  oncall: { run: ["list *"], approve: [refund] }
approvals: { slack: C0APPROVALS }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [oncall] } }
unseen: pass
`

const open = async (first: string) => {
  const standIn = await startStandIn('pagerduty')
  const onDuty = (email: string) => standIn.rota.set('PI7DH85', email === '' ? [] : [email])
  onDuty(first)
  const time = { now: Date.now() }
  const ticks = ticksOf(() => time.now)
  const settings = onCall.environment?.read(standIn.env, []) as Parameters<typeof createDuty>[0]
  const members: MembersOutside = createDuty(patient(settings), {
    log: { warn: () => undefined } as never,
    ticks,
    waitMs: 600_000,
  })
  const opened = await openTestApp({ policy, members, ticks, reads: () => policy })
  const messenger = createFakeMessenger('slack')
  opened.app.join(messenger)
  const shift = (email: string) => {
    onDuty(email)
    time.now += 60_000
  }
  const ask = async (amount: number) => {
    const reply = await opened.say(`refund pay_1001 ${amount}`, 'sam')
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    return reply.change
  }
  return { ...opened, messenger, shift, ask, standIn }
}

describe('from: [oncall]', () => {
  it('is who is on duty now: the card and the refusal name them, and the others decide nothing', async () => {
    const { app, ask, press, messenger } = await open('fay@example.com')
    const { id } = await ask(120)
    await app.drain()
    const [card = ''] = messenger.shown('C0APPROVALS')
    expect(card).toContain('Fay Finance')
    expect(card).not.toContain('Finn Finance')
    expect(refusalOf(await press('approve', id, 'finn'))).toMatchObject({
      code: 'may_not_approve',
      next: 'Fay Finance can.',
    })
    expect(await press('approve', id, 'fay')).toMatchObject({ kind: 'change', change: { state: 'applied' } })
  })

  it('is the next one from the change of the shift on', async () => {
    const { ask, press, shift } = await open('fay@example.com')
    const { id } = await ask(120)
    shift('finn@example.com')
    expect(refusalOf(await press('approve', id, 'fay')).next).toBe('Finn Finance can.')
    expect(await press('approve', id, 'finn')).toMatchObject({ change: { state: 'applied' } })
  })

  it('is nobody while nobody is on duty, and never who asked', async () => {
    const { say, ask, press, shift } = await open('')
    const { id } = await ask(120)
    expect(refusalOf(await press('approve', id, 'fay'))).toMatchObject({ code: 'may_not_approve' })
    shift('fay@example.com')
    const own = await say('refund pay_1002 20', 'fay')
    if (own.kind !== 'change') throw new Error(textOf(own))
    expect(refusalOf(await press('approve', own.change.id, 'fay')).code).toBe('own_request')
  })

  it('may run what the role may, as long as they are on duty; a replay knows that they were', async () => {
    const { say, shift, store } = await open('fay@example.com')
    const line = 'list create Winter'
    const asked = await say(line, 'fay')
    if (asked.kind !== 'change') throw new Error(textOf(asked))
    expect((await store.changes.get(asked.change.id))?.judged?.groups).toEqual({
      known: ['pagerduty:PI7DH85'],
      in: ['pagerduty:PI7DH85'],
    })
    shift('finn@example.com')
    expect(refusalOf(await say(line, 'fay')).code).toBe('may_not_run')
  })
})

describe('a start', () => {
  const problemsWith = (env: Record<string, string>): readonly string[] => {
    const folder = newFolder()
    const file = join(folder, 'bellhop.yml')
    writeFileSync(file, policy)
    try {
      readConfig({ ...env, BELLHOP_CONFIG: file, DATA_DIR: folder }, commandsWith().all, messengers)
      return []
    } catch (error) {
      return (error as { problems: string[] }).problems
    }
  }

  it('is refused where the file names schedules, and nothing lets us ask for them', () => {
    expect(problemsWith({})).toContain(
      'groups.pagerduty names schedules of PagerDuty, and PAGERDUTY_TOKEN is not set. Set it to a token that may read them, or take pagerduty out of groups.',
    )
    expect(problemsWith({ PAGERDUTY_TOKEN: 'x' }).join()).not.toContain('PAGERDUTY_TOKEN')
    const secret = join(newFolder(), 'token')
    writeFileSync(secret, 'x', { mode: 0o600 })
    expect(problemsWith({ PAGERDUTY_TOKEN_FILE: secret }).join()).not.toContain('PAGERDUTY_TOKEN')
  })
})
