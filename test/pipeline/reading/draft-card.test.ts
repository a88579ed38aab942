import { beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import { fromOf, openTestApp, textOf } from '../../harness/app.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
policies:
  - { name: small, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: mail, commands: [campaign *, message *], require: confirm }
`
const app = await openTestApp({ policy, tasks: false })
beforeEach(async () => {
  app.sandbox.reset()
  await app.say('transaction find cus_1001', 'sam')
})
const viewOf = (reply: Reply) => {
  if (!('view' in reply)) throw new Error(`no view: ${JSON.stringify(reply)}`)
  return reply.view
}
const actionOf = (reply: Reply) => {
  const action = viewOf(reply).actions?.find(({ verb }) => verb === 'run_it')
  if (action === undefined) throw new Error(`nothing asks in ${textOf(reply)}`)
  return action
}
const requests = async () => (await app.store.changes.list({ limit: 200 })).length
const written = () => app.sandbox.wire.filter(({ method }) => method !== 'GET').length

describe('a change that is said in a sentence', () => {
  it.each([
    ['give back 20 of pay_1001', 'Confirm 20 USD', 'Refund 20 USD'],
    ['could you please refund pay_1001', 'Ask finance', 'Refund 120 USD'],
    ['send Welcome aboard to ada@example.com', 'Confirm', 'Send Welcome aboard'],
    ['please put ada@example.com on the VIP list', 'Confirm', 'VIP'],
  ])('%s is drawn as the card that it would be, with %s, and nobody is asked', async (said, label, title) => {
    const [before, sent] = [await requests(), written()]
    const draft = await app.say(said, 'sam')
    expect(viewOf(draft).title).toContain(title)
    expect(textOf(draft)).toMatch(/Understood as: /)
    expect(viewOf(draft).change).toBeUndefined()
    expect(viewOf(draft).actions?.map(({ verb }) => verb)).toEqual(['run_it', 'edit'])
    expect(actionOf(draft).label).toBe(label)
    expect([await requests(), written()]).toEqual([before, sent])
  })

  it('is asked and confirmed with one press, where nobody else decides', async () => {
    const draft = await app.say('give back 10 of pay_1001', 'sam')
    const done = await app.press('run_it', actionOf(draft).id, 'sam')
    expect(done).toMatchObject({ kind: 'change', change: { state: 'applied', amount: 10 } })
    expect(written()).toBe(1)
  })

  it('is asked with one press and no more, where others decide', async () => {
    const draft = await app.say('give back 60 of pay_1001', 'sam')
    const asked = await app.press('run_it', actionOf(draft).id, 'sam')
    expect(asked).toMatchObject({ kind: 'change', change: { state: 'pending', votes: [] } })
    expect(written()).toBe(0)
  })

  it('is confirmed only as it was shown: where something else has come true, the card is shown first', async () => {
    const draft = await app.say('give back 11 of pay_1002', 'sam')
    // What the draft weighed is otherwise now.
    const other = await app.say('refund pay_1002 12', 'sam')
    if (other.kind !== 'change') throw new Error(textOf(other))
    await app.handle({
      from: fromOf('sam'),
      intent: { kind: 'line', line: `approval approve ${other.change.id}` },
    })
    const asked = await app.press('run_it', actionOf(draft).id, 'sam')
    expect(asked).toMatchObject({ kind: 'change', change: { state: 'pending', votes: [] } })
  })

  it('is nobody else’s to ask for', async () => {
    const draft = await app.say('give back 13 of pay_1001', 'sam')
    expect(await app.press('run_it', actionOf(draft).id, 'fay')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'answer_gone' },
    })
  })

  it('is refused at once with what was understood, where it cannot be done', async () => {
    const reply = await app.say('please give back 4000 of pay_1001', 'sam')
    expect(reply.kind).toBe('refused')
    expect(textOf(reply)).toContain('Understood as: refund pay_1001 4000')
  })
})
