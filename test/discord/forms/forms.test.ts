import { describe, expect, it } from 'vitest'
import { formModalOf } from '../../../adapters/discord/forms/modal.ts'
import { fieldsIn } from '../../../adapters/discord/inbound/from-payload.ts'
import { formFor } from '../../../src/kernel/messenger/form.ts'
import { DatabaseError } from '../../../src/lib/sql/database.ts'
import { until } from '../../harness/until.ts'
import { labelsOf, menusOf, textOf } from '../fake/person.ts'
import type { FakeMessage, Json } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general, approvals } = channels

describe('forms', async () => {
  const harness = await openDiscordHarness()
  const { fake, sam, fay, app } = harness
  const fieldsOf = (name: string, values: Record<string, string>) => {
    const command = app.core.registry.get(name)
    if (command === undefined) throw new Error(`there is no command ${name}`)
    const modal = formModalOf(formFor(command, values), 'draft')
    const parts = modal.components as unknown as { component: Json }[]
    const fields = parts.map(({ component }) => [String(component.custom_id), component] as const)
    return { title: modal.title, fields: Object.fromEntries(fields) }
  }

  it('offers the usual reasons of the team, and another one counts before them', () => {
    const command = app.core.registry.get('refund')
    if (command === undefined) throw new Error('there is no refund')
    const form = formFor(
      command,
      {},
      { usual: ['Charged twice', 'Goodwill'], notes: { amount: '49 USD left' } },
    )
    const parts = formModalOf(form, 'draft').components as unknown as { label: string; description: string }[]
    expect(parts.map(({ label }) => label)).toEqual([
      'Payment',
      'Amount',
      'Reason',
      'Another reason',
      'Customer',
    ])
    expect(parts[1]?.description).toContain('49 USD left')
    const submitted = (another: string) =>
      fieldsIn({
        data: {
          components: [
            { component: { custom_id: 'description', values: ['Goodwill'] } },
            { component: { custom_id: 'other:description', value: another } },
          ],
        },
      } as unknown as Parameters<typeof fieldsIn>[0])
    expect(submitted('')).toEqual({ description: 'Goodwill' })
    expect(submitted('Late')).toEqual({ description: 'Late' })
  })

  it('gives running text several lines, so that its line breaks survive', () => {
    const { fields } = fieldsOf('message products', { to: '491701234567' })
    expect(fields.body).toMatchObject({ style: 2, max_length: 1024 })
    expect(fields.header).toMatchObject({ style: 1, max_length: 60 })
    expect(fieldsOf('message products', { header: 'one\ntwo' }).fields.header).toMatchObject({ style: 2 })
  })

  it('shows again what was too long, though no more than that may be written', () => {
    const header = 'x'.repeat(70)
    expect(fieldsOf('message products', { header }).fields.header).toMatchObject({
      value: header,
      max_length: 70,
    })
  })

  it('is called by a verb', () => {
    expect(fieldsOf('refund', {}).title).toBe('Refund')
    expect(fieldsOf('list create', {}).title).toBe('Create list')
  })

  it('tells it when Discord does not take a form', async () => {
    fake.state.faults.push({
      on: /^POST .*\/callback$/,
      times: 1,
      status: 400,
      body: { code: 50_035, message: 'Invalid Form Body' },
    })
    const asked = await sam.slash(general, 'list remove', { who: 'ada@example.com' })
    expect(asked.answered).toBe(4)
    const told = await until(() => {
      const [message] = fake.seen(sam.id, general)
      expect(message && textOf(message)).toContain('Something broke here')
      return message as FakeMessage
    })
    expect(told.onlyFor).toBe(sam.id)
  })

  it('says that the database is down when nothing can be kept', async () => {
    const { drafts } = app.core.store
    const { put } = drafts
    drafts.put = () => Promise.reject(new DatabaseError('down', 'the plug is out'))
    const asked = await sam.slash(general, 'list remove', { who: 'ada@example.com' })
    drafts.put = put
    expect(asked.answered).toBe(4)
    const told = fake.state.messages.get(asked.original ?? '') as FakeMessage
    expect(textOf(told)).toContain('The database cannot be reached')
  })

  it('answers in time when what was typed is slow to be found, and offers the form by a button', async () => {
    const asked = await sam.slash(general, 'contact get', { id: 'zz' })
    const refused = await until(() => {
      const message = fake.state.messages.get(asked.original ?? '')
      expect(message && labelsOf(message)).toEqual(['Edit'])
      return message as FakeMessage
    })
    const { drafts } = app.core.store
    const { get } = drafts
    const answered = Promise.withResolvers<void>()
    drafts.get = async (id) => {
      await answered.promise
      return get(id)
    }
    const pressed = await sam.press(refused, 'Edit')
    expect(pressed.answered).toBe(6)
    answered.resolve()
    const offered = await until(() => {
      const message = fake.state.messages.get(pressed.followUps[0] ?? '')
      expect(message && labelsOf(message)).toEqual(['Fill in'])
      return message as FakeMessage
    })
    drafts.get = get
    expect((await sam.press(offered, 'Fill in')).answered).toBe(9)
  })

  it('takes a file, so that an import can begin from a form', async () => {
    fake.state.attached = { '/people.csv': 'email,lead score\nada@example.com,70\n' }
    const url = `${new URL(fake.apiUrl).origin}/people.csv`
    const opened = await sam.slash(general, 'subscriber import', {})
    expect(opened.answered).toBe(9)
    const submitted = await sam.submit(opened, {
      file: { filename: 'people.csv', url, size: 40 },
      'ignore-unknown': true,
    })
    await until(() => {
      const card = fake.state.messages.get(submitted.original ?? '')
      expect(card && labelsOf(card)).toEqual(['Confirm', 'Cancel'])
    })
    sam.say(sam.direct, 'subscriber import')
    const offered = await until(() => {
      const message = fake.seen(sam.id, sam.direct).find((one) => labelsOf(one).includes('Fill in'))
      return message ?? expect.fail('no form is offered')
    })
    const { modal } = await sam.press(offered, 'Fill in')
    expect(((modal?.components ?? []) as unknown[])[0]).toMatchObject({
      component: { type: 19, custom_id: 'file', required: true },
    })
  })

  it('shows what was chosen from a row by its name, and the others of the same customer', async () => {
    const asked = await fay.slash(general, 'transaction find', { 'customer-id': 'cus_1001' })
    const answer = await until(() => {
      const message = fake.state.messages.get(asked.original ?? '')
      return message !== undefined && menusOf(message).length > 0 ? message : expect.fail('no menu yet')
    })
    const row = menusOf(answer)[0]?.options.find(({ label }) => label.includes('INV-513'))
    expect(row?.label).toMatch(/^49 USD · .* · INV-513$/)
    const chosen = await fay.choose(answer, 'INV-513')
    const one = await until(() => {
      const message = fake.state.messages.get(chosen.original ?? chosen.followUps[0] ?? '')
      return message !== undefined && menusOf(message).length > 0 ? message : expect.fail('no menu yet')
    })
    const { modal } = await fay.choose(one, 'refund')
    const parts = (modal?.components ?? []) as { label: string; component: Json }[]
    const payment = parts.find(({ label }) => label === 'Payment')?.component
    const labels = ((payment?.options ?? []) as Json[]).map(({ label }) => String(label))
    expect(labels[0]).toBe(row?.label)
    expect(labels.join()).not.toContain('pay_')
  })

  it('asks again for a reason that was left blank', async () => {
    await sam.slash(general, 'refund', { 'payment-id': 'pay_1003', amount: 120 })
    const card = await until(() => {
      const message = fake.seen(fay.id, approvals).at(-1)
      expect(message && labelsOf(message)).toEqual(['Approve', 'Ask', 'Reject'])
      return message as FakeMessage
    })
    const blank = await fay.submit(await fay.press(card, 'Reject'), { reason: ' ' })
    const told = await until(() => {
      const message = fake.state.messages.get(blank.original ?? '')
      expect(message && textOf(message)).toContain('A reason is required. Press Reject and say why')
      return message as FakeMessage
    })
    const again = await fay.press(told, 'Reject')
    expect(again.answered).toBe(9)
  })

  it('says that nothing was shared while Discord takes no messages', async () => {
    const asked = await sam.slash(general, 'subscriber get', { who: 'ada@example.com' })
    const answer = await until(() => {
      const message = fake.state.messages.get(asked.original ?? '')
      expect(message && labelsOf(message)).toEqual(['Share'])
      return message as FakeMessage
    })
    fake.state.faults.push({ on: /^POST .*\/channels\/\d+\/messages$/, times: 2, status: 503 })
    const pressed = await sam.press(answer, 'Share')
    await until(() => {
      const told = fake.state.messages.get(pressed.followUps[0] ?? '')
      expect(told && textOf(told)).toContain('Nothing was shared. Press Share again in a moment.')
    })
  })

  for (const id of ['somebody:elses', 'bh:fly:abc', 'bh:approve:', 'bh:form:abc', 'bh:why.reject:abc']) {
    it(`says that the button ${id} does nothing`, async () => {
      const asked = await sam.slash(general, 'subscriber get', { who: 'ada@example.com' })
      const answer = await until(() => {
        const message = fake.state.messages.get(asked.original ?? '')
        expect(message && labelsOf(message)).toEqual(['Share'])
        return message as FakeMessage
      })
      const payload = sam.pressPayload(answer, 'Share')
      await fake.deliver({ ...payload, data: { custom_id: id, component_type: 2 } })
      await until(() => expect(sam.reads(general)).toContain('This button no longer does anything.'))
    })
  }
})
