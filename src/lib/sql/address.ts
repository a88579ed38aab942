/** One server of an address: its name for people, and its own address for the driver, which reads no lists. */
export type Server = { name: string; url: string }

export type Address = {
  /** In the order in which they are tried. */
  servers: readonly Server[]
  /** Whether a server that only reads is taken where no other answers. */
  takesReader: boolean
  /** How long one server may take to let us in. */
  connectMs?: number
}

export type AddressReading = { ok: true; value: Address } | { ok: false; problem: string }

/**
 * An address of one or several servers, as PostgreSQL's own clients read it:
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS. No problem repeats any of its parts but a
 * parameter that cannot be secret.
 */
export const readAddress = (url: string): AddressReading => {
  const parts =
    /^postgres(?:ql)?:\/\/(?:(?<account>[^/?#]*)@)?(?<places>[^/?#@]*)(?:\/(?<database>[^?#]*))?(?:\?(?<params>[^#]*))?$/.exec(
      url,
    )?.groups
  if (parts === undefined) {
    return refused(
      'must start with postgres:// or postgresql://, and go on with hosts, a database and parameters. Leave it out for the embedded database',
    )
  }
  try {
    return addressOf(parts)
  } catch (error) {
    if (error instanceof URIError)
      return refused('holds a % that is no part of a character: write %25 for it')
    throw error
  }
}

/** What is wrong with the address in DATABASE_URL, if there is one. */
export const whyNoAddress = (url: string | undefined): string[] => {
  const read = url === undefined ? undefined : readAddress(url)
  return read?.ok === false ? [read.problem] : []
}

/** Its servers, without an account or a password. */
export const serversIn = (url: string): string => {
  const read = readAddress(url)
  return read.ok ? read.value.servers.map(({ name }) => name).join(', ') : 'an address that cannot be read'
}

const refused = (why: string) => ({ ok: false as const, problem: `DATABASE_URL ${why}.` })

const addressOf = ({ account = '', places = '', database = '', params = '' }: Parts): AddressReading => {
  const given = new URLSearchParams(params)
  const [written, hosts, ports] = [
    places.split(',').map(placeOf),
    listOf(given, 'host'),
    listOf(given, 'port'),
  ]
  if (written.includes(undefined))
    return refused(
      'names a host that cannot be read: a host is a name, an address or [an IPv6 address], and :port',
    )
  const named = hosts?.map((host) => ({ host, port: '' })) ?? (written as Place[])
  if (ports !== undefined && ports.length !== 1 && ports.length !== named.length)
    return refused(
      `names ${named.length} hosts and ${ports.length} ports: give one port for each host, or one for all`,
    )
  const servers = named.map(({ host, port }, at) => ({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: (ports?.length === 1 ? ports[0] : ports?.[at]) ?? port,
  }))
  if (servers.some(({ port }) => port !== '' && !isPort(port)))
    return refused('names a port that is no number from 1 to 65535')
  const problem = problemIn(given)
  if (problem !== undefined) return refused(problem)
  const seconds = Number(given.get('connect_timeout') ?? 0)
  const takesReader = (given.get(attrs) ?? 'any') === 'any'
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(account) ?? []
  if (user !== '' && !given.has('user')) given.set('user', decodeURIComponent(user))
  if (password !== undefined && !given.has('password')) given.set('password', decodeURIComponent(password))
  const name = given.get('dbname') === null ? database : encodeURIComponent(given.get('dbname') ?? '')
  decodeURIComponent(name)
  for (const read of ['host', 'port', 'dbname', attrs, 'connect_timeout']) given.delete(read)
  return {
    ok: true,
    value: {
      servers: servers.map((server) => ({ name: nameOf(server), url: urlOf(server, name, given) })),
      takesReader,
      ...(seconds > 0 ? { connectMs: seconds * 1_000 } : {}),
    },
  }
}

type Parts = { account?: string; places?: string; database?: string; params?: string }
type Place = { host: string; port: string }

const attrs = 'target_session_attrs'

const placeOf = (place: string): Place | undefined => {
  const found = /^(?<host>\[[0-9a-f:.%]+\]|[^\s:[\]]*)(?::(?<port>\d*))?$/i.exec(place)?.groups
  return found && { host: decodeURIComponent(found.host ?? ''), port: found.port ?? '' }
}

const listOf = (given: URLSearchParams, name: string): string[] | undefined => given.get(name)?.split(',')

const isPort = (port: string): boolean =>
  /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const writing = ['any', 'read-write', 'primary']
const reading = ['read-only', 'standby', 'prefer-standby']

const problemIn = (given: URLSearchParams): string | undefined => {
  const wanted = given.get(attrs) ?? 'any'
  if (reading.includes(wanted))
    return `asks for ${attrs}=${wanted}, and Bellhop writes to its database: say read-write`
  if (!writing.includes(wanted))
    return `has a ${attrs} that is none of ${[...writing, ...reading].join(', ')}`
  const mode = given.get('sslmode')
  if (mode !== null && !sslModes.includes(mode))
    return `has an sslmode that is none of ${sslModes.join(', ')}`
  if (!/^-?\d{1,6}$/.test(given.get('connect_timeout') ?? '0'))
    return 'has a connect_timeout that is no number of seconds'
  if (given.has('hostaddr')) return 'has a hostaddr: write that address as the host'
  return undefined
}

const nameOf = ({ host, port }: Place): string => {
  if (host.startsWith('/')) return host
  return `${host.includes(':') ? `[${host}]` : host || 'localhost'}:${port || 5432}`
}

/** All in parameters, where no character of a host means anything. */
const urlOf = ({ host, port }: Place, database: string, more: URLSearchParams): string => {
  const params = new URLSearchParams(more)
  if (host !== '') params.set('host', host)
  if (port !== '') params.set('port', port)
  return `postgres:///${database}?${params}`
}
