import { describe, expect, it } from 'vitest'
import { suggestedMark } from '../../../src/kernel/cards/card-buttons.ts'
import { cardFor } from '../../../src/kernel/cards/pressable.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf, type TestAppOptions, textOf } from '../../harness/app.ts'
import { buttonOf, changeOf, openHarness, refusalOf } from '../harness.ts'

/** Sam asks, Fay and Finn are all who can approve, and two are needed; Ada keeps the file. */
const policyWith = ({ finn = '[finance]', people = '' } = {}) => `
version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn, slack: U0FINN, roles: ${finn} }
  - { id: ada, name: Ada, slack: U0ADA, roles: [admin] }
${people}
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
  admin: { run: ["*"], approve: ["policy *"] }
administrators: [ada]
approvals: { slack: C0APPROVALS }
everyone: { run: ["bellhop *", "away *", "approval *"] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 2, from: [finance] } }
  - { name: keep, commands: ["away *", "policy *"], require: confirm }
`

const open = async (options: TestAppOptions = {}) => {
  const harness = await openHarness({ tasks: false, policy: policyWith(), ...options })
  const slack = createFakeMessenger('slack')
  harness.app.join(slack)
  const as = (account: string) => fromOf(account, 'slack')
  const say = (line: string, account: string, forms = false): Promise<Reply> =>
    harness.handle({ from: as(account), forms, intent: { kind: 'line', line } })
  const press = (
    verb: 'run_it' | 'take' | 'suggest' | 'change' | 'approve' | 'confirm',
    id: string,
    account: string,
  ) => harness.handle({ from: as(account), forms: true, intent: { kind: 'press', verb, id } })
  const change = changeOf(
    await say(
      `refund ${harness.payment()} 100 --customer ${harness.sandbox.state.billing.transactions[0]?.customer_id}`,
      'U0SAM',
    ),
  )
  return { harness, slack, say, press, change }
}

const takeOf = (change: Change): string => {
  const { suggestion } = change
  if (suggestion === undefined) throw new Error('nothing is suggested')
  return `${buttonOf(change)}.${suggestedMark(suggestion)}`
}

const labelled = (reply: Reply, label: string): string => {
  const view = 'view' in reply ? reply.view : undefined
  const id = view?.actions?.find((one) => one.label === label)?.id
  if (id === undefined) throw new Error(`no ${label} among ${JSON.stringify(view?.actions)}`)
  return id
}

describe('an approver who corrects the amount where two are needed and two exist', () => {
  it('reads before anything is changed what it costs, in the form and after it', async () => {
    const { harness, say, press, change } = await open()
    const form = await press('change', buttonOf(change), 'U0FAY')
    if (form.kind !== 'form') throw new Error('no form')
    expect(form.form.summary).toContain('If you change it, you cannot approve it, and too few others could')
    const reply = await say(`approval change ${change.id} --amount 40`, 'U0FAY')
    expect(textOf(reply)).toContain('Nothing is changed yet.')
    expect(textOf(reply)).toContain('only Finn could give one')
    expect(await harness.stored(change)).toMatchObject({ amount: 100, digest: change.digest })
    const own = await press('change', buttonOf(change), 'U0SAM')
    expect(own.kind === 'form' && own.form.summary).not.toContain('If you change it')
  })

  it('suggests it: the requester takes it with one press, and both can still approve', async () => {
    const { harness, slack, say, press, change } = await open()
    const offered = await say(`approval change ${change.id} --amount 40`, 'U0FAY')
    await press('run_it', labelled(offered, 'Suggest 40 USD'), 'U0FAY')
    await harness.app.drain()
    const suggested = await harness.stored(change)
    expect(suggested).toMatchObject({ amount: 100, state: 'pending', suggestion: { sum: '40 USD' } })
    expect(suggested.changedBy).toBeUndefined()
    expect(slack.shown('U0SAM').join()).toContain('Fay suggests 40 USD')
    const labelsFor = (person: string) =>
      cardFor(
        suggested,
        { party: { ...suggested.requester, person }, mayVote: person !== 'sam' },
        Date.now(),
      ).actions.map(({ label, verb }) => label ?? verb)
    expect(labelsFor('sam')).toContain('Change it to 40 USD')
    expect(labelsFor('finn')).not.toContain('Change it to 40 USD')
    expect(refusalOf(await press('take', takeOf(suggested), 'U0FINN')).code).toBe('not_requester')
    const taken = changeOf(await press('take', takeOf(suggested), 'U0SAM'))
    expect(taken).toMatchObject({
      amount: 40,
      state: 'pending',
      votes: [{ by: { person: 'fay' }, digest: taken.digest }],
    })
    expect([taken.suggestion, taken.stuck, taken.changedBy]).toEqual([undefined, undefined, undefined])
    expect((await press('take', takeOf(suggested), 'U0SAM')).kind).toBe('refused')
    expect(await harness.click('approve', await harness.stored(taken), 'finn')).toMatchObject({
      state: 'applied',
    })
  })

  it('suggests with one form, and their vote stands for exactly that; for anything else they look again', async () => {
    const { harness, press, change } = await open({
      policy: policyWith().replace('approvals: 2', 'approvals: 1'),
    })
    const form = await press('suggest', buttonOf(change), 'U0FAY')
    if (form.kind !== 'form') throw new Error('no form')
    expect(form.form.summary).toContain('your vote then stands for exactly that')
    expect(refusalOf(await press('suggest', buttonOf(change), 'U0SAM')).code).toBe('own_request')
    const suggest = async (amount: string) => {
      const values = { ...(form.form.values as Record<string, string>), amount }
      await harness.handle({
        from: fromOf('U0FAY', 'slack'),
        forms: true,
        intent: { kind: 'form', command: form.form.command, values },
      })
      return harness.stored(change)
    }
    const first = await suggest('30')
    expect(first).toMatchObject({ amount: 100, votes: [], suggestion: { sum: '30 USD' } })
    const before = { ...first, suggestion: { ...first.suggestion, digest: 'another' } }
    await harness.store.tx((store) =>
      store.changes.swap({ ...(before as Change), version: first.version + 1 }),
    )
    const other = await harness.stored(change)
    expect(changeOf(await press('take', takeOf(other), 'U0SAM'))).toMatchObject({ amount: 30, votes: [] })
    const next = await press('suggest', buttonOf(await harness.stored(change)), 'U0FAY')
    expect(next.kind).toBe('form')
    const second = await suggest('20')
    const taken = changeOf(await press('take', takeOf(second), 'U0SAM'))
    expect(taken).toMatchObject({ amount: 20, state: 'applied', votes: [{ by: { person: 'fay' } }] })
  })

  it('suggests another amount instead: the button of the first takes neither, nor does one that names none', async () => {
    const { harness, say, press, change } = await open()
    const suggested: Change[] = []
    for (const sum of [40, 30]) {
      const offered = await say(`approval change ${change.id} --amount ${sum}`, 'U0FAY')
      await press('run_it', labelled(offered, `Suggest ${sum} USD`), 'U0FAY')
      suggested.push(await harness.stored(change))
    }
    const [first = change, newest = change] = suggested
    for (const button of [
      takeOf(first),
      buttonOf(newest),
      change.id,
      `${change.id}.${suggestedMark(newest.suggestion as never)}`,
    ]) {
      const refused = await press('take', button, 'U0SAM')
      expect([button, refused.kind]).toEqual([button, 'refused'])
      expect(await harness.stored(change)).toMatchObject({ amount: 100, suggestion: { sum: '30 USD' } })
    }
    expect(changeOf(await press('take', takeOf(newest), 'U0SAM'))).toMatchObject({ amount: 30 })
  })

  it('changes it all the same: the card says at once that it is stuck, to the requester and administrators', async () => {
    const { harness, slack, say, press, change } = await open()
    const offered = await say(`approval change ${change.id} --amount 40`, 'U0FAY')
    const insisted = changeOf(await press('run_it', labelled(offered, 'Change it to 40 USD'), 'U0FAY'))
    expect(insisted).toMatchObject({ amount: 40, state: 'pending' })
    await harness.app.drain()
    for (const where of ['C0APPROVALS', 'U0SAM', 'U0ADA'])
      expect(slack.shown(where).join()).toContain('2 approvals from finance are needed, and only Finn')
    expect(slack.shown('U0ADA').join()).toContain('Ada can give somebody else the role finance')
    expect(textOf(await say(`approval get ${change.id}`, 'U0FINN'))).toContain('cannot be approved as it')
  })

  it('is asked nothing where enough others remain, and reads in the form who they are', async () => {
    const people = '  - { id: fred, name: Fred, roles: [finance] }'
    const { say, press, change } = await open({ policy: policyWith({ people }) })
    const form = await press('change', buttonOf(change), 'U0FAY')
    expect(form.kind === 'form' && form.form.summary).toContain('you cannot approve it: Finn, Fred can.')
    const changed = changeOf(await say(`approval change ${change.id} --amount 40`, 'U0FAY'))
    expect(changed).toMatchObject({ amount: 40, changedBy: [{ person: 'fay' }] })
    expect(changed.stuck).toBeUndefined()
  })
})

describe('a request that waits says at once that those who remain are too few', () => {
  const stuckOf = ({ stuck }: Change) => (stuck === undefined ? undefined : plainWords(stuck.why))

  it('after a new policy, and no longer once the file is mended', async () => {
    let text = policyWith()
    const { harness, slack, change } = await open({ reads: () => text })
    const reload = async () => {
      const asked = changeOf(await harness.say('policy reload', 'ada'))
      if (asked.state === 'pending') await harness.click('confirm', asked, 'ada')
      await harness.app.drain()
    }
    text = policyWith({ finn: '[support]' })
    await reload()
    expect(stuckOf(await harness.stored(change))).toContain('only Fay could give one')
    expect(slack.shown('U0SAM').join()).toContain('Cannot be approved')
    expect(slack.shown('U0ADA').join()).toContain('A request of Sam cannot be approved as it stands')
    text = policyWith()
    await reload()
    expect((await harness.stored(change)).stuck).toBeUndefined()
    expect(slack.shown('C0APPROVALS').join()).not.toContain('cannot be approved as it stands')
  })

  it('while somebody is away past its end, until they are back', async () => {
    const { harness, change, press, say } = await open()
    const away = changeOf(await say('away set --until "in 9d"', 'U0FINN'))
    if (away.state === 'pending') await press('confirm', buttonOf(away), 'U0FINN')
    await harness.app.drain()
    expect(stuckOf(await harness.stored(change))).toContain('Finn is away until')
    const back = changeOf(await say('away end', 'U0FINN'))
    if (back.state === 'pending') await press('confirm', buttonOf(back), 'U0FINN')
    await harness.app.drain()
    expect((await harness.stored(change)).stuck).toBeUndefined()
  })

  it('also what is asked for while too few are there, in the first answer', async () => {
    const { harness, say } = await open({ policy: policyWith({ finn: '[support]' }) })
    const reply = await say(`refund ${harness.payment()} 90`, 'U0SAM')
    expect(textOf(reply)).toContain('2 approvals from finance are needed, and only Fay could give one.')
  })
})
