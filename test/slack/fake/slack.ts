import { createPerson, type Person } from './person.ts'
import { startServer } from './server.ts'
import { createState, type FakeFault, type FakeState, nextId } from './state.ts'
import { type Delivered, httpWire, type SocketWire, socketWire, type Wire } from './wire.ts'
import { runStep } from './workflow.ts'

/** A stateful Slack over real sockets: one workspace, one app, and people in it. */
export type FakeSlack = {
  state: FakeState
  apiUrl: string
  socket: SocketWire
  /** Brings deliveries to the app's request URL instead of over the socket; in turn, if replicas stand behind it. */
  useHttp(...urls: string[]): void
  person(id: string, more?: Partial<{ name: string; team: string }>): Person
  channel(id: string, members: string[], more?: { isBotIn?: boolean; isArchived?: boolean }): void
  /** Something that nobody did: Slack itself lets the app know. */
  notifies(inner: Record<string, unknown>): Promise<Delivered>
  /** A workflow comes to a step of ours. */
  runsStep(
    step: string,
    inputs: Record<string, unknown>,
    options?: Parameters<typeof runStep>[4],
  ): ReturnType<typeof runStep>
  /** Any payload at all. */
  deliver: Wire['deliver']
  fail(method: string, ...faults: FakeFault[]): void
  calls(method: string): FakeState['calls']
  close(): Promise<void>
}

export const startFakeSlack = async ({ scopes }: { scopes: readonly string[] }): Promise<FakeSlack> => {
  const state = createState()
  for (const scope of scopes) state.scopes.add(scope)
  const server = await startServer(state)
  const socket = socketWire(server)
  let wire: Wire = socket
  return {
    state,
    apiUrl: `${state.origin}/api/`,
    socket,
    useHttp: (...urls) => {
      wire = httpWire(state, urls)
    },
    person: (id, more = {}) => {
      const user = { id, name: id.toLowerCase(), team: state.team, isDeactivated: false, hasClosedDm: false }
      state.users.set(id, { ...user, ...more })
      return createPerson(state, () => wire, id)
    },
    channel: (id, members, { isBotIn = true, isArchived = false } = {}) => {
      state.channels.set(id, {
        id,
        isArchived,
        members: new Set(isBotIn ? [...members, state.bot] : members),
      })
    },
    notifies: (inner) =>
      wire.deliver('events_api', {
        type: 'event_callback',
        team_id: state.team,
        api_app_id: 'A0BELLHOP',
        event_id: nextId(state, 'Ev'),
        event: inner,
      }),
    runsStep: (step, inputs, options) => runStep(state, wire, step, inputs, options),
    deliver: (...delivery) => wire.deliver(...delivery),
    fail: (method, ...faults) => {
      state.faults.set(method, [...(state.faults.get(method) ?? []), ...faults])
    },
    calls: (method) => state.calls.filter((call) => call.method === method),
    close: async () => {
      await socket.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
