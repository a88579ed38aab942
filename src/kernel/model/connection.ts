/**
 * `standing by`: another replica holds the connection, and this one takes over when that is gone.
 * `away`: the platform cannot be reached; the bot keeps trying. `refused`: the platform does not take us, as with a
 * token that was revoked; the bot keeps trying, but somebody has to do something about it.
 */
export type ConnectionState = 'connecting' | 'connected' | 'standing by' | 'away' | 'refused' | 'stopped'

export type ConnectionReport = {
  name: string
  state: ConnectionState
  /** Since when it is so. */
  since: number
  /** What the platform said, in its own word or code. */
  why: string | undefined
  /** When anything last came from there. */
  heardAt: number | undefined
  refusedAt: number | undefined
  /** The platform says that it withholds deliveries, because there are too many. */
  isHeldBack: boolean
}

/** How a messenger stands, for those who look after the bot. */
export type MessengerReport = {
  name: string
  /** People who ask there are answered. */
  isAnswering: boolean
  /** More about it, in a word or two. */
  remark: string | undefined
  connections: ConnectionReport[]
}

export const isUp = ({ state }: Pick<ConnectionReport, 'state'>): boolean =>
  state === 'connected' || state === 'standing by'

/** The connection of those who come to our own server. */
export const servedName = 'requests'

/** In a word or two, for people. */
export const connectionWords = ({ name, state, why, isHeldBack }: ConnectionReport): string =>
  [
    name === servedName && state === 'connected' ? 'on' : why === undefined ? state : `${state} (${why})`,
    ...(isHeldBack ? ['the platform withholds deliveries'] : []),
  ].join(', ')

/** The same for a messenger as a whole: its connections by name, unless all is well. */
export const messengerWords = ({ connections, remark }: MessengerReport): string => {
  const states = new Set(connections.map(connectionWords))
  const said =
    states.size === 1
      ? [...states]
      : connections.map((connection) => `${connection.name} ${connectionWords(connection)}`)
  return [...said, ...(remark === undefined ? [] : [remark])].join(', ')
}
