import { describe, expect, it } from 'vitest'
import type { Guesses } from '../../src/lib/services/endpoints/guesses.ts'
import { defaultGuesses, guessForms } from '../../src/lib/services/endpoints/tables.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { policyOf } from '../harness/app.ts'
import { openTeamBot, teamPolicy } from './team-bot.ts'

const bot = await openTeamBot()
const contact = '64b000000000000000000001'
const cards = JSON.stringify([
  { fileUrl: 'https://files.example.com/a.jpg', fileName: 'a.jpg' },
  { fileUrl: 'https://files.example.com/b.jpg', fileName: 'b.jpg' },
])

/** A line for each field, the row that it reaches, and what each form is on the wire. */
const fields: Record<keyof Guesses, { line: string; row: string; sent: Record<string, unknown> }> = {
  attributes: {
    line: `contact update ${contact} --attributes '{"city":"Lund, S","plan":"gold"}'`,
    row: 'updateContact',
    sent: {
      json: '[{"name":"city","value":"Lund, S"},{"name":"plan","value":"gold"}]',
      'json-object': '{"city":"Lund, S","plan":"gold"}',
      list: [
        { name: 'city', value: 'Lund, S' },
        { name: 'plan', value: 'gold' },
      ],
      object: { city: 'Lund, S', plan: 'gold' },
    },
  },
  tagsToAdd: {
    line: `contact update ${contact} --tags-to-add support,returns`,
    row: 'updateContact',
    sent: { text: 'support,returns', json: '["support","returns"]', list: ['support', 'returns'] },
  },
  tagsToRemove: {
    line: `contact update ${contact} --tags-to-remove vip`,
    row: 'updateContact',
    sent: { text: 'vip', json: '["vip"]', list: ['vip'] },
  },
  contact: {
    line: `message media 15550110000 order_invoice https://files.example.com/i.pdf --contact '{"name":"Ada"}'`,
    row: 'sendMediaTemplate',
    sent: { json: '{"name":"Ada"}', object: { name: 'Ada' } },
  },
  quickReplies: {
    line: `message carousel 15550110000 spring_picks --cards '${cards}' --quick-replies yes,no`,
    row: 'sendCarousel',
    sent: { json: '["yes","no"]', text: 'yes,no', list: ['yes', 'no'] },
  },
  addons: {
    line: 'upgrade sub_1001 plan_desk_business_m --payment-mode offline --addons addon_seats:2,addon_priority',
    row: 'changePlan',
    sent: {
      json: '[{"id":"addon_seats","quantity":2},{"id":"addon_priority","quantity":1}]',
      'json-object': '{"addon_seats":2,"addon_priority":1}',
      text: 'addon_seats:2,addon_priority:1',
      list: [
        { id: 'addon_seats', quantity: 2 },
        { id: 'addon_priority', quantity: 1 },
      ],
      object: { addon_seats: 2, addon_priority: 1 },
    },
  },
  plans_array: {
    line: 'addon update addon_training --associate-plans selected_plans --plans plan_desk_team_m,plan_desk_business_m',
    row: 'updateAddon',
    sent: {
      text: 'plan_desk_team_m,plan_desk_business_m',
      json: '["plan_desk_team_m","plan_desk_business_m"]',
      list: ['plan_desk_team_m', 'plan_desk_business_m'],
    },
  },
}

let version = 1_000
const guess = (guesses: object) => {
  const text = `${teamPolicy}guesses: ${JSON.stringify(guesses)}\n`
  bot.app.core.usePolicy(policyOf(text, bot.registry), ++version)
}
const lastBody = (row: string) => Object(bot.sent(row).at(-1)) as Record<string, unknown>
const cases = Object.entries(fields).flatMap(([field, { line, row, sent }]) =>
  Object.entries(sent).map(([form, value]) => ({ field: field as keyof Guesses, form, line, row, value })),
)

describe('a field whose form no document shows', () => {
  it('is tried in every form that it has', () => {
    const tried = Object.entries(fields).map(([field, { sent }]) => [field, Object.keys(sent).toSorted()])
    expect(Object.fromEntries(tried)).toEqual(
      Object.fromEntries(Object.entries(guessForms()).map(([field, forms]) => [field, forms.toSorted()])),
    )
  })

  it.each(cases)('$field is sent and shown as $form', async ({ field, form, line, row, value }) => {
    guess(form === defaultGuesses()[field] ? {} : { [field]: form })
    const asked = await bot.ask(line)
    expect(textOfView(asked.preview, { isWhole: true })).toContain(JSON.stringify(value))
    const { outcome } = await bot.settle(asked)
    expect(outcome).toMatchObject({ warning: null })
    expect(lastBody(row)[field]).toEqual(value)
  })

  it.each(cases)(
    '$field goes out as $form in an api call, whatever is guessed',
    async ({ field, row, value }) => {
      guess({})
      const about = {
        updateContact: ['chat PUT', `/contacts/${contact}`, {}],
        sendMediaTemplate: [
          'chat POST',
          '/messages',
          {
            to: 15550110000,
            type: 'template',
            templateName: 'order_invoice',
            link: 'https://files.example.com/i.pdf',
          },
        ],
        sendCarousel: [
          'chat POST',
          '/messages',
          {
            to: 15550110000,
            type: 'template',
            templateName: 'spring_picks',
            carouselBodies: [{ bodyParams: [] }, { bodyParams: [] }],
            carouselFileData: JSON.parse(cards),
          },
        ],
        changePlan: [
          'billing PUT',
          '/subscription/sub_1001/upgrade-downgrade',
          { plan_id: 'plan_desk_business_m', payment_mode: 'offline' },
        ],
        updateAddon: ['billing PUT', '/addon/addon_training', { associate_plans: 'selected_plans' }],
      }[row] as [string, string, object]
      const body = JSON.stringify({ ...about[2], [field]: value })
      await bot.run(`api call ${about[0]} ${about[1]} --body '${body}'`)
      expect(lastBody(row)[field]).toEqual(value)
    },
  )

  it('voids the votes for another form when its guess changes', async () => {
    guess({})
    const asked = await bot.ask(fields.addons.line)
    guess({ addons: 'list' })
    expect(await bot.settle(asked)).toMatchObject({ state: 'pending', votes: [] })
    expect(bot.sent('changePlan')).toEqual([])
  })

  it('refuses a comma where commas part the texts', async () => {
    guess({ quickReplies: 'text' })
    const { code, field } = await bot.refused(fields.quickReplies.line.replace('yes,no', 'yes\\,please,no'))
    expect([code, field]).toEqual(['bad_value', 'quickReplies'])
  })

  it('that nobody knows, or in a form that it has not, is a mistake in the file, by its place', () => {
    expect(() => guess({ attribute: 'list' })).toThrow(
      /unknown key "attribute" in guesses. Did you mean "attributes"/,
    )
    expect(() => guess({ tagsToAdd: 'object' })).toThrow(/guesses.tagsToAdd. Expected text, json or list/)
  })
})
