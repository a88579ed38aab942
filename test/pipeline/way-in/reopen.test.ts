import { beforeAll, describe, expect, it } from 'vitest'
import type { Change } from '../../../src/kernel/model/change.ts'
import { ok } from '../../../src/lib/result.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { buttonOf, changeOf, openHarness, refusalOf } from '../harness.ts'

const now = Date.now()
const { app, handle, store, ask, click, payment } = await openHarness({ tasks: false, now: () => now })
const press = (
  verb: 'change' | 'retime' | 'again',
  id: string,
  person: string,
  forms: boolean,
  delivery?: string,
) =>
  handle({
    intent: { kind: 'press', verb, id },
    from: fromOf(person),
    forms,
    ...(delivery === undefined ? {} : { delivery }),
  })
let waiting: Change
let ended: Change
beforeAll(async () => {
  waiting = await ask(`refund ${payment()} 60 --reason "Charged twice"`)
  ended = await click('cancel', await ask(`refund ${payment()} 70`), 'sam')
})

describe('a request that waits', () => {
  it('is opened in its form with everything filled in, or with its time alone', async () => {
    const whole = await press('change', buttonOf(waiting), 'sam', true)
    if (whole.kind !== 'form') throw new Error(textOf(whole))
    expect(whole.form).toMatchObject({ title: 'Change request', summary: waiting.preview.title })
    expect(whole.form.values).toMatchObject({ amount: '60', description: 'Charged twice' })
    expect(whole.form.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['amount', 'at']))
    const time = await press('retime', waiting.id, 'sam', true)
    if (time.kind !== 'form') throw new Error(textOf(time))
    expect(time.form).toMatchObject({ title: 'Change the time', summary: waiting.preview.title })
    expect(time.form.fields.map(({ name }) => name)).toEqual(['at'])
  })

  it('is opened with lists and attachments as they were typed, and without its file', async () => {
    const valuesOf = async (change: Change, person: string) => {
      const reply = await press('change', change.id, person, true)
      if (reply.kind !== 'form') throw new Error(textOf(reply))
      return reply.form.values
    }
    const tagged = await ask('subscriber update ada@example.com --tags-to-add "loyal,early bird"')
    expect((await valuesOf(tagged, 'sam')).tagsToAdd).toEqual(['loyal', 'early bird'])
    const attachments = '[{"filename":"a.pdf","url":"https://files.example.com/a.pdf"}]'
    const mail = await ask(`campaign send cmp_welcome ada@example.com --attachments '${attachments}'`)
    expect((await valuesOf(mail, 'sam')).attachments).toBe(attachments)
    const file = { name: 'people.csv', bytes: Buffer.from('email\nada@example.com\nnoah@example.com\n') }
    const sent = await handle({
      intent: { kind: 'line', line: 'campaign send cmp_welcome' },
      from: fromOf('sam'),
      attached: { file: async () => ok(file) },
    })
    expect(await valuesOf(changeOf(sent), 'sam')).not.toHaveProperty('file')
  })

  it('keeps whom the requester asks besides, in its form and where something else is changed', async () => {
    const change = await ask(`refund ${payment()} 61 --also finn`)
    const whole = await press('change', change.id, 'sam', true)
    if (whole.kind !== 'form') throw new Error(textOf(whole))
    expect(whole.form.values).toMatchObject({ also: 'finn' })
    expect(await ask(`approval change ${change.id} --amount 62`)).toMatchObject({
      amount: 62,
      also: { person: 'finn' },
      clauses: [{}, { people: [{ person: 'finn' }] }],
    })
  })

  it('is changed by what a form hands in under the names that people type', async () => {
    const change = await ask('subscriber update ada@example.com --first-name Augusta --company Acme')
    const reply = await handle({
      from: fromOf('sam'),
      intent: {
        kind: 'form',
        command: `approval retime ${change.id} subscriber update`,
        values: { 'first-name': 'Ida' },
      },
    })
    expect(changeOf(reply).input).toMatchObject({ firstName: 'Ida', company: 'Acme' })
  })

  it('without forms is changed by a line, and the answer says how', async () => {
    const refused = refusalOf(await press('change', waiting.id, 'sam', false))
    expect(refused).toMatchObject({ code: 'missing_arguments', message: 'Say what to change.' })
    expect(refused.usage).toMatch(new RegExp(`^approval change ${waiting.id} \\.\\.\\.\\n.*refund`))
  })

  it('is opened for nobody who may not see it, nor under another id', async () => {
    for (const verb of ['change', 'retime', 'again'] as const) {
      expect(refusalOf(await press(verb, waiting.id, 'kim', true)).code, verb).toBe('no_such_change')
      expect(refusalOf(await press(verb, 'nothing', 'sam', true)).code, verb).toBe('no_such_change')
    }
  })
})

describe('a request that has ended', () => {
  it('is not changed', async () => {
    for (const verb of ['change', 'retime'] as const)
      expect(refusalOf(await press(verb, ended.id, 'sam', true)).code).toBe('not_pending')
  })

  it('is asked for again in its form, or as it was, once for each press', async () => {
    const form = await press('again', buttonOf(ended), 'sam', true)
    if (form.kind !== 'form') throw new Error(textOf(form))
    expect(form.form.values).toMatchObject({ amount: '70' })
    const anew = changeOf(await press('again', ended.id, 'sam', false, 'one press'))
    expect(anew).toMatchObject({ state: 'pending', input: ended.input, command: 'refund' })
    expect(anew.id).not.toBe(ended.id)
    expect(await press('again', ended.id, 'sam', false, 'one press')).toEqual({ kind: 'repeated' })
  })

  it('is asked for again without a time that is over', async () => {
    const soon = await click('cancel', await ask(`refund ${payment()} 72 --at "in 20m"`), 'sam')
    const formOf = async (at: number) => {
      const { core } = app
      const { now } = core
      core.now = () => at
      const reply = await press('again', soon.id, 'sam', true)
      core.now = now
      return reply.kind === 'form' ? reply.form.values : {}
    }
    const runAt = soon.runAt?.at ?? 0
    expect(await formOf(runAt - 1)).toHaveProperty('at')
    expect(await formOf(runAt)).not.toHaveProperty('at')
    expect(await formOf(runAt + 1)).not.toHaveProperty('at')
  })

  it('is not asked for again by who may not ask for it', async () => {
    const { policy } = app.core
    const without = policy.roles.support
    app.core.policy = {
      ...policy,
      roles: { ...policy.roles, support: { ...without, run: ['subscriber *', 'approval *'] } as never },
    }
    expect(refusalOf(await press('again', ended.id, 'sam', true)).code).toBe('may_not_run')
    app.core.policy = policy
  })
})

describe('a request is asked for again when it can no longer happen, and has not happened unknown to all', () => {
  const changeOrCancel = 'Change it, or cancel it first.'
  const wait = 'Wait until it has: it takes a moment.'
  const settle = 'Look in the service, and say whether it happened.'
  const soon = now + 3_600_000
  const past = now - 1
  type Stage = Pick<Change, 'state'> & Partial<Pick<Change, 'expiresAt' | 'holdUntil'>>
  const table: [Stage, string | undefined][] = [
    [{ state: 'pending', expiresAt: soon }, changeOrCancel],
    [{ state: 'pending', expiresAt: now + 1 }, changeOrCancel],
    [{ state: 'pending', expiresAt: now }, undefined],
    [{ state: 'pending', expiresAt: past }, undefined],
    [{ state: 'approved', holdUntil: soon }, changeOrCancel],
    [{ state: 'approved' }, wait],
    [{ state: 'approved', expiresAt: past }, wait],
    [{ state: 'applying' }, wait],
    [{ state: 'unknown' }, settle],
    ...(['applied', 'failed', 'rejected', 'expired', 'cancelled', 'voided', 'not_applied'] as const).map(
      (state): [Stage, undefined] => [{ state }, undefined],
    ),
  ]

  it.each(table)('%j: %s', async (stage, next) => {
    const change = await ask(`refund ${payment()} 80`)
    expect(await store.changes.swap({ ...change, ...stage, version: change.version + 1 })).toBe(true)
    for (const forms of [true, false]) {
      const reply = await press('again', change.id, 'sam', forms)
      if (next !== undefined) expect(refusalOf(reply)).toMatchObject({ code: 'not_allowed_now', next })
      else if (forms) expect(reply).toMatchObject({ kind: 'form', form: { values: { amount: '80' } } })
      else expect(changeOf(reply).id).not.toBe(change.id)
    }
  })
})
