import { Socket } from 'node:net'
import pg from 'pg'
import { orAfter } from '../retry.ts'
import { type Address, readAddress, type Server } from './address.ts'
import { DatabaseError } from './database.ts'

export const connectLimits = {
  /** How long a server may take to let us in, and to say what it is. */
  connectMs: 2_500,
  /** How long a server that says nothing is waited for before the next is tried beside it. */
  nextServerMs: 300,
  /** How long the system waits before it asks a silent server of a connection that nobody uses whether it is there. */
  keepAliveMs: 5_000,
}

/** What a new connection found at its other end. */
export type Connected = {
  client: pg.Client
  server: string
  /** The server's process that serves it, and not a pooler's, which gives every transaction another. */
  isDirect: boolean
  isReadOnly: boolean
  /** Whether the server says that something is stored before it is on a disk, unless it is asked for more. */
  isLax: boolean
  /** At once, without a word to the server. */
  cut(): void
}

export type NewConnection = Pick<pg.ClientBase, 'query'> & { isReadOnly: boolean; server: string }

/** Looks at each new connection before anything is sent along it; one that it rejects is not used. */
export type OnConnect = (connection: NewConnection) => Promise<void>

type Settings = {
  application: string
  limits?: { statement: number; idleInTransaction: number; query: number }
  onConnect?: OnConnect | undefined
}

/**
 * Opens connections to the one of several servers that can be written to: the one that could last, then the others in the
 * order of the address. Nothing is asked of a server but what it is, so a failure has done nothing.
 */
export const createConnector = (url: string, settings: Settings) => {
  const read = readAddress(url)
  if (!read.ok) throw new DatabaseError('failed', read.problem)
  const address = read.value
  let [last] = address.servers
  return {
    connect: async (): Promise<Connected> => {
      const order = [...new Set([last ?? address.servers[0], ...address.servers])] as Server[]
      const { value, server } = await firstThatFits(address, order, settings)
      last = server
      return value
    },
    /** Whether one of the servers takes connections at all; asked about one that says nothing. */
    answers: async (name: string): Promise<boolean> => {
      const server = address.servers.find((one) => one.name === name)
      if (server === undefined) return false
      return connectTo(server, address, { ...settings, onConnect: undefined }).then(
        (connected) => {
          connected.cut()
          return true
        },
        () => false,
      )
    },
  }
}

type Found = { value: Connected; server: Server }

/** Of several servers the next is tried when one fails, or says nothing for a while. */
const firstThatFits = (address: Address, order: readonly Server[], settings: Settings): Promise<Found> =>
  new Promise((resolve, reject) => {
    const failures = new Map<Server, unknown>()
    let reader: Found | undefined
    let isOver = false
    let started = 0
    const end = (found: Found) => {
      isOver = true
      if (reader !== undefined && reader !== found) reader.value.cut()
      resolve(found)
    }
    const fail = (server: Server, error: unknown) => {
      failures.set(server, error)
      if (isOver) return
      if (failures.size < order.length) return start()
      if (reader !== undefined) return end(reader)
      isOver = true
      reject(new DatabaseError('down', 'The database does not answer', causeOf(failures)))
    }
    const found = (server: Server, value: Connected) => {
      if (isOver) return value.cut()
      if (!value.isReadOnly) return end({ value, server })
      if (address.takesReader && reader === undefined) reader = { value, server }
      else value.cut()
      fail(server, new Error('it can only be read from'))
    }
    const start = () => {
      const server = order[started]
      if (server === undefined || isOver) return
      started++
      connectTo(server, address, settings).then(
        (value) => found(server, value),
        (error) => fail(server, error),
      )
      setTimeout(start, connectLimits.nextServerMs).unref()
    }
    start()
  })

/** What one server said, or what each of several did. */
const causeOf = (failures: ReadonlyMap<Server, unknown>): unknown => {
  const all = [...failures]
  if (all.length === 1) return all[0]?.[1]
  return new Error(all.map(([{ name }, error]) => `${name}: ${wordsOf(error)}`).join('; '))
}

const wordsOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: string }
  return message || String(code)
}

const connectTo = async (
  { name, url }: Server,
  { connectMs = connectLimits.connectMs }: Address,
  { application, limits, onConnect }: Settings,
): Promise<Connected> => {
  const socket = new Socket()
  const client = new pg.Client({
    application_name: application,
    connectionString: url,
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: connectLimits.keepAliveMs,
    types: { getTypeParser },
    ...(limits && { query_timeout: limits.query }),
  })
  // An error event without a listener ends the process. A connection that is lost fails whoever waits for it.
  client.on('error', () => undefined)
  const cut = () => void socket.destroy()
  const open = async (): Promise<Connected> => {
    await client.connect()
    const found = await askWhatItIs(client, limits)
    const { isReadOnly } = found
    await onConnect?.({ query: client.query.bind(client), isReadOnly, server: name })
    return { client, server: name, ...found, cut }
  }
  const late = new Error(`no answer in ${connectMs / 1_000} s`)
  const opening = open()
  try {
    const connected = await orAfter(connectMs, late, opening)
    if (connected instanceof Error) throw connected
    return connected
  } catch (error) {
    cut()
    opening.catch(() => undefined)
    throw error
  }
}

/**
 * Its limits are set where the session is ours alone: as parameters of the start a pooler would refuse them, and set later
 * it would give them to others.
 */
const askWhatItIs = async (client: pg.Client, limits: Settings['limits']) => {
  const { processID } = client as pg.Client & { processID?: number | null }
  const set =
    limits === undefined
      ? 'true'
      : `set_config('statement_timeout', '${limits.statement}', false) || set_config('idle_in_transaction_session_timeout', '${limits.idleInTransaction}', false) <> ''`
  const { rows } = await client.query<{ readonly: string; lax: boolean; direct: boolean | null }>(
    `SELECT current_setting('transaction_read_only') AS readonly,
      current_setting('synchronous_commit') IN ('off', 'local') AS lax,
      CASE WHEN pg_backend_pid() = ${Number(processID ?? 0)} THEN ${set} END AS direct`,
  )
  return {
    isReadOnly: rows[0]?.readonly === 'on',
    isLax: rows[0]?.lax === true,
    isDirect: rows[0]?.direct === true,
  }
}

/** Counts and times are far below 2^53. */
const int8 = 20
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')
