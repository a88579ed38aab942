import { generateKeyPairSync, randomBytes } from 'node:crypto'

export type Json = Record<string, unknown>

export type FakeMessage = {
  id: string
  channel: string
  body: Json
  flags: number
  /** Only this account sees it. */
  onlyFor: string | null
  files: Record<string, Uint8Array>
  edits: number
  /** A deferred answer that nothing has replaced yet. */
  isThinking: boolean
  replyTo?: string
}

export type FakeInteraction = {
  id: string
  token: string
  type: number
  at: number
  /** In the own time of the process, by which the first answer may be too late. */
  begun: number
  account: string
  channel: string
  /** The type of the first answer. */
  answered?: number
  original?: string
  /** The message whose button was pressed. */
  source?: string
  followUps: string[]
  modal?: Json
  choices?: Json[]
}

export type Fault = {
  on: RegExp
  times: number
  status: number
  body?: Json
  headers?: Record<string, string>
}

/** What this Discord knows; a test may change it. */
export const createState = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  let last = 0n
  return {
    token: `fake.${randomBytes(18).toString('base64url')}`,
    applicationId: '700000000000000001',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    privateKey,
    now: () => Date.now(),
    /** As those of Discord: when it was made, and a number. */
    newId: () => {
      const now = BigInt(Date.now() - Date.UTC(2015, 0, 1)) << 22n
      last = now > last ? now : last + 1n
      return String(last)
    },
    channels: new Map<
      string,
      {
        id: string
        canPost: boolean
        isServer: boolean
        /** The server that it is in; the first, if not said. */
        guild?: string
        recipient?: string
        /** What Discord says to whoever posts there, such as 50013. */
        refuses?: number
        more?: Json
      }
    >(),
    people: new Map<string, { id: string; name: string; roles: string[]; takesDirect: boolean }>(),
    messages: new Map<string, FakeMessage>(),
    nonces: new Map<string, string>(),
    interactions: new Map<string, FakeInteraction>(),
    commands: [] as Json[],
    puts: 0,
    calls: [] as { method: string; path: string; status: number; at: number }[],
    faults: [] as Fault[],
    /** Everything that the real Discord would have refused. */
    refused: [] as string[],
    /** Posts to one channel in two seconds, before a 429. */
    postsAllowed: 1_000,
    /** What people attached, by the path of its address. */
    attached: {} as Record<string, string>,
    /** How long an answer in the body of a response waits to be read. */
    readsAfterMs: 0,
    /** How many shards the bot should have. */
    shards: 1,
    /** The servers that the bot is in. */
    guilds: ['600000000000000001'],
  }
}

export type State = ReturnType<typeof createState>
