import { beforeAll, describe, expect, it } from 'vitest'
import { autocompleteOption } from '../../adapters/discord/inbound/autocomplete.ts'
import { isThingKind, type Param } from '../../src/kernel/command/params.ts'
import { completeLine } from '../../src/kernel/messenger/complete-line.ts'
import { fromOf, openTestApp, type TestApp } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann Archer, discord: "400000000000000001", roles: [all] }
roles:
  all: { run: ["*"] }
links: { customer: billing_id, customersWrite: [] }
`

const pickers = commandsWith().all.flatMap((command) =>
  command.params
    .filter(({ kinds }) => kinds.some(isThingKind))
    .map((param) => ({ command, param, title: `${command.name} ${param.flag}` })),
)

/** What belongs to a product or a customer, and what chooses that product or customer beside it. */
const owned = pickers.flatMap(({ command, param, title }) => {
  const byKind = (kind: string) =>
    command.params.find((one) => one !== param && one.kinds.some((own) => own === kind))
  const product = param.kinds.some((kind) => kind === 'plan' || kind === 'add-on' || kind === 'license')
    ? byKind('product')
    : undefined
  const customer = param.kinds.some((kind) => kind === 'payment') ? byKind('customer') : undefined
  return [
    ...(product === undefined ? [] : [{ command, param, title, beside: product, kind: 'product' as const }]),
    ...(customer === undefined
      ? []
      : [{ command, param, title, beside: customer, kind: 'customer' as const }]),
  ]
})

/** Each by its id and by what people call it, and what every id of theirs has in it. */
const owners = {
  product: [
    { ways: ['prod_desk'], own: /desk|seats|priority|training|lic_5(?:0|1[0-2])/ },
    { ways: ['prod_mail'], own: /mail|archive|lic_51[34]/ },
  ],
  customer: [
    { ways: ['cus_1001', 'ada@example.com', '+15550110000', 'Ada Lindqvist'], own: /^pay_10(?:01|02|13)$/ },
  ],
}

describe('what is chosen from', () => {
  let app: TestApp
  const from = fromOf('ann')
  const offered = (
    param: Pick<Param, 'kinds' | 'by'>,
    typed = '',
    within: { kind: never; id: string }[] = [],
  ) =>
    app.app.bot.suggest(
      from,
      app.registry.all.flatMap(({ params }) => params).find((one) => one === param) ?? param,
      typed,
      within,
    )
  const paramIn = (command: string, name: string): Param =>
    app.registry.get(command)?.params.find((one) => one.name === name) as Param

  beforeAll(async () => {
    app = await openTestApp({ policy, tasks: false })
    for (const line of [
      'person get ada@example.com',
      'transaction find cus_1001',
      'transaction find cus_1002',
    ])
      await app.say(line, 'ann')
  })

  it('has owned things in several commands', () => {
    expect(new Set(owned.map(({ kind }) => kind)).size).toBe(2)
    expect(owned.length).toBeGreaterThan(6)
  })

  it.each(pickers)('has nothing twice, and names where there are any: $title', async ({ command, param }) => {
    const found = await offered(paramIn(command.name, param.name))
    const labels = found.map(({ label }) => label)
    const values = found.map(({ value }) => value)
    expect(new Set(labels).size).toBe(labels.length)
    expect(new Set(values).size).toBe(values.length)
    for (const { label, value } of found)
      if (param.kinds.some((kind) => kind === 'payment'))
        expect(label, value).toMatch(/^[\d.,]+ [A-Z]{3} · .+ · INV-/)
  })

  it.each(pickers)('stands in a form by its name, and not by its id: $title', async ({ command, param }) => {
    const [first] = await offered(paramIn(command.name, param.name))
    if (first === undefined) return
    const isList = param.type === 'list'
    const form = await app.app.bot.formOf(from, {
      command: command.name,
      values: { [param.name]: isList ? [first.value] : first.value },
    })
    const field = form?.fields.find(({ name }) => name === param.name)
    // Of several none is the one that was chosen.
    if (isList) return expect(field).not.toHaveProperty('chosen')
    expect(field?.chosen).toEqual(first)
    expect(field?.others?.some(({ value }) => value === first.value)).toBe(false)
  })

  it('is what stands in a form by its name; a command does not, though commands are offered', async () => {
    const form = await app.app.bot.formOf(from, { command: 'bellhop help', values: { command: 'refund' } })
    expect(await offered(paramIn('bellhop help', 'command'), 'refund')).toContainEqual(
      expect.objectContaining({ value: 'refund' }),
    )
    expect(form?.fields.map(({ chosen }) => chosen)).toEqual([undefined])
  })

  it.each(owned)('is of what was chosen beside it, however that was written: $title', async (one) => {
    const param = paramIn(one.command.name, one.param.name)
    for (const { ways, own } of owners[one.kind]) {
      const [byId, ...others] = await Promise.all(
        ways.map((id) => offered(param, '', [{ kind: one.kind as never, id }])),
      )
      expect(byId?.length).toBeGreaterThan(0)
      for (const { value } of byId ?? []) expect(value).toMatch(own)
      for (const other of others) expect(other).toEqual(byId)
    }
  })

  it.each(owned)(
    'is so in the line and in the options of Discord too: $title',
    async ({ command, param, beside, kind }) => {
      for (const { ways, own } of owners[kind]) {
        for (const way of ways) {
          const line = `${command.name} --${beside.flag} "${way}" --${param.flag} `
          const { items } = await completeLine(app.app.bot, from, line)
          expect(items.length, line).toBeGreaterThan(0)
          for (const { text } of items) expect(text.trim(), line).toMatch(own)
          const options = [
            { name: beside.flag, type: 3, value: way },
            { name: param.flag, type: 3, value: '', focused: true },
          ]
          const [noun = '', verb] = command.name.split(' ')
          const data =
            verb === undefined
              ? { name: noun, options }
              : { name: noun, options: [{ name: verb, type: 1, options }] }
          const choices = await autocompleteOption(app.app.bot, {
            id: '1',
            type: 4,
            token: 't',
            data,
            user: { id: '400000000000000001', username: 'ann' },
          } as never)
          expect(choices.length, line).toBeGreaterThan(0)
          for (const { value } of choices) expect(value).toMatch(own)
        }
      }
    },
  )
})
