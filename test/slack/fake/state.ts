import type { FakeBlock, FakeModal } from './blocks.ts'

export type FakeUser = {
  id: string
  name: string
  team: string
  isDeactivated: boolean
  hasClosedDm: boolean
}
export type FakeChannel = {
  id: string
  members: Set<string>
  isArchived: boolean
  /** What Slack says to whoever posts there, such as `restricted_action`. */
  refuses?: string
}

export type FakeMessage = {
  channel: string
  ts: string
  text: string
  blocks: FakeBlock[]
  /** Only this user sees it. */
  onlyFor: string | undefined
  thread: string | undefined
  edits: number
  isDeleted: boolean
  /** Posted through a response_url: the bot may not be in the channel. */
  isResponse: boolean
  /** What an app has unfurled in it. */
  entities?: Record<string, unknown>[]
}

export type FakeView = {
  id: string
  hash: string
  user: string
  view: FakeModal
  errors: Record<string, string>
}

export type FakeResponseUrl = {
  id: string
  at: number
  uses: number
  channel: string
  user: string
  /** The message that a replacement replaces. */
  original: FakeMessage | undefined
}

export type FakeCall = { method: string; args: Record<string, unknown>; ok: boolean }
export type FakeFile = { id: string; name: string; channel: string | undefined; content: string }

/** One run of a step of ours. */
export type FakeExecution = {
  id: string
  step: string
  token: string
  at: number
  ended: { outputs: Record<string, unknown> } | { error: string } | undefined
}

/** A workspace with one app in it. */
export type FakeState = {
  team: string
  bot: string
  botToken: string
  appToken: string
  signingSecret: string
  scopes: Set<string>
  users: Map<string, FakeUser>
  channels: Map<string, FakeChannel>
  groups: Map<string, string[]>
  /** The time zones in the profiles of people. */
  zones: Map<string, string>
  messages: FakeMessage[]
  /** Newer blocks that this workspace does not have yet. */
  refusedBlocks: Set<string>
  modals: FakeView[]
  homes: Map<string, FakeBlock[]>
  responseUrls: Map<string, FakeResponseUrl>
  triggers: Map<string, { user: string; at: number; isUsed: boolean }>
  /** Which thing a press was about, by its trigger, and what the app then showed. */
  panes: Map<string, { id: string; user: string; shown: Record<string, unknown> | undefined }>
  files: FakeFile[]
  /** Runs of steps of ours in workflows. */
  executions: Map<string, FakeExecution>
  calls: FakeCall[]
  /** Answers to give instead, by method; the first of the list is used up. */
  faults: Map<string, FakeFault[]>
  origin: string
  /** Other workspaces that the same app can be installed in, each with a token of its own. */
  others: FakeState[]
  /** The organization of this workspace, whose token is for all of its workspaces. */
  organization?: { id: string; token: string }
  /** How the app is installed elsewhere: codes that were given out, each for one exchange. */
  oauth: {
    clientId: string
    clientSecret: string
    codes: Map<string, { id: string; redirectUri: string; rotates: boolean }>
  }
  /** Tokens that were given back or taken away. */
  revoked: Set<string>
  /** How far the workspace's clock is ahead. */
  ahead: number
  serial: number
}

export type FakeFault = { status: number; retryAfter?: number; error?: string }

export const now = (state: FakeState): number => Date.now() + state.ahead
export const nextId = (state: FakeState, prefix: string): string =>
  `${prefix}${String(++state.serial).padStart(6, '0')}`
/** The newest of each workspace: what one posts in a future of its own moves no time of the others. */
const newest = new WeakMap<FakeState, number>()
let workspaces = 0
const apart = 8
/** When it was posted, in microseconds: another for each message of as many workspaces as a test has. */
export const nextTs = (state: FakeState): string => {
  const before = newest.get(state) ?? workspaces++ % apart
  const ts = Math.max(before + apart, now(state) * 1_000 + (before % apart))
  newest.set(state, ts)
  const digits = String(ts)
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

export const createState = (): FakeState => ({
  team: 'T0HOME',
  bot: 'U0BELLHOP',
  botToken: 'xoxb-test',
  appToken: 'xapp-test',
  signingSecret: 'test-signing-secret',
  scopes: new Set(),
  users: new Map(),
  channels: new Map(),
  groups: new Map(),
  zones: new Map(),
  executions: new Map(),
  panes: new Map(),
  messages: [],
  refusedBlocks: new Set(),
  modals: [],
  homes: new Map(),
  responseUrls: new Map(),
  triggers: new Map(),
  files: [],
  calls: [],
  faults: new Map(),
  origin: '',
  others: [],
  oauth: { clientId: '111.222', clientSecret: 'client-secret', codes: new Map() },
  revoked: new Set(),
  ahead: 0,
  serial: Math.floor(Math.random() * 1000) * 1000,
})

export const dmOf = (user: string): string => `D${user.slice(1)}`

export const newTrigger = (state: FakeState, user: string): string => {
  const id = `${nextId(state, '13')}.${Math.random().toString(36).slice(2)}`
  state.triggers.set(id, { user, at: now(state), isUsed: false })
  return id
}

/** A file that somebody put into a message or a form, as payloads describe it. */
export const shareFile = (state: FakeState, name: string, content: string) => {
  const id = nextId(state, 'F')
  state.files.push({ id, name, channel: undefined, content })
  return describeFile(state, id)
}

export const describeFile = (state: FakeState, id: string) => ({
  id,
  name: state.files.find((file) => file.id === id)?.name,
  url_private_download: `${state.origin}/file/${id}`,
})

export const newResponseUrl = (
  state: FakeState,
  channel: string,
  user: string,
  original?: FakeMessage,
): string => {
  const id = nextId(state, 'R')
  state.responseUrls.set(id, { id, at: now(state), uses: 0, channel, user, original })
  return `${state.origin}/response/${id}`
}
