import { setTimeout as sleep } from 'node:timers/promises'
import { isEnded } from '../../src/kernel/law/law.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { defined } from '../../src/lib/defined.ts'
import { type Person as DiscordPerson, labelsOf } from '../../test/discord/fake/person.ts'
import { allComponents } from '../../test/discord/fake/rules.ts'
import type { FakeMessage as DiscordMessage } from '../../test/discord/fake/state.ts'
import type { Person as SlackPerson } from '../../test/slack/fake/person.ts'
import { buttonsIn } from '../../test/slack/fake/reading.ts'
import type { FakeMessage as SlackMessage } from '../../test/slack/fake/state.ts'
import { pick } from '../random.ts'
import { type Fleet, rooms, ticketsIn } from './fleet.ts'

export type People = {
  asks: { slack: SlackPerson; discord: DiscordPerson }
  decides: { slack: SlackPerson; discord: DiscordPerson }
}

export const peopleOf = ({ slack, discord }: Fleet): People => ({
  asks: {
    slack: slack.person('U0SUPPORT', { name: 'sam' }),
    discord: discord.person('400000000000000001', 'Sam'),
  },
  decides: {
    slack: slack.person('U0FINANCE', { name: 'fay' }),
    discord: discord.person('400000000000000003', 'Finn'),
  },
})

export type ConversationResult = {
  description: string
  change: Change | undefined
  pressed: boolean
  answered: boolean
}

/**
 * Somebody asks for a refund, or a voucher of the pack from outside, and two people approve it at the same moment, one in each messenger. Everything is delivered
 * several times, to whichever replica comes; what is not answered is tried again, as people do.
 */
export const converse = async (
  fleet: Fleet,
  people: People,
  {
    number,
    random,
    patienceMs,
    isAsked = false,
  }: { number: number; random: () => number; patienceMs: number; isAsked?: boolean },
): Promise<ConversationResult> => {
  const platform = pick(random, ['slack', 'discord'] as const)
  const money = number % 3 === 2 ? voucherOf(fleet, number) : refundOf(fleet, number)
  let description = ''
  let change: Change | undefined
  let answered = false
  for (let attempt = 1; attempt <= 3 && change === undefined; attempt++) {
    description = `conversation ${number}.${attempt}`
    answered = (await ask(fleet, people, { platform, money, description, random })) || answered
    change = await within(patienceMs, () => changeBy(fleet, description))
  }
  if (change === undefined) return { description, change, pressed: false, answered }
  const { id } = change
  let pressed = false
  // Nobody is to decide it yet: only its card is waited for.
  if (isAsked) {
    await within(patienceMs, async () => cardsOf(fleet, id))
    return { description, change, pressed, answered }
  }
  for (let attempt = 1; attempt <= 6; attempt++) {
    const cards = await within(patienceMs, async () => cardsOf(fleet, id))
    if (cards !== undefined) {
      pressed = true
      await press(fleet, people, cards, random)
    }
    const ended = await within(patienceMs, async () => {
      const now = await fleet.store.changes.get(id).catch(() => null)
      return now !== null && now.state !== 'pending' ? now : undefined
    })
    if (ended !== undefined) break
  }
  return { description, change, pressed, answered }
}

/** Waits for every change to come to its end and every card to show it. */
export const waitUntilSettled = async ({ store }: Fleet, withinMs: number): Promise<Change[]> => {
  for (const until = Date.now() + withinMs; ; await sleep(250)) {
    const look = async () => {
      const changes = await allChanges(store)
      const { cards = 0, tell = 0, apply = 0 } = await store.tasks.pending()
      return { changes, isOver: cards + tell + apply === 0 && changes.every(({ state }) => isOver(state)) }
    }
    const seen = await look().catch(() => undefined)
    if (seen?.isOver) return seen.changes
    if (Date.now() > until) return seen?.changes ?? []
  }
}

/** However many there are. */
const allChanges = async (store: Store): Promise<Change[]> => {
  const found: Change[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await store.changes.list({ limit: 500, ...(last && { before: last }) })
    found.push(...page)
    if (page.length < 500) return found
  }
}

/** Messages anywhere that still offer a decision. */
export const openCards = (fleet: Fleet): string[] => [
  ...openOnSlack(fleet).map(({ channel, ts }) => `slack ${channel} ${ts}`),
  ...openOnDiscord(fleet).map(({ channel, id }) => `discord ${channel} ${id}`),
]

/** Somebody who may decide says yes wherever that still stands. */
export const pressOpenCards = async (fleet: Fleet, { decides }: People): Promise<void> => {
  await Promise.all([
    ...openOnSlack(fleet).map(async (on) => {
      const yes = buttonsIn(on.blocks).find(({ label }) => isYes(label))
      if (yes !== undefined) await decides.slack.clicks(yes.label, { on }).catch(() => undefined)
    }),
    ...openOnDiscord(fleet).map(async (message) => {
      const yes = labelsOf(message).find(isYes)
      if (yes === undefined) return
      await fleet.discord.deliver(decides.discord.pressPayload(message, yes)).catch(() => undefined)
    }),
  ])
}

const openOnSlack = ({ slack }: Fleet): SlackMessage[] =>
  slack.state.messages.filter(
    ({ isDeleted, blocks }) => !isDeleted && buttonsIn(blocks).some(({ label }) => isDecision(label)),
  )

const openOnDiscord = ({ discord }: Fleet): DiscordMessage[] =>
  [...discord.state.messages.values()].filter((message) =>
    labelsOf(message).some((label) => isDecision(label)),
  )

/** The label of a decision may say the sum too. */
const isDecision = (label: string): boolean => /^(Approve|Reject|Confirm)\b/.test(label)

/** Of what waited when votes were lost, also what its requester had to say yes to. */
const isYes = (label: string): boolean => /^(Approve|Confirm)\b/.test(label)

export const isApprove = (label: string): boolean => /^Approve\b/.test(label)

const isOver = (state: Change['state']): boolean => isEnded(state) || state === 'pending'

/** A way to move money: as a line, as options, and the word under which it has what the requester says. */
type Money = {
  command: string
  about: { name: string; id: string }
  words: 'description' | 'reason'
  customer?: string
}
type Ask = { platform: 'slack' | 'discord'; money: Money; description: string; random: () => number }

/** True when the platform got an answer in time at least once. */
const ask = async (fleet: Fleet, { asks }: People, { platform, money, description, random }: Ask) => {
  const { command, about, words, customer } = money
  const times = 1 + Math.floor(random() * 3)
  if (platform === 'slack') {
    const line = `/${command} ${about.id} 20 --${words} "${description}"${customer === undefined ? '' : ` --customer ${customer}`}`
    const delivered = await asks.slack.types(line, rooms.slack, { times }).catch(() => undefined)
    return delivered?.status === 200
  }
  const options = { [about.name]: about.id, amount: 20, [words]: description, ...defined({ customer }) }
  const payload = asks.discord.payload(rooms.discord, command, options)
  await deliverDiscord(fleet, payload, times, random)
  // A copy that came over HTTP may be done with before the first, from the gateway, is answered.
  const answer = async () => fleet.discord.state.interactions.get(String(payload.token))?.answered
  return (await within(3_000, answer)) !== undefined
}

type Cards = { slack: SlackMessage | undefined; discord: DiscordMessage | undefined }

const press = async (
  fleet: Fleet,
  { decides }: People,
  cards: Cards,
  random: () => number,
): Promise<void> => {
  const work: Promise<unknown>[] = []
  const times = 1 + Math.floor(random() * 5)
  if (cards.slack !== undefined) {
    work.push(decides.slack.clicks('Approve', { on: cards.slack, times }).catch(() => undefined))
  }
  if (cards.discord !== undefined) {
    const payload = decides.discord.pressPayload(cards.discord, 'Approve')
    work.push(deliverDiscord(fleet, payload, times, random))
  }
  await Promise.all(work)
}

/** Over HTTP as a rule, over the gateway now and then, and sometimes over both. */
const deliverDiscord = async (
  { discord }: Fleet,
  payload: Record<string, unknown>,
  times: number,
  random: () => number,
): Promise<void> => {
  if (random() < 0.3) discord.gateway.dispatch('INTERACTION_CREATE', payload)
  await Promise.all(Array.from({ length: times }, () => discord.deliver(payload).catch(() => undefined)))
}

const refundOf = ({ sandbox }: Fleet, number: number): Money => {
  const { transactions } = sandbox.state.billing
  const [first] = transactions
  if (first === undefined) throw new Error('the sandbox has no payments')
  const id = `pay_proof_${number}`
  if (!transactions.some((one) => one.id === id)) {
    transactions.push({ ...first, id, amount: 1_000, refunded_amount: 0 })
  }
  return {
    command: 'refund',
    about: { name: 'payment-id', id },
    words: 'description',
    customer: first.customer_id,
  }
}

const voucherOf = ({ sandbox }: Fleet, number: number): Money => {
  const all = ticketsIn(sandbox).tickets
  const id = `tic_proof_${number}`
  if (all[0] !== undefined && !all.some((one) => one.id === id)) all.push({ ...all[0], id })
  return { command: 'ticket voucher', about: { name: 'id', id }, words: 'reason' }
}

/** What the requester said that it is for, which tells one request from every other. */
export const saidIn = ({ input }: Pick<Change, 'input'>): string => String(input.description ?? input.reason)

const changeBy = async ({ store }: Fleet, description: string): Promise<Change | undefined> => {
  // It is among the newest: no more are asked for at a time than people who ask at once.
  const changes = await store.changes.list({ limit: 50 }).catch(() => [])
  return changes.find((change) => saidIn(change) === description)
}

/** The copies of the card in the approvals channels that can be pressed now. */
export const cardsOf = ({ slack, discord }: Fleet, id: string): Cards | undefined => {
  const onSlack = slack.state.messages.findLast(
    ({ channel, blocks, isDeleted }) =>
      !isDeleted &&
      channel === rooms.slackApprovals &&
      JSON.stringify(blocks).includes(id) &&
      buttonsIn(blocks).some(({ label }) => isApprove(label)),
  )
  const onDiscord = [...discord.state.messages.values()].findLast(
    (message) =>
      message.channel === rooms.discordApprovals &&
      allComponents(message.body.components).some(({ custom_id }) => String(custom_id ?? '').includes(id)) &&
      labelsOf(message).some(isApprove),
  )
  return onSlack === undefined && onDiscord === undefined ? undefined : { slack: onSlack, discord: onDiscord }
}

const within = async <T>(ms: number, look: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (const until = Date.now() + ms; ; await sleep(80)) {
    const found = await look()
    if (found !== undefined || Date.now() > until) return found
  }
}
