import { describe, expect, it } from 'vitest'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf, policyOf, textOf } from '../harness/app.ts'
import { buttonOf, changeOf, joinGroups, openHarness, refusalOf } from './harness.ts'

const open = () => openHarness({ tasks: false })
describe('changed before it is decided', () => {
  it('it is a new plan of the same request: votes are void, old buttons too, and who changed it approves nothing', async () => {
    const harness = await open()
    const payment = harness.payment()
    const change = await harness.ask(`refund ${payment} 600`)
    await harness.click('approve', change, 'finn')
    const changed = await harness.say(`approval change ${change.id} --amount 90`, 'fay')
    const after = changeOf(changed)
    expect(after).toMatchObject({ id: change.id, state: 'pending', amount: 90, votes: [], rule: 'refund' })
    expect(after.digest).not.toBe(change.digest)
    expect(textOf(changed)).toContain('Fay Finance changed what is asked')
    expect(textOf(changed)).toContain('600')
    expect(textOf(changed)).not.toContain('Runs')
    expect(await harness.refusedClick('approve', change, 'finn')).toMatchObject({ code: 'changed_since' })
    for (const person of ['sam', 'fay'])
      expect(await harness.refusedClick('approve', after, person)).toMatchObject({ code: 'own_request' })
    expect(await harness.click('approve', after, 'finn')).toMatchObject({ state: 'applied' })
    expect(harness.effects('refundPayment')).toHaveLength(1)
    const entries = await harness.store.audit.find({ changeId: change.id, limit: 50 })
    const plans = entries.flatMap(({ kind, doc }) =>
      kind === 'asked' || kind === 'changed' ? (doc.plan as { amount: number }).amount : [],
    )
    expect(plans).toEqual([90, 600])
  })

  it('a form opens with everything in it, and what is handed in there is the whole', async () => {
    const harness = await open()
    const change = await harness.ask(
      `refund ${harness.payment()} 120 --description "broken" --also finn --at "in 20m"`,
    )
    const form = await harness.handle({
      from: fromOf('sam'),
      forms: true,
      intent: { kind: 'press', verb: 'change', id: buttonOf(change) },
    })
    if (form.kind !== 'form') throw new Error(JSON.stringify(form))
    expect(form.form.values).toMatchObject({
      amount: '120',
      description: 'broken',
      also: 'finn',
      at: expect.any(String),
    })
    const { command, values } = form.form
    const { description: _, also: __, at: ___, ...rest } = values
    const reply = await harness.handle({
      from: fromOf('sam'),
      intent: { kind: 'form', command, values: { ...rest, amount: '130' } },
    })
    expect(changeOf(reply)).toMatchObject({ id: change.id, amount: 130 })
    expect(changeOf(reply).input).not.toHaveProperty('description')
    for (const key of ['changedBy', 'also', 'runAt'])
      expect(await harness.stored(change), key).not.toHaveProperty(key)
    expect(changeOf(reply).clauses).toMatchObject([{ from: ['finance'] }])
  })

  it('only by those who asked or decide, never by an agent, and never to the same', async () => {
    const harness = await open()
    const change = await harness.ask(`refund ${harness.payment()} 120`)
    expect(refusalOf(await harness.say(`approval change ${change.id} --amount 1`, 'kim')).code).toBe(
      'may_not_approve',
    )
    const opens = (who: string) =>
      harness.handle({
        from: fromOf(who),
        forms: true,
        intent: { kind: 'press', verb: 'change', id: buttonOf(change) },
      })
    expect((await opens('fay')).kind).toBe('form')
    expect(refusalOf(await harness.say(`approval change ${change.id} --amount 120`)).code).toBe(
      'nothing_to_change',
    )
    expect(refusalOf(await harness.say(`approval change ${change.id} --amonut 12`)).code).toBe('unknown_flag')
    expect(refusalOf(await harness.say(`approval change ${change.id} 12`)).code).toBe('surplus_word')
    const words = 'make it a hundred and thirty, as they asked for on Monday'
    expect(textOf(await harness.say(`approval change ${change.id} ${words}`))).toContain(
      '“make it a hundred and thirty, as they as” does not say what to change.',
    )
    expect(refusalOf(await harness.say('approval change nothing --amount 12')).code).toBe('no_such_change')
    expect(await harness.stored(change)).toMatchObject({ version: change.version })
    await harness.click('reject', change, 'finn', 'not now')
    for (const who of ['sam', 'fay']) expect(refusalOf(await opens(who)).code).toBe('not_pending')
  })

  it('what is approved for later is moved by the same rule', async () => {
    const harness = await open()
    const change = await harness.ask(`refund ${harness.payment()} 120 --at "in 20m"`)
    const approved = await harness.click('approve', change, 'fay')
    expect(approved.state).toBe('approved')
    const told = await harness.say(`approval change ${change.id} --at "in 25m"`)
    expect(textOf(told)).toMatch(/^Runs: \S.* -> \S/m)
    const moved = changeOf(told)
    expect(moved).toMatchObject({ state: 'pending', votes: [], amount: 120, round: 1 })
    expect(moved.runAt?.at).toBeGreaterThan(change.runAt?.at ?? 0)
    expect(await harness.refusedClick('approve', change, 'finn')).toMatchObject({ code: 'changed_since' })
    const again = changeOf(await harness.say(`approval change ${change.id} --at "in 28m"`))
    expect(again).toMatchObject({ state: 'pending', round: 2 })
    expect(await harness.click('approve', again, 'finn')).toMatchObject({ state: 'approved' })
  })

  it('what ended without effect is asked again with everything filled in', async () => {
    const harness = await open()
    const change = await harness.ask(`refund ${harness.payment()} 120`)
    expect(refusalOf(await harness.say(`approval again ${change.id}`)).code).toBe('not_allowed_now')
    await harness.click('reject', change, 'fay', 'not now')
    const again = await harness.ask(`approval again ${change.id}`)
    expect(again).toMatchObject({ state: 'pending', amount: 120, line: change.line })
    expect(again.id).not.toBe(change.id)
  })
})

describe('what a request is changed to', () => {
  const policyWith = (rules: string) => `
version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: tim, name: Tim, slack: U0TIM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
roles:
  support: { run: [refund, "campaign *", "subscriber *", "api *", "approval *"] }
  finance: { run: ["*"], approve: ["*"], delegate: true }
policies:
${rules}
  - { name: away, commands: ["away *"], require: none }
  - { name: other, commands: ["*"], require: { approvals: 1, from: [finance] } }
bulk: { chunk: 5 }
`
  const openWith = (rules = '') => openHarness({ policy: policyWith(rules), tasks: false })

  it('is confirmed at least, where nobody would be asked about it', async () => {
    const harness = await openWith()
    const change = await harness.ask('subscriber update ada@example.com --company Acme')
    const { core } = harness.app
    core.policy = policyOf(
      policyWith('  - { name: people, commands: ["subscriber *"], require: none }'),
      harness.registry,
    )
    const other = changeOf(await harness.say(`approval change ${change.id} --company Fern`))
    expect(other).toMatchObject({ state: 'pending', clauses: [{ kind: 'confirm' }] })
    expect(harness.effects()).toEqual([])
    expect(await harness.click('confirm', other)).toMatchObject({ state: 'applied' })
  })

  it('is said by whoever votes for somebody who is away, and by nobody else without a right of their own', async () => {
    const harness = await openWith()
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const line = `approval change ${change.id} --amount 50`
    expect(refusalOf(await harness.say(line, 'tim')).code).toBe('may_not_approve')
    await harness.say('away set --until "in 9h" --to tim', 'fay')
    expect(changeOf(await harness.say(line, 'tim'))).toMatchObject({
      amount: 50,
      changedBy: [{ person: 'tim' }],
    })
  })

  it('is told to whoever watches once it is stored, as the request was', async () => {
    const steps: [string, string][] = []
    const onStep = (...step: [string, string]) => void steps.push(step)
    const harness = await openHarness({ policy: policyWith(''), tasks: false, onStep })
    const { id } = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.say(`approval change ${id} --amount 50`)
    expect(steps).toEqual([
      ['asked', id],
      ['changed', id],
    ])
  })

  it('is judged as that of somebody in no group, where an older version has not kept their groups', async () => {
    const harness = await openWith()
    const { judged: _, ...older } = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.store.changes.swap({ ...older, judged: undefined, version: older.version + 1 })
    const after = changeOf(await harness.say(`approval change ${older.id} --amount 50`))
    expect(after.judged).toMatchObject({ amount: 50, groups: { known: [], in: [] } })
  })

  it('is the same thing: another endpoint is asked for anew', async () => {
    const harness = await openWith()
    const change = await harness.ask(
      `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"name": "One"}'`,
      'fay',
    )
    const line = `approval change ${change.id} api call billing POST /transaction/refund/pay_1001 --body '{"amount": 20}'`
    expect(refusalOf(await harness.say(line, 'fay'))).toMatchObject({
      code: 'bad_value',
      message: 'That would call something else than what was asked for.',
    })
    expect(await harness.stored(change)).toMatchObject({ version: change.version })
  })

  it('is not what was planned for a request that somebody else has changed meanwhile', async () => {
    const harness = await openWith()
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    // Sam's zone is asked for while Sam's change is being planned.
    const zone = async () => {
      await harness.say(`approval change ${change.id} --amount 50`, 'fay')
      return 'Europe/Berlin'
    }
    harness.app.join({ ...createFakeMessenger('slack'), zone })
    const late = await harness.handle({
      from: fromOf('U0SAM', 'slack'),
      intent: { kind: 'line', line: `approval change ${change.id} --amount 600 --at "tomorrow 9:00"` },
    })
    expect(refusalOf(late)).toMatchObject({ code: 'changed_since' })
    expect(await harness.stored(change)).toMatchObject({ amount: 50, changedBy: [{ person: 'fay' }] })
  })

  it('is taken in once, also where its delivery is worked on again after it was refused', async () => {
    const harness = await openWith()
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const deliver = () =>
      harness.handle({
        delivery: 'one',
        taken: true,
        from: fromOf('sam'),
        intent: { kind: 'line', line: `approval change ${change.id} --amount 50` },
      })
    await harness.store.freezes.set({ area: 'billing', by: 'fay', name: 'Fay', reason: '', at: 0 })
    expect(refusalOf(await deliver()).code).toBe('frozen')
    await harness.store.freezes.clear('billing')
    expect(await deliver()).toEqual({ kind: 'repeated' })
    expect(await harness.stored(change)).toMatchObject({ amount: 60, version: change.version })
  })

  it('keeps its people while they are asked for as before, and has new ones stored for it', async () => {
    const harness = await openWith()
    const change = await harness.ask('campaign send "Spring sale" --tags customer')
    const later = changeOf(await harness.say(`approval change ${change.id} --at "in 20m"`))
    expect(later.pinned).toEqual(change.pinned)
    const other = changeOf(await harness.say(`approval change ${change.id} --subject "Hello"`))
    expect(other.pinned?.set).not.toBe(change.pinned?.set)
    await harness.store.bulk.prune({ unused: Date.now() + 1e9, ended: 0 })
    expect(await harness.click('approve', other, 'fay')).toMatchObject({ state: 'approved' })
    expect(await harness.store.bulk.get(other.pinned?.set ?? '')).toMatchObject({ changeId: change.id })
  })
})

describe('one more person', () => {
  it('is added as a clause, by id, name or mention, and takes the place of none', async () => {
    const harness = await open()
    for (const who of ['finn', '"Finn Finance"', '"<@U0FINN>"']) {
      const change = await harness.ask(`refund ${harness.payment()} 60 --also ${who}`)
      expect(change.clauses).toHaveLength(2)
      expect(await harness.click('approve', change, 'fay')).toMatchObject({ state: 'pending' })
      expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'applied' })
    }
  })

  it('is changed alone, and that voids the votes; the same person again is nothing new', async () => {
    const harness = await open()
    const change = await harness.ask(`refund ${harness.payment()} 600 --also finn`)
    await harness.click('approve', change, 'finn')
    const same = await harness.say(`approval change ${change.id} --also "Finn Finance"`)
    expect(refusalOf(same).code).toBe('nothing_to_change')
    const after = changeOf(await harness.say(`approval change ${change.id} --also fay`))
    expect(after).toMatchObject({ id: change.id, also: { person: 'fay' }, amount: 600, votes: [] })
    expect(after.clauses).toMatchObject([{ count: 2 }, { people: [{ person: 'fay' }] }])
  })

  it('must be somebody else who may approve it', async () => {
    const harness = await open()
    const unknown = refusalOf(await harness.say(`refund ${harness.payment()} 60 --also ${'x'.repeat(41)}`))
    expect(unknown.message).toContain(`goes by “${'x'.repeat(40)}”`)
    for (const who of ['kim', 'sam', 'nobody'])
      expect(refusalOf(await harness.say(`refund ${harness.payment()} 60 --also ${who}`)).code).toBe(
        'bad_value',
      )
  })

  it('may have the right by a group, once the messenger says that they are in it', async () => {
    const harness = await open()
    const asking = () => harness.say(`refund ${harness.payment()} 60 --also gus`)
    expect(refusalOf(await asking()).message).toBe('also: Gus may not approve refund.')
    joinGroups(harness.app, 'slack', (id) => (id === 'U0GUS' ? ['S0FIN'] : []))
    expect(changeOf(await asking()).also).toMatchObject({ person: 'gus' })
  })

  it('is none of those who ask for it or have changed it: their approval would never count', async () => {
    const harness = await open()
    const change = await harness.ask(`refund ${harness.payment()} 60 --also finn`)
    const changing = async (more: string, who: string) =>
      harness.say(`approval change ${change.id} ${more}`, who)
    for (const [more, who] of [
      ['--amount 70', 'finn'],
      ['--also fay', 'fay'],
      ['--also sam', 'fay'],
    ] as const)
      expect(refusalOf(await changing(more, who)), `${who}: ${more}`).toMatchObject({
        code: 'bad_value',
        message: expect.stringContaining('asks for this or changes it, so it takes somebody else'),
      })
    expect(await harness.stored(change)).toMatchObject({ version: change.version })
    const after = changeOf(await changing('--amount 70', 'fay'))
    expect(after).toMatchObject({ also: { person: 'finn' }, changedBy: [{ person: 'fay' }] })
    expect(refusalOf(await changing('--also fay', 'sam')).message).toContain('Fay Finance asks for this')
    expect(await harness.click('approve', after, 'finn')).toMatchObject({ state: 'applied' })
  })
})
