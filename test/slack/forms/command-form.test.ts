import { describe, expect, test } from 'vitest'
import { formModal } from '../../../adapters/slack/forms/command-form.ts'
import { submittedValues } from '../../../adapters/slack/forms/submitted-values.ts'
import { formFor } from '../../../src/messenger/form.ts'
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
    await sam.submits({ Payment: 'pay_1001', Amount: '20', 'Refund type': 'refund_credit' })
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
    await sam.submits({ Payment: 'pay_1006', Amount: '7' }, { times: 3 })
    await until(() => sam.finds('payment pay_1006', general))
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
