import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { pack as tickets } from '../../examples/tickets/index.ts'
import { actorOf, partyOf } from '../../src/kernel/actors/authorization.ts'
import type { Command } from '../../src/kernel/command/define.ts'
import type { Raw } from '../../src/kernel/command/line/coerce.ts'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { commandLineOf } from '../../src/kernel/command/line/print.ts'
import type { Candidate } from '../../src/kernel/command/pack.ts'
import { besideParams, isThingKind, type Param } from '../../src/kernel/command/params.ts'
import type { Intent, Reply } from '../../src/kernel/messenger/inbound.ts'
import { thingsOfKind } from '../../src/kernel/things/sources.ts'
import { allKinds, traitsOf } from '../../src/lib/things/kinds.ts'
import { refusalLine } from '../../src/lib/view/refusals.ts'
import type { ThingKind } from '../../src/lib/view/thing.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { addSchedule } from '../storage/rows.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann Archer, roles: [all] }
  - { id: finn, name: Finn Finance, roles: [all] }
  - { id: fay, name: Fay Finance, roles: [all] }
agents:
  - { id: helper, name: Helper, owner: ann, roles: [all], token: { env: HELPER_TOKEN } }
roles:
  all: { run: ["*"], approve: ["*"] }
links: { customer: billing_id, customersWrite: [] }
unseen: pass
`

const bot = await openTestApp({ policy, packs: [tickets], tasks: false, secretOf: () => 'x' })
const { core } = bot.app
const actor = actorOf(core.policy, fromOf('ann'))

// Two of a kind that share a part of their names, where the seed has none.
Object.assign(bot.sandbox.state.billing.addons[2] ?? {}, { name: 'Priority training' })
Object.assign(bot.sandbox.state.email.lists[1] ?? {}, { name: 'Beta abroad' })

// What was looked up is offered: no endpoint lists customers, payments or subscriptions.
for (const line of ['person get ada@example.com', 'transaction find cus_1001', 'contact find'])
  await bot.say(line, 'ann')
for (const [id, customer] of [
  ['pay_1003', 'cus_1002'],
  ['pay_1005', 'cus_1003'],
])
  await bot.say(`refund ${id} 10 --customer ${customer}`, 'finn')
await bot.say('upgrade sub_1001 plan_desk_business_m --payment-mode offline --customer-id cus_1001', 'finn')
const job = await bot.say('campaign send cmp_welcome --tags beta', 'ann')
if (job.kind === 'change') await bot.press('confirm', job.change.id, 'ann')

await addSchedule(bot.store, { id: 'sch1234567', by: partyOf(actor), line: 'report refunds' })
for (const line of ['schedule find', 'audit find']) await bot.say(line, 'ann')

const things = new Map<ThingKind, Candidate[]>()
for (const kind of allKinds())
  things.set(kind, await thingsOfKind(core, actor, kind, { typed: '', within: [] }))

/** Ada's where it is somebody's, so that addresses and numbers lead to it; of colleagues, not who asks. */
const sampleOf = (kind: ThingKind): Candidate => {
  const all = things.get(kind) ?? []
  const own = all.find(({ id, name }) => name && /1001$|^ada@|0{11}1$|^finn$/.test(id))
  const one = own ?? all.find(({ name }) => name) ?? all[0]
  if (one === undefined) throw new Error(`there is no ${kind} to try`)
  return one
}

const isPersons = (kind: ThingKind): boolean =>
  traitsOf(kind).knownBy !== undefined || traitsOf(kind).perPerson !== undefined

/** Two letters in the middle of the longest word, swapped. */
const misspelt = (name: string): string => {
  const [word = ''] = name.split(/[^\p{L}]+/u).toSorted((one, other) => other.length - one.length)
  const at = [...word].findIndex((letter, index) => index > 0 && letter !== word[index + 1])
  const slip = `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`
  return word.length < 4 || at > word.length - 2 ? '' : name.replace(word, slip)
}

/** What words of the names of a few of them begin with, and that is nobody's whole name. */
const shared = (kind: ThingKind): string => {
  if (traitsOf(kind).money) return ''
  const names = [...new Set(things.get(kind)?.flatMap(({ name }) => name?.toLowerCase() ?? []))]
  const words = names.flatMap((name) => name.split(/\s+/)).filter((word) => /^\p{L}{3,}$/u.test(word))
  const fits = (word: string) => names.filter((name) => isBegun(name, word)).length
  return words.find((word) => !names.includes(word) && fits(word) > 1 && fits(word) < 20) ?? ''
}

const isBegun = (name: string, word: string): boolean =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((one) => one.startsWith(word))

const ways = {
  id: (kind: ThingKind) => sampleOf(kind).id,
  name: (kind: ThingKind) => sampleOf(kind).name ?? '',
  person: (kind: ThingKind) => (isPersons(kind) ? 'Ada Lindqvist' : ''),
  address: (kind: ThingKind) => (isPersons(kind) ? 'ada@example.com' : ''),
  number: (kind: ThingKind) => (isPersons(kind) ? '+15550110000' : ''),
  near: (kind: ThingKind) => (isPersons(kind) ? 'Ada Lindqvits' : misspelt(sampleOf(kind).name ?? '')),
  several: shared,
  none: () => 'Zzyzzyva Quux',
}
type Way = keyof typeof ways

/** What a kind has not, and why. */
const missing: Readonly<Record<string, string>> = {
  'product name': 'no documented answer that could be read says what a product is called',
  'product near': 'so nothing is near its name',
  'product several': 'nor is a name shared',
  'subscription name': 'a subscription has no name: people go by whose it is',
  'subscription several': 'those of one person are a choice, under person',
  'customer several':
    'a customer goes by an address, which two do not share; linked.test.ts has two of one address',
  'audit export who none': 'the log has people whom bellhop.yml no longer lists',
  'audit find who none': 'the log has people whom bellhop.yml no longer lists',
  'bellhop sessions of none': 'sessions of people whom bellhop.yml no longer lists are ended too',
  'payment several': 'payments go by sum, day and invoice; those of one person are a choice, under person',
  'change near': 'a change goes by a title with sums and ids in it, in which a slip is another change',
  'job name': 'a job goes by the title of its change',
  'job several': 'one job runs here',
  'schedule several': 'one look-up is scheduled here',
  'entry name': 'an entry goes by its number',
  'entry near': 'so nothing is near its name',
  'entry several': 'nor is a name shared',
  'ticket several': 'no word of two tickets begins alike',
}

type Position = { command: Command; param: Param; given: Record<string, Raw>; kind: ThingKind; title: string }

/** Every parameter that stands for a thing, with the values of an example around it; what all changes take, once. */
const positions = bot.registry.all.flatMap((command): Position[] => {
  const examples = command.examples
    .map((line) => parseLine(bot.registry, line))
    .flatMap((one) => (one.ok && one.value.missing.length === 0 ? [one.value.given] : []))
  return command.params.flatMap((param) => {
    const [kind] = param.kinds.filter(isThingKind)
    if (kind === undefined || (besideParams.includes(param) && command.name !== 'refund')) return []
    const given = examples.find((one) => one[param.name] !== undefined) ?? examples[0] ?? {}
    return [{ command, param, given, kind, title: `${command.name} ${param.flag}` }]
  })
})

/** Values beside it that fit what is tried. */
const besides: Readonly<Record<string, Record<string, Raw | undefined>>> = {
  'campaign send lists': { emails: undefined },
  'downgrade customer-id': { subscriptionId: 'sub_1001' },
  'license delete license-id': { productId: 'prod_desk' },
  'license delete product-id': { licenseId: 'lic_501' },
  'list move to': { from: 'lst_vip' },
  'multiplan create preferred-plan-id': {
    productId: 'prod_desk',
    plans: ['plan_desk_starter_m', 'plan_desk_team_m'],
  },
}

type Door = 'line' | 'form' | 'options' | 'agent'
/** How a value comes makes no difference to what it leads to: people are tried by one door each. */
const doorsFor = ({ personal, kind }: Command, way: Way): Door[] => {
  const agent: Door[] = personal || kind === 'decision' ? [] : ['agent']
  if (way === 'id' || way === 'address') return ['line']
  if (way === 'person' || way === 'number') return ['form']
  return ['line', ...(way === 'name' ? (['form'] as const) : []), 'options', ...agent]
}

let count = 0
const sayBy = async (
  door: Door,
  { command, param, given, title }: Position,
  typed: string,
): Promise<Reply> => {
  const all = { ...given, ...besides[title], [param.name]: param.type === 'list' ? [typed] : typed }
  const values = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ) as Record<string, Raw>
  const flagOf = (name: string) => command.params.find((one) => one.name === name)?.flag ?? name
  const byFlag = Object.fromEntries(Object.entries(values).map(([name, value]) => [flagOf(name), value]))
  const intent: Intent =
    door === 'line'
      ? { kind: 'line', line: commandLineOf(command.name, command.params, values) }
      : door === 'form'
        ? { kind: 'form', command: command.name, values }
        : { kind: 'options', command: command.name, values: byFlag }
  const from = door === 'agent' ? fromOf('helper', 'mcp') : fromOf('ann')
  const reply = await bot.handle({ delivery: `${title} ${++count}`, from, forms: false, intent })
  if (reply.kind === 'change') await bot.press('cancel', reply.change.id, 'ann')
  return reply
}

/** A choice for people; for programs, the same as a refusal. */
const choiceIn = (reply: Reply): string | undefined => {
  if (reply.kind === 'refused' && reply.refusal.code === 'bad_value')
    return /of these: |The nearest: /.test(refusalLine(reply.refusal))
      ? refusalLine(reply.refusal)
      : undefined
  if (reply.kind !== 'answer') return undefined
  const isAsked = reply.isChoice || reply.view.actions?.some(({ verb }) => verb === 'choose')
  return isAsked ? textOf(reply) : undefined
}

/** What came of it, without what differs each time. */
const cameTo = (reply: Reply): unknown => {
  if (reply.kind === 'change') return [reply.change.input, reply.change.also]
  if (reply.kind === 'refused') return [reply.refusal.code, reply.refusal.message]
  return textOf(reply)
}

const isWrong = (position: Position, way: Way, reply: Reply, byId: Reply): string | undefined => {
  const { command, kind, param } = position
  const { id, name = id } = sampleOf(kind)
  const choice = choiceIn(reply)
  const text = reply.kind === 'refused' ? refusalLine(reply.refusal) : textOf(reply)
  if (command.kind === 'decision') return reply.kind === 'refused' ? undefined : `decided: ${text}`
  if (way === 'none') {
    const isSaid = reply.kind === 'refused' && text.includes('Zzyzzyva Quux')
    return isSaid && /\b(?:find|list|lists|address|such as)\b/.test(refusalLine(reply.refusal))
      ? undefined
      : text
  }
  if (way === 'near') return choice?.includes(isPersons(kind) ? 'Ada Lindqvist' : name) ? undefined : text
  if (way === 'several') {
    const fitting = things.get(kind)?.filter(({ name = '' }) => isBegun(name, shared(kind))) ?? []
    return fitting.slice(0, 2).every((one) => choice?.includes(one.id)) ? undefined : text
  }
  if (param.by === 'number' && reply.kind === 'change' && byId.kind === 'change')
    return reply.change.preview.title === byId.change.preview.title ? undefined : text
  if (choice?.includes(id) || (param.kinds.length > 1 && reply.kind === byId.kind)) return undefined
  return isDeepStrictEqual(cameTo(reply), cameTo(byId)) ? undefined : `${text}\nBY ID: ${textOf(byId)}`
}

describe('a parameter that stands for a thing', () => {
  it('is tried for every kind, and each kind has something to try', () => {
    const kinds = new Set(positions.flatMap(({ param }) => param.kinds))
    expect([...kinds].filter(isThingKind).toSorted()).toEqual(allKinds().toSorted())
  })

  it.each(positions)('takes ids and names, and says what is near or missing: $title', async (position) => {
    const { command, kind, title } = position
    const states = async () =>
      (await bot.store.changes.list({ limit: 100, states: ['applied', 'rejected'] })).length
    const before = await states()
    // What was shown lately goes by its name: other answers of this table have pushed it out.
    if (kind === 'schedule') await bot.say('schedule find', 'ann')
    const byId = command.kind === 'decision' ? undefined : await sayBy('line', position, ways.id(kind))
    const wrong: string[] = []
    for (const way of Object.keys(ways) as Way[]) {
      const typed = ways[way](kind)
      if (typed === '') {
        const isNobodys = !isPersons(kind) && ['person', 'address', 'number'].includes(way)
        if (!isNobodys && missing[`${kind} ${way}`] === undefined) wrong.push(`${way}: nothing to try`)
        continue
      }
      if (missing[`${title} ${way}`] !== undefined) continue
      if (command.kind === 'decision' && !['near', 'several', 'none'].includes(way)) continue
      for (const door of doorsFor(command, way)) {
        const reply = await sayBy(door, position, typed)
        const why = isWrong(position, way, reply, byId ?? reply)
        if (why !== undefined) wrong.push(`${door}, ${way} "${typed}": ${why}`)
      }
    }
    expect(wrong.join('\n\n')).toBe('')
    expect(await states()).toBe(before)
  })
})
