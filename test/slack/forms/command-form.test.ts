import { describe, expect, test } from 'vitest'
import { formModal } from '../../../adapters/slack/forms/command-form.ts'
import { fieldErrors, submittedValues } from '../../../adapters/slack/forms/submitted-values.ts'
import { amending } from '../../../src/kernel/command/registry.ts'
import { type Form, formFor } from '../../../src/kernel/messenger/form.ts'
import { commandsWith } from '../../harness/commands.ts'
import { until } from '../../harness/until.ts'
import { parseModal } from '../fake/blocks.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('a form', async () => {
  const { sam, fay, fake, sandbox, app, counted } = await openSlackHarness()
  const inputs = (person: typeof sam) =>
    person.modal().blocks.flatMap((block) => (block.type === 'input' ? [block] : []))

  test('opens for a line with required arguments missing, with what was typed in it', async () => {
    await sam.types('/refund --description "Charged twice"', general)
    const modal = await until(() => sam.modal())
    expect(modal.title.text).toBe('Refund')
    expect(modal.submit?.text).toBe('Review refund')
    const byLabel = Object.fromEntries(inputs(sam).map((block) => [block.label.text, block]))
    expect(byLabel.Payment).toMatchObject({ optional: false, element: { type: 'external_select' } })
    expect(byLabel.Amount).toMatchObject({ optional: true, element: { type: 'plain_text_input' } })
    expect(byLabel['Refund type']?.element.type).toBe('static_select')
    expect(byLabel.Reason?.element).toMatchObject({ initial_value: 'Charged twice' })
  })

  test('says field by field what does not fit, and keeps what was typed', async () => {
    const refused = await sam.submits({ Payment: 'pay_1001', Amount: '1.5' })
    expect(refused.status).toBe(200)
    expect(Object.values(sam.modalErrors())).toEqual([expect.stringContaining('whole number')])
    const empty = await sam.submits({ Amount: '0' })
    expect(empty.body).toMatchObject({ response_action: 'errors' })
    expect(sam.hasModal()).toBe(true)
  })

  test('does what the line would have done, in the place where it was opened', async () => {
    await sam.submits({
      Payment: 'pay_1001',
      Amount: '20',
      Customer: 'cus_1001',
      'Refund type': 'refund_credit',
    })
    expect(sam.hasModal()).toBe(false)
    const card = await until(() => sam.finds('[Confirm]', general))
    expect(card.onlyFor).toBe(sam.id)
    expect(JSON.stringify(card.blocks)).toContain('Charged twice')
  })

  test('is acknowledged at once while the service hangs', async () => {
    await sam.types('/subscriber get', general)
    await until(() => sam.modal())
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
    await sam.submits({ Who: 'ada@example.com' })
    sandbox.clearFaults()
    await until(() => sam.finds('Ada Lindqvist', general))
  })

  test('that the core refuses later gives back what was filled in', async () => {
    await sam.types('/subscriber update', general)
    await until(() => sam.modal())
    await sam.submits({ Email: 'nobody@example.com', 'First name': 'No "Body"' })
    const refused = await until(() => sam.finds('What you filled in', general))
    expect(refused.onlyFor).toBe(sam.id)
    expect(JSON.stringify(refused.blocks)).toContain('subscriber update nobody@example.com --first-name')
  })

  test('handed in three times is one request', async () => {
    await sam.types('/refund', general)
    await until(() => sam.modal())
    const repeated = () => counted.filter(({ kind }) => kind === 'repeated').length
    const before = fake.state.messages.length
    await sam.submits({ Payment: 'pay_1006', Amount: '7', Customer: 'cus_1004' }, { times: 3 })
    await until(() => sam.finds('Refund 7 USD', general))
    await until(() => expect(repeated()).toBe(2))
    await app.drain()
    expect(fake.state.messages.slice(before)).toHaveLength(1)
  })

  test('that Slack gives no time for is the usage line instead', async () => {
    const opened = fake.calls('views.open').length
    fake.fail('views.open', { status: 200, error: 'expired_trigger_id' })
    await sam.types('/refund', general)
    await until(() => sam.finds('refund <payment-id>', general))
    expect(fake.calls('views.open')).toHaveLength(opened + 1)
    expect(sam.hasModal()).toBe(false)
  })

  test('of every command fits what Slack takes', async () => {
    const hostile = `<!channel> \`*_~ "quotes" \u0000\u202e${'x'.repeat(4_000)}`
    for (const command of app.core.registry.all) {
      const { name, params } = command
      for (const value of [undefined, hostile, '', '12', 'true', '2026-11-15', 'a,b']) {
        const values =
          value === undefined ? {} : Object.fromEntries(params.map((param) => [param.name, value]))
        const modal = formModal(
          formFor(command, values, { usual: ['Charged twice', 'x'], notes: { amount: '49 USD left' } }),
          {
            channel: general,
            handle: JSON.stringify({ url: `https://hooks.slack.com/${'u'.repeat(2_900)}` }),
          },
        )
        const parsed = parseModal(modal)
        expect(parsed.error?.message, `${name} with ${value?.slice(0, 20)}`).toBeUndefined()
      }
    }
  })

  test('offers the usual reasons of the team, and what is left beside the amount', () => {
    const command = app.core.registry.get('refund')
    if (command === undefined) throw new Error('there is no refund')
    const form = formFor(
      command,
      { description: 'Charged twice' },
      { usual: ['Charged twice', 'Goodwill'], notes: { amount: '49 USD left' } },
    )
    const { blocks } = formModal(form, { channel: null, handle: null })
    const labels = blocks.flatMap((block) => ('label' in block ? [block.label?.text] : []))
    expect(labels.slice(0, 4)).toEqual(['Payment', 'Amount', 'Reason', 'Another reason'])
    expect(JSON.stringify(blocks)).toContain('49 USD left. How much')
    const chosen = { 'usual-description': { value: { selected_option: { value: 'Goodwill' } } } }
    const written = { 'field-description': { value: { value: 'Late' } } }
    expect(submittedValues(command, { values: chosen })).toEqual({ description: 'Goodwill' })
    expect(submittedValues(command, { values: { ...chosen, ...written } })).toEqual({ description: 'Late' })
  })

  test('of more fields than a modal holds says what it left out', () => {
    const command = app.core.registry.get('refund')
    const [field] = command === undefined ? [] : formFor(command, {}).fields
    if (field === undefined) throw new Error('refund has no parameters')
    const fields = Array.from({ length: 120 }, (_, at) => ({
      ...field,
      name: `field${at}`,
      flag: `field-${at}`,
    }))
    const modal = formModal(
      { command: 'refund', title: 'Many', summary: 'Many', submit: 'Review', fields, values: {} },
      { channel: null, handle: null },
    )
    expect(parseModal(modal).error?.message).toBeUndefined()
    expect(JSON.stringify(modal.blocks.at(-1))).toContain('22 more fields left out')
  })

  test('offers live choices where the definition knows where they come from', async () => {
    await fay.types('/list remove', general)
    await until(() => fay.modal())
    const lists = inputs(fay).find(({ element }) => element.type === 'multi_external_select')
    const answer = await fay.suggests(lists?.block_id ?? '', '')
    const { options } = answer.body as { options: { text: { text: string }; value: string }[] }
    expect(options.length).toBeGreaterThan(0)
    expect(options.map(({ text }) => text.text).join()).toContain('Newsletter')
  })

  test('takes what was typed where no choice fits it', async () => {
    await fay.types('/multiplan create', general)
    await until(() => expect(fay.modal().title.text).toBe('Create checkout page'))
    const plans = inputs(fay).find(({ element }) => element.type === 'multi_external_select')
    expect(plans?.hint?.text).toContain('type one')
    const answer = await fay.suggests(plans?.block_id ?? '', 'plan_new, plan_newer')
    const { options } = answer.body as { options: { text: { text: string }; value: string }[] }
    expect(options.map(({ value }) => value)).toEqual(['plan_new', 'plan_newer'])
    expect(options[0]?.text.text).toBe('plan_new, as typed')
  })
})

describe('what is wrong with a form is said on a field that it has', () => {
  const commands = commandsWith().all.filter(({ params }) => params.length > 0)
  const blocksOf = (form: Form) =>
    formModal(form, { channel: null, handle: null }).blocks.flatMap((block) =>
      block.type === 'input' ? [String(block.block_id)] : [],
    )

  test.each(commands.map((command) => [command.name, command] as const))(
    '%s, whole and each of its fields alone',
    (_, command) => {
      const whole = formFor(command, {})
      const some = [whole, ...whole.fields.map((field) => ({ ...whole, fields: [field] }))]
      for (const form of some) {
        const shown = blocksOf(form)
        for (const value of [undefined, '1.5']) {
          const values =
            value === undefined ? {} : Object.fromEntries(form.fields.map(({ name }) => [name, value]))
          const errors = fieldErrors(command, values, { shown })
          expect(Object.keys(errors).filter((block) => !shown.includes(block))).toEqual([])
        }
      }
    },
  )

  test.each(
    commands.flatMap((command) =>
      command.kind === 'change' || command.kind === 'switch'
        ? [[command.name, amending(command, { id: 'c1', isWhole: false })] as const]
        : [],
    ),
  )('the time of a waiting %s alone is taken', (_, command) => {
    const form = formFor(command, {})
    const fields = form.fields.filter(({ name }) => name === 'at')
    const shown = blocksOf({ ...form, fields })
    expect(fieldErrors(command, { at: '2026-11-12T09:00' }, { shown })).toEqual({})
  })
})

describe('the time of what is approved for later', () => {
  test('is changed in its form, to the end', async () => {
    const { sam, fay, store } = await openSlackHarness()
    const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16)
    await sam.types(`/refund pay_1001 120 --at ${dayAfter(1)}`, general)
    const card = await until(() => fay.finds('[Approve', channels.approvals))
    await fay.clicks('Approve', { on: card })
    const approved = await until(() => sam.finds('[Change the time]', general))
    await sam.clicks('Change the time', { on: approved })
    const modal = await until(() => sam.modal())
    expect(modal.blocks.filter(({ type }) => type === 'input')).toHaveLength(1)
    const answered = await sam.submits({ When: dayAfter(2) })
    expect(answered.body ?? '').not.toMatchObject({ response_action: 'errors' })
    expect(sam.hasModal()).toBe(false)
    await until(async () => {
      const changes = await store.changes.list({ limit: 1 })
      expect(changes[0]?.line).toContain(dayAfter(2))
    })
  })
})
