import { describe, expect, test } from 'vitest'
import { formModalOf } from '../../adapters/discord/forms/modal.ts'
import { formModal } from '../../adapters/slack/forms/command-form.ts'
import { actorOf } from '../../src/kernel/actors/authorization.ts'
import { isThingKind } from '../../src/kernel/command/params.ts'
import { amendingName } from '../../src/kernel/command/registry.ts'
import type { Form } from '../../src/kernel/messenger/form.ts'
import { filledForm } from '../../src/kernel/request/reading/filled-form.ts'
import { modalFaults } from '../discord/fake/rules.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { buttonOf, changeOf } from '../pipeline/harness.ts'
import { parseModal } from '../slack/fake/blocks.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann, slack: U0ANN, roles: [all] }
  - { id: ben, name: Ben, slack: U0BEN, roles: [all] }
roles:
  all: { run: ["*"], approve: ["*"] }
`

/** So many of everything that a form can offer, each like the first one that is there. */
const openWith = async (count: number) => {
  const bot = await openTestApp({ policy, tasks: false })
  const { email, chat, billing } = bot.sandbox.state
  const fill = <T extends object>(all: T[], over: (at: number) => Partial<T>) => {
    const [first] = all
    if (first !== undefined)
      all.splice(0, all.length, ...Array.from({ length: count }, (_, at) => ({ ...first, ...over(at) })))
  }
  const hex = (at: number) => `${at}`.padStart(24, '0')
  fill(email.lists, (at) => ({ id: `lst_${at}`, name: `List ${at}` }))
  fill(email.campaigns, (at) => ({ _id: `cmp_${at}` }))
  fill(email.subscribers, (at) => ({ _id: hex(at), email: `row${at}@example.com` }))
  fill(chat.contacts, (at) => ({ _id: hex(at), name: `Contact ${at}` }))
  fill(billing.products, (at) => ({ id: `prod_${at}`, product_name: `Product ${at}` }))
  fill(billing.multiplans, (at) => ({ id: `mp_${at}`, page_title: `Page ${at}`, plans: [] }))
  fill(billing.addons, (at) => ({ id: `addon_${at}`, name: `Add-on ${at}` }))
  fill(billing.licenses, (at) => ({ id: `lic_${at}`, name: `Licence ${at}` }))
  return bot
}

const ids: Readonly<Record<string, string>> = {
  ...{ list: 'lst_0', campaign: 'cmp_0', subscriber: 'row0@example.com', contact: '0'.repeat(24) },
  ...{ product: 'prod_0', multiplan: 'mp_0', addon: 'addon_0', license: 'lic_0', payment: 'pay_1001' },
  ...{ customer: 'cus_1001', subscription: 'sub_1001', plan: 'plan_desk_team_m', colleague: 'ben' },
}

const faultsOf = (form: Form): unknown[] => {
  const modal = formModal(form, { channel: null, handle: null })
  const slack = parseModal(modal)
  return [...(slack.error?.issues ?? []), ...modalFaults(formModalOf(form, 'draft') as never)]
}

describe.each([0, 1, 7, 100, 5_000])('with %i of what it offers, the form', async (count) => {
  const bot = await openWith(count)
  const actor = actorOf(bot.app.core.policy, fromOf('ann'))
  const all = bot.registry.all.filter(({ params }) => params.some(({ kinds }) => kinds.some(isThingKind)))
  // Of thousands, one form for each kind of thing: they are drawn alike.
  const kindOf = ({ params }: (typeof all)[number]) => params.flatMap(({ kinds }) => kinds)[0]
  const forms = count < 5_000 ? all : [...new Map(all.map((one) => [kindOf(one), one])).values()]

  test('of every command is one that each messenger takes, and what is wrong with it stands on a field that it has', async () => {
    expect(all.length).toBeGreaterThan(40)
    for (const command of forms) {
      const given = Object.fromEntries(
        command.params.flatMap(({ name, kinds, type }) => {
          const id = kinds.map((kind) => ids[kind]).find((one) => one !== undefined)
          return id === undefined ? [] : [[name, type === 'list' ? [id] : id]]
        }),
      )
      for (const values of [{}, given]) {
        const form = await filledForm(bot.app.core, actor, { command, given: values })
        expect([command.name, faultsOf(form)]).toEqual([command.name, []])
        if (command.kind === 'query' || count === 5_000) continue
        const reply = await bot.handle({
          from: fromOf('ann'),
          forms: true,
          intent: { kind: 'form', command: form.command, values: form.values },
        })
        const field = reply.kind === 'refused' ? reply.refusal.field : undefined
        const names: (string | undefined)[] = [undefined, ...form.fields.map(({ name }) => name)]
        expect(names, command.name).toContain(field)
      }
    }
  })
})

test('the form of a time alone is handed in with its time, and says on it what is wrong', async () => {
  const bot = await openTestApp({ policy, tasks: false })
  const asked = changeOf(await bot.say('refund pay_1001 20 --at "in 2h"', 'ann'))
  await bot.press('approve', buttonOf(asked), 'ben')
  const opened = await bot.handle({
    from: fromOf('ann'),
    forms: true,
    intent: { kind: 'press', verb: 'retime', id: buttonOf(asked) },
  })
  if (opened.kind !== 'form') throw new Error(JSON.stringify(opened))
  expect(faultsOf(opened.form)).toEqual([])
  expect(opened.form.command).toBe(amendingName({ id: asked.id, isWhole: false }, 'refund'))
  const submit = (at: string) =>
    bot.handle({
      from: fromOf('ann'),
      forms: true,
      intent: { kind: 'form', command: opened.form.command, values: { at } },
    })
  expect(await submit('when pigs fly')).toMatchObject({ kind: 'refused', refusal: { code: 'bad_value' } })
  expect(changeOf(await submit('in 3h')).runAt?.at).toBeGreaterThan(asked.runAt?.at ?? 0)
})
