import type { types } from '@slack/bolt'
import { describe, expect, test } from 'vitest'
import { formModalOf } from '../../adapters/discord/forms/modal.ts'
import { formModal } from '../../adapters/slack/forms/command-form.ts'
import type { Command } from '../../src/kernel/command/define.ts'
import { besideParams } from '../../src/kernel/command/params.ts'
import { type Form, type FormField, formFor } from '../../src/kernel/messenger/form.ts'
import { modalFaults } from '../discord/fake/rules.ts'
import type { Json } from '../discord/fake/state.ts'
import { commandsWith } from '../harness/commands.ts'
import { parseModal } from '../slack/fake/blocks.ts'

const commands = commandsWith().all.filter(({ params }) => params.length > 0)
const forms = commands.map((command): [string, Command, Form] => [
  command.name,
  command,
  formFor(command, {}, { usual: ['Charged twice', 'Goodwill'], notes: { amount: '49 USD left' } }),
])

/** What people do. */
const verbs =
  'Answer Approve Ask Call Cancel Change Create Delete Downgrade End Explain Export Find Forget Freeze Get Give Import Link List Look Make Move Pause Propose Put Refund Reject Reload Remind Remove Report Resend Resume Review Say Search Send Show Stop Unfreeze Unlink Upgrade Verify'.split(
    ' ',
  )

const slackInputs = (form: Form) =>
  formModal(form, { channel: null, handle: null }).blocks.flatMap((block) =>
    block.type === 'input' ? [block as types.InputBlock] : [],
  )
const discordLabels = (form: Form) =>
  formModalOf(form, 'draft').components as unknown as {
    label: string
    description?: string
    component: Json
  }[]

describe.each(forms)('the form of %s', (_, command, form) => {
  test('has a verb as its title and says on its button what comes next', () => {
    expect(verbs).toContain(form.title.split(' ')[0])
    expect(form.title.length).toBeLessThanOrEqual(24)
    const next = { query: 'Look up', decision: form.title, change: /^Review \w+$/, switch: /^Review \w+$/ }
    expect(form.submit).toMatch(next[command.kind])
    expect(formModal(form, { channel: null, handle: null })).toMatchObject({
      title: { text: form.title },
      submit: { text: form.submit },
    })
    expect(formModalOf(form, 'draft').title).toBe(form.title)
  })

  test('calls its fields by words, each once, and no parameter by its name', () => {
    const labels = form.fields.map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
    for (const { label, flag, kinds } of form.fields) {
      expect(label).toMatch(/^[A-Z][a-z ]+$/)
      if (kinds.length > 0) expect(label, flag).not.toMatch(/\bids?$/i)
    }
  })

  test('shows why it is asked for, and asks at once for what is needed', () => {
    const first = form.fields.filter(({ isFirst }) => isFirst)
    expect(form.fields.slice(0, first.length)).toEqual(first)
    for (const field of form.fields) {
      if (field.required || field.name === form.reason?.field) expect(first).toContain(field)
      if (besideParams.some(({ name }) => name === field.name)) expect(first).not.toContain(field)
    }
  })

  test('says limits beside the field', () => {
    for (const { min, max, maxLength = Number.POSITIVE_INFINITY, type, hint, time, kinds } of form.fields) {
      const limits = type === 'integer' || type === 'number' ? [min, max] : []
      for (const limit of limits) if (limit !== undefined) expect(hint).toContain(String(limit))
      if (type === 'text' && time === undefined && kinds.length === 0 && maxLength < 2_000)
        expect(hint).toContain(String(maxLength))
    }
  })

  test('is the same in Slack', () => {
    expect(parseModal(formModal(form, { channel: null, handle: null })).error?.message).toBeUndefined()
    const inputs = slackInputs(form)
    const labels = inputs.map(({ label }) => label.text).filter((label) => label !== 'Another reason')
    expect(labels).toEqual(form.fields.map(({ label }) => label))
    for (const field of form.fields) {
      const input = inputs.find(({ block_id }) => block_id === `field-${field.name}`)
      expect(input?.hint?.text).toContain(field.hint.slice(0, 60))
      if (input?.element.type === 'plain_text_input') expect(input.element.multiline).toBe(field.isLong)
    }
  })

  test('is the same in Discord, as far as it has room', () => {
    expect(modalFaults(formModalOf(form, 'draft') as unknown as Json)).toEqual([])
    const parts = discordLabels(form)
    const labels = parts.map(({ label }) => label).filter((label) => label !== 'Another reason')
    expect(labels).toEqual(form.fields.slice(0, labels.length).map(({ label }) => label))
    for (const { label, component } of parts) {
      const field = form.fields.find((one) => one.label === label)
      if (field === undefined) continue
      expect(component.type, label).toBe(discordType(field, form))
      if (component.type === 4) expect(component.style === 2).toBe(field.isLong)
    }
  })

  test('asks for an amount in one line, with what is left beside it', () => {
    const amount = form.fields.find(({ type }) => type === 'amount')
    if (amount === undefined) return
    expect(amount.isLong).toBe(false)
    if (amount.name === 'amount') expect(amount.hint).toMatch(/^49 USD left\. /)
  })
})

test('every field of every form, also a rare one, is one that Discord takes', () => {
  const types = new Set<unknown>()
  for (const [name, , form] of forms) {
    for (const field of form.fields) {
      const alone = { ...form, fields: [field] }
      expect(modalFaults(formModalOf(alone, 'draft') as unknown as Json), `${name} ${field.flag}`).toEqual([])
      for (const { component } of discordLabels(alone)) types.add(component.type)
    }
  }
  expect([...types].toSorted()).toEqual([19, 21, 22, 23, 3, 4])
})

const discordType = ({ type, isSwitch, choices, name }: FormField, { reason }: Form): number => {
  if (type === 'file') return 19
  if (type === 'boolean') return isSwitch ? 23 : 21
  if (name === reason?.field) return 21
  if (type === 'choice') return choices.length > 10 ? 3 : 21
  return type === 'list' && choices.length > 0 && choices.length <= 10 ? 22 : 4
}
