import { z } from 'zod'
import { isRawFile, type Raw, type RawFile } from '../../src/kernel/command/line/coerce.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { isCardCopy } from '../../src/kernel/messenger/card-copy.ts'
import type { FetchFile, Inbound, Intent, Reply, Sender } from '../../src/kernel/messenger/inbound.ts'
import { defined } from '../../src/lib/defined.ts'
import { ok } from '../../src/lib/result.ts'
import { askedWordsOf, isInPlace, verbs } from '../../src/lib/view/button-labels.ts'
import { actionsIn, type Verb, verbSchema } from '../../src/lib/view/view.ts'
import { type ConsoleMessage, type Conversation, isVisibleTo } from './conversation.ts'
import { consoleAddressOf } from './messenger.ts'

export type Persona = { id: string; name: string; roles: readonly string[] }

/** Made by the page, so that a request sent twice is handled once. */
export const delivery = z.uuid()
const maxText = 50_000
const text = z.string().max(maxText)

/** A file as the page reads it. It is decoded once it is known that its sender may run the command. */
const file = z.object({ name: z.string().max(255), base64: z.string() })
type SentFile = z.infer<typeof file>

const fetchOf =
  ({ name, base64 }: SentFile): FetchFile =>
  async () =>
    ok<RawFile>({ name, bytes: Buffer.from(base64, 'base64') })

/** A page of its own shows the answer, in the place of the one before. */
const page = z.enum(['people', 'scheduled', 'waiting-for-time', 'reports'])
export const lineSchema = z.object({
  as: z.string(),
  delivery,
  line: text,
  file: file.optional(),
  page: page.optional(),
})
export const pressSchema = z.object({
  as: z.string(),
  delivery,
  verb: verbSchema,
  /** One, or all that were marked. */
  id: z.string().max(2_000),
  reason: z.string().max(2_000).optional(),
  /** The message whose button it was. */
  message: z.string().max(100).optional(),
})
export const formSchema = z.object({
  as: z.string(),
  delivery,
  command: z.string().max(100),
  values: z.record(
    z.string().max(100),
    z.union([text, z.number(), z.boolean(), z.array(text).max(1_000), file]),
  ),
})

export type Actions = {
  say(persona: Persona, input: z.infer<typeof lineSchema>): Promise<unknown>
  press(persona: Persona, input: z.infer<typeof pressSchema>): Promise<unknown>
  submit(persona: Persona, input: z.infer<typeof formSchema>): Promise<unknown>
}

/** What people do in the page, as deliveries to the core. Answers go into the conversation; the page is told what to open. */
export const createActions = (
  bot: Pick<Bot, 'handle' | 'groupsNow' | 'cards'>,
  conversation: Conversation,
): Actions => {
  const deliver = async (
    persona: Persona,
    id: string,
    intent: Intent,
    attached: Record<string, SentFile> = {},
    pressedOn?: string,
  ): Promise<Reply> => {
    const files = Object.entries(attached).map(([name, sent]) => [name, fetchOf(sent)])
    const from = await senderOf(bot, persona)
    return bot.handle({ ...inboundOf(from, id, intent), attached: Object.fromEntries(files), pressedOn })
  }

  const show = async (persona: Persona, reply: Reply, replacing?: string): Promise<unknown> => {
    const shown = showReply(conversation, persona, reply, replacing)
    const { message } = Object(shown) as { message?: string }
    if (reply.kind === 'answer' && message !== undefined && isCardCopy(reply.view))
      await bot.cards.keep('console', reply.view, consoleAddressOf(message))
    return shown
  }

  return {
    say: async (persona, { delivery: id, line, file: attached, page: onPage }) => {
      const lineId = `line-${persona.id}-${id}`
      if (onPage === undefined && conversation.get(lineId) === undefined) {
        conversation.put({ id: lineId, to: persona.id, by: authorOf(persona), body: { kind: 'line', line } })
      }
      const reply = await deliver(persona, id, { kind: 'line', line }, defined({ file: attached }))
      return show(persona, toldToDecider(reply), onPage && pageMessage(conversation, persona, onPage))
    },
    press: async (persona, { delivery: id, message, ...press }) => {
      const on = message === undefined ? undefined : conversation.get(message)
      const isOnIt = on !== undefined && isVisibleTo(on, persona.id) && hasButton(on, press)
      const reply = await deliver(
        persona,
        id,
        { kind: 'press', ...press },
        {},
        isOnIt ? consoleAddressOf(on.id) : undefined,
      )
      return show(persona, reply, isInPlace(press.verb) ? message : undefined)
    },
    submit: async (persona, { delivery: id, command, values }) => {
      const files = Object.entries(values).flatMap(([name, value]) =>
        isSentFile(value) ? [[name, value] as const] : [],
      )
      const typed = Object.entries(values).flatMap(([name, value]) =>
        isSentFile(value) ? [] : [[name, value] as const],
      )
      const intent: Intent = { kind: 'form', command, values: Object.fromEntries(typed) }
      const reply = await deliver(persona, id, intent, Object.fromEntries(files))
      if (reply.kind !== 'refused') return show(persona, reply)
      // The form stays open with what was typed, and says itself what is wrong.
      const { message, next, field } = reply.refusal
      return { kind: 'refused', message, next, field: field ?? null }
    },
  }
}

/** The message that is the answer on a page of one person. */
const pageMessage = (conversation: Conversation, { id: person }: Persona, page: string): string =>
  conversation.put({
    id: `page-${page}-${person}`,
    to: person,
    by: null,
    page,
    body: { kind: 'view', view: { title: 'One moment', tone: 'plain', blocks: [] } },
  }).id

/** What the page says was pressed is only believed of a button that is there. */
const hasButton = ({ body }: ConsoleMessage, { verb, id }: { verb: Verb; id: string }): boolean =>
  body.kind === 'view' && actionsIn(body.view).some((one) => one.verb === verb && one.id === id)

const isSentFile = (value: Raw | SentFile): value is SentFile =>
  typeof value === 'object' && 'base64' in value

/** With the roles that their messengers' groups give them now: it is the same person. */
export const senderOf = async (
  { groupsNow }: Pick<Bot, 'groupsNow'>,
  { id, name }: Persona,
): Promise<Sender> => ({
  platform: 'console',
  account: id,
  name,
  groups: await groupsNow({ platform: 'console', account: id }),
})

/** A conversation with the bot alone; cards that need other people are shown to all of them. */
export const inboundOf = (from: Sender, delivered: string, intent: Intent): Inbound => ({
  delivery: delivered,
  from,
  // The answer is the acknowledgement, and the page sends again what was not answered: a change then counts once.
  taken: true,
  place: { channel: 'console', handle: null, direct: true },
  forms: true,
  canBeAsked: true,
  intent,
})

/** Who decides by a line has no card before them, so they read what became of it. */
const toldToDecider = (reply: Reply): Reply =>
  reply.kind === 'change' && reply.isDecided
    ? { kind: 'answer', command: reply.change.command, view: { ...reply.view, actions: [] } }
    : reply

const showReply = (
  conversation: Conversation,
  persona: Persona,
  reply: Reply,
  replacing?: string,
): unknown => {
  switch (reply.kind) {
    case 'answer': {
      const before = replacing === undefined ? undefined : conversation.get(replacing)
      const isTheirs = before !== undefined && before.to !== null && isVisibleTo(before, persona.id)
      const { id } = conversation.put({
        ...(isTheirs ? { id: before.id, at: before.at } : {}),
        to: persona.id,
        by: null,
        body: { kind: 'view', view: reply.view },
        ...defined({ file: reply.file }),
      })
      return { kind: 'shown', message: id, title: reply.view.title }
    }
    case 'refused': {
      if (reply.refusal.url !== undefined) return { kind: 'go', url: reply.refusal.url }
      const page = replacing === undefined ? undefined : conversation.get(replacing)?.page
      const { id } = conversation.put({
        ...defined({ id: page && replacing }),
        to: persona.id,
        by: null,
        body: { kind: 'view', view: reply.view },
      })
      return { kind: 'shown', message: id, title: reply.refusal.message }
    }
    case 'share': {
      const { actions: _, ...view } = reply.view
      const { id } = conversation.put({
        to: null,
        by: authorOf(persona),
        command: reply.command,
        body: { kind: 'view', view },
      })
      return { kind: 'shown', message: id }
    }
    case 'form':
      return { kind: 'form', form: { ...reply.form, values: withoutFiles(reply.form.values) } }
    case 'reason':
      return {
        kind: 'reason',
        verb: reply.verb,
        id: reply.id,
        title: reply.title,
        label: verbs[reply.verb].label,
        asks: askedWordsOf(reply.verb),
      }
    // The worker posts and edits the card.
    case 'change':
    case 'repeated':
      return { kind: reply.kind }
  }
}

/** The page still has the file that it sent. */
const withoutFiles = (values: Record<string, Raw>): Record<string, Raw> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isRawFile(value)))

const authorOf = ({ id, name }: Persona) => ({ id, name })
