import { expect, test } from 'vitest'
import type { z } from 'zod'
import { allRows, type RowId, rowById } from '../../src/lib/services/endpoints/tables.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { unshownFields } from '../../tools/reference/unshown-fields.ts'
import { createFront } from '../harness/front.ts'
import { openTeamBot } from './team-bot.ts'

const openBot = async () => {
  const front = createFront()
  return { front, bot: await openTeamBot({ front: front.open }) }
}
const readers = await openBot()

// biome-ignore lint/suspicious/noExplicitAny: an answer of any row
type Answer = any

/** A row whose answer is documented, what the page of services calls the records in it, and lines that show them. */
type Case = [
  row: RowId,
  records: Record<string, string>,
  lines: (string | [line: string, of: (answer: Answer) => unknown])[],
]
const id = '64b000000000000000000001'

const cases: Case[] = [
  ['email.getSubscriber', { '': 'subscriber' }, ['subscriber get ada@example.com']],
  ['email.updateSubscriber', { '': 'subscriber' }, ['subscriber update ada@example.com --lead-score 3']],
  [
    'email.findSubscribers',
    { '': 'page of subscribers', subscribers: 'subscriber' },
    ['subscriber find --limit 100'],
  ],
  ['email.subscriberStats', { '': 'statistics' }, ['subscriber stats']],
  [
    'email.findCampaigns',
    { '': 'page of campaigns', campaigns: 'campaign' },
    [
      'campaign find',
      ['campaign get cmp_welcome', ({ campaigns: [first] }) => ({ ...first, _id: 'cmp_welcome' })],
    ],
  ],
  ['email.sendCampaign', { '': 'receipt' }, ['campaign send cmp_welcome ada@example.com']],
  ['email.createList', { list: 'list' }, ['list create Spring']],
  ['email.removeFromLists', { '': 'removal' }, ['list remove ada@example.com --list-ids lst_newsletter']],
  ['chat.getContact', { '': 'contact' }, [`contact get ${id}`]],
  ['chat.updateContact', { '': 'contact' }, [`contact update ${id} --name Noor`]],
  ['chat.contactLists', { '': 'contact lists', lists: 'contact list' }, ['contact lists']],
  [
    'chat.sendMediaTemplate',
    { '': 'sent message' },
    ['message media 15550110000 spring_banner https://files.example.com/a.jpg'],
  ],
  ['billing.createMultiplan', { '': 'multiplan' }, [['multiplan get mp_desk', (own) => own]]],
  ['billing.updateAddon', { '': 'add-on' }, [['addon get addon_seats', (own) => own]]],
  [
    'billing.findLicenses',
    { '': 'license' },
    ['license find prod_desk', ['license get prod_desk lic_501', ([first]) => first]],
  ],
  [
    'billing.changePlan',
    { '': 'plan change' },
    ['upgrade sub_1001 plan_desk_business_m --payment-mode offline'],
  ],
]

/** Fields that hold a word of a closed set, or a number where the documents name no type. */
const written: Record<string, unknown> = {
  plan_active: 'true',
  billing_period: 'm',
  billing_period_num: 'digits',
  total_tax: 'digits',
  new_plan_total: 'digits',
  credit: 'number',
}

/** An answer of that shape, each of its texts and numbers one that stands nowhere else, and where each of them stands. */
const sampleOf = (schema: z.ZodType, isChanged: (path: string) => boolean = () => false) => {
  const marks = new Map<string, string>()
  /** What no mark can be looked for: flags, and words of closed sets. */
  const plain: string[] = []
  let serial = 70_000
  const leaf = (kind: string, path: string): unknown => {
    serial += 1
    const name = path.split('.').at(-1) ?? ''
    const special = written[name] ?? kind
    if (kind === 'boolean' || !['digits', 'number', 'string'].includes(String(special))) {
      plain.push(path)
      if (kind === 'boolean') return !isChanged(path)
      return isChanged(path) ? `zq${serial}` : special
    }
    marks.set(path, special === 'string' ? `zq${serial}` : String(serial))
    return special === 'string' ? `zq${serial}` : special === 'number' ? serial : String(serial)
  }
  const fill = (one: Answer, path: string): unknown => {
    const { type, innerType, in: from, out, element, options, shape } = one.def
    if (innerType) return fill(innerType, path)
    if (type === 'pipe') return fill(from.def.type === 'transform' ? out : from, path)
    if (type === 'union') return fill(options[0], path)
    if (type === 'array') return [fill(element, path)]
    if (type !== 'object') return leaf(type === 'unknown' ? 'string' : type, path)
    // Nothing of it is documented but that it is there.
    if (Object.keys(shape).length === 0) return { undocumented: leaf('string', path) }
    return Object.fromEntries(
      Object.entries(shape).map(([key, value]) => [key, fill(value, path === '' ? key : `${path}.${key}`)]),
    )
  }
  return { data: fill(schema, ''), marks, plain }
}

/** Another record would not be taken for the answer. */
const aboutTheSame = (row: RowId, data: Answer, own: Answer): unknown => {
  const about = structuredClone(data)
  for (const path of Object.keys(rowById(row).row.identity ?? {})) {
    const [last = '', ...outer] = path.split('.').toReversed()
    const inside = (whole: Answer) => outer.toReversed().reduce((one, name) => one?.[name], whole)
    if (inside(about) !== undefined) inside(about)[last] = inside(own)?.[last]
  }
  return about
}

/** All that a line brings before people who press what they can, its card included. A change is made in a world where nothing was done yet. */
const shownBy = async (row: RowId, line: string, data: unknown): Promise<string> => {
  const isRead =
    !/^(subscriber update|campaign send|list (create|remove)|contact update|message|upgrade)/.test(line)
  const { front, bot } = isRead ? readers : await openBot()
  front.replace = ({ method }, own) =>
    (method === 'GET') === isRead ? aboutTheSame(row, data, own) : undefined
  if (!isRead) {
    const { preview, outcome } = await bot.run(line)
    return [
      textOfView(preview, { isWhole: true }),
      outcome?.message,
      outcome?.view && textOfView(outcome.view, { details: true }),
    ].join('\n')
  }
  const reply = await bot.say(line, 'fay')
  if (reply.kind !== 'answer') throw new Error(`${line}: ${JSON.stringify(reply)}`)
  const columns = reply.view.actions?.find(({ verb }) => verb === 'file')
  const file = columns && (await bot.press('file', columns.id, 'fay'))
  return [
    textOfView(reply.view, { details: true }),
    reply.file?.content,
    file?.kind === 'answer' && file.file?.content,
    reply.view.actions?.map(({ verb }) => verb),
  ].join('\n')
}

/** What a line shows of the row's answer, as it is or with some of the plain fields changed. */
const shownOf = async (
  row: RowId,
  line: Case[2][number],
  isChanged?: (path: string) => boolean,
): Promise<string> => {
  const { data } = sampleOf(rowById(row).row.answer, isChanged)
  const [words, of] = typeof line === 'string' ? [line, (answer: Answer) => answer] : line
  return (await shownBy(row, words, of(data))).replaceAll(',', '')
}

/** `subscribers.email` is the email of a subscriber. */
const fieldOf = (records: Record<string, string>, path: string): string => {
  const [part] = Object.keys(records)
    .filter((one) => one === '' || path.startsWith(`${one}.`))
    .toSorted((one, other) => other.length - one.length)
  return `${records[part ?? '']}: ${part ? path.slice(part.length + 1) : path}`
}

test('every row whose answer is documented is looked at', () => {
  const shapes = (ids: readonly RowId[]) => new Set(ids.map((one) => rowById(one).row.answer))
  const documented = allRows().flatMap(({ id: one, row }) => (row.shown ? one : []))
  const looked = shapes(cases.map(([row]) => row))
  expect(documented.filter((one) => !looked.has(rowById(one).row.answer))).toEqual(['billing.refundPayment'])
})

test('the fields that no command shows are those that the page of services names, and no others', async () => {
  const seen = new Map<string, boolean>()
  /** What an answer repeats of its request is no news. */
  const repeated = new Set<string>()
  for (const [row, records, lines] of cases) {
    const { marks, plain } = sampleOf(rowById(row).row.answer)
    for (const line of lines) {
      const see = (path: string, isShown: boolean) => {
        const field = fieldOf(records, path)
        seen.set(field, (seen.get(field) ?? false) || isShown)
      }
      const text = await shownOf(row, line)
      for (const path of Object.keys(rowById(row).row.identity ?? {})) repeated.add(fieldOf(records, path))
      for (const [path, mark] of marks) see(path, text.includes(mark))
      const isAnyShown = plain.length > 0 && (await shownOf(row, line, () => true)) !== text
      for (const path of plain) {
        see(path, isAnyShown && (await shownOf(row, line, (one) => one === path)) !== text)
      }
    }
  }
  const never = [...seen].flatMap(([field, isShown]) => (isShown || repeated.has(field) ? [] : field))
  const named = unshownFields.flatMap(({ record, fields }) => fields.map((field) => `${record}: ${field}`))
  const isUnder = (name: string) => (field: string) =>
    name.endsWith('.*') ? field.startsWith(name.slice(0, -1)) : field === name
  // What is named as a whole is not shown at all.
  const whole = (name: string) => [...seen.keys()].filter(isUnder(name))
  expect(never.filter((field) => !named.some((name) => isUnder(name)(field)))).toEqual([])
  expect(
    named.filter((name) => whole(name).length === 0 || whole(name).some((field) => seen.get(field))),
  ).toEqual([])
})
