import { randomUUID } from 'node:crypto'
import type { OutFile } from '../../src/kernel/command/define.ts'
import { discard } from '../../src/kernel/messenger/spool.ts'
import { isDecision } from '../../src/lib/view/button-labels.ts'
import type { Action, View } from '../../src/lib/view/view.ts'

/** Somebody's line or the bot's view, as one persona or everybody sees it. */
export type ConsoleMessage = {
  id: string
  at: number
  /** Only this persona sees it; `null`: everybody. */
  to: string | null
  /** Who said or shared it; `null`: the bot on its own. */
  by: { id: string; name: string } | null
  body: { kind: 'line'; line: string } | { kind: 'view'; view: View }
  /** It stands on a page of its own, and not in the conversation. */
  page?: string
  /** Of a shared answer, what was run: whoever could not have run it is not shown it. */
  command?: string
  file?: OutFile
  /** It was removed: pages no longer show it. */
  removed?: true
}

export type ConversationEvent = { id: string; message: ConsoleMessage }

/** What a page is given when it connects: what it missed, or everything if nobody can tell what that is. */
export type Resumed =
  | { kind: 'missed'; events: ConversationEvent[] }
  | { kind: 'all'; id: string; messages: ConsoleMessage[] }

export type Conversation = {
  /** Adds a message, or replaces the one that has this id. */
  put(message: Pick<ConsoleMessage, 'to' | 'by' | 'body'> & Partial<ConsoleMessage>): ConsoleMessage
  get(id: string): ConsoleMessage | undefined
  /** Removes a message, also from the pages that show it. */
  remove(id: string): void
  listen(person: string, listener: (event: ConversationEvent) => void): () => void
  resume(person: string, lastEvent: string | undefined): Resumed
  /** Lets go of the files that it still holds. */
  close(): Promise<void>
}

/** How much is kept in memory of what one person does: enough for a long day. Nobody's takes the place of another's. */
const maxMessages = 300
const maxEvents = 1_000
const maxFiles = 10

export const createConversation = (now: () => number): Conversation => {
  /** Event ids of another process mean nothing here. */
  const run = randomUUID().slice(0, 8)
  const messages = new Map<string, ConsoleMessage>()
  const events: (ConversationEvent & { seq: number })[] = []
  const listeners = new Set<{ person: string; tell: (event: ConversationEvent) => void }>()
  let seq = 0

  const forget = (owner: string): void => {
    const own = [...messages.values()].filter((message) => ownerOf(message) === owner)
    // What still waits for somebody goes last.
    const inOrder = own.toSorted((one, other) => Number(isOpen(one)) - Number(isOpen(other)))
    for (const { id, file } of inOrder.slice(0, Math.max(0, own.length - maxMessages))) {
      if (file !== undefined) void discard(file)
      messages.delete(id)
    }
    const withFile = own.filter(({ id, file }) => file !== undefined && messages.has(id))
    for (const { file, ...rest } of withFile.slice(0, -maxFiles)) {
      messages.set(rest.id, rest)
      if (file !== undefined) void discard(file)
    }
    if (events.length > maxEvents) events.splice(0, events.length - maxEvents)
  }

  const put: Conversation['put'] = (given) => {
    const id = given.id ?? randomUUID()
    const message: ConsoleMessage = { at: now(), ...messages.get(id), ...given, id }
    messages.set(id, message)
    seq += 1
    const event = { id: `${run}.${seq}`, seq, message }
    events.push(event)
    forget(ownerOf(message))
    for (const { person, tell } of listeners) if (isVisibleTo(message, person)) tell(event)
    return message
  }

  return {
    put,
    get: (id) => messages.get(id),
    remove: (id) => {
      const message = messages.get(id)
      if (message === undefined) return
      put({ ...message, removed: true })
      messages.delete(id)
    },
    listen: (person, tell) => {
      const listener = { person, tell }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      const files = [...messages.values()].flatMap(({ file }) => file ?? [])
      await Promise.all(files.map(discard))
    },
    resume: (person, lastEvent) => {
      const [from, number] = lastEvent?.split('.') ?? []
      const last = Number(number)
      const oldest = events[0]?.seq ?? seq + 1
      if (from === run && last >= oldest - 1 && last <= seq) {
        return {
          kind: 'missed',
          events: events.filter((event) => event.seq > last && isVisibleTo(event.message, person)),
        }
      }
      const visible = [...messages.values()].filter((message) => isVisibleTo(message, person))
      return { kind: 'all', id: `${run}.${seq}`, messages: visible }
    },
  }
}

/** By whose doing a message is there: who asked for the change that it shows, else whose conversation it is part of. */
const ownerOf = ({ body, to, by }: ConsoleMessage): string => {
  const change = body.kind === 'view' ? body.view.change : undefined
  return change === undefined ? `talk ${to ?? by?.id ?? ''}` : `changes ${change.requester}`
}

const isOpen = ({ body }: ConsoleMessage): boolean =>
  body.kind === 'view' && body.view.change !== undefined && (body.view.actions ?? []).some(isDecisionOn)

const isDecisionOn = ({ verb }: Action): boolean => isDecision(verb)

/** Whether it is addressed to this person; what it shows may still be nothing for them. */
export const isVisibleTo = ({ to }: Pick<ConsoleMessage, 'to'>, person: string): boolean =>
  to === null || to === person
