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
  /** Another workspace, where the app can be installed too. It has the same ids as the first. */
  workspace(team: string, organization?: string): FakeWorkspace
  /** Somebody allows the app where Slack was asked to: where the browser is sent then. */
  allows(authorizeUrl: string, id: string, more?: { rotates?: boolean }): string
  /** Any payload at all. */
  deliver: Wire['deliver']
  fail(method: string, ...faults: FakeFault[]): void
  calls(method: string): FakeState['calls']
  close(): Promise<void>
}

export type FakeWorkspace = Pick<FakeSlack, 'state' | 'person' | 'channel' | 'notifies'>

const workspaceWith = (state: FakeState, wire: () => Wire): FakeWorkspace => ({
  state,
  person: (id, more = {}) => {
    const user = { id, name: id.toLowerCase(), team: state.team, isDeactivated: false, hasClosedDm: false }
    state.users.set(id, { ...user, ...more })
    return createPerson(state, wire, id)
  },
  channel: (id, members, { isBotIn = true, isArchived = false } = {}) => {
    state.channels.set(id, {
      id,
      isArchived,
      members: new Set(isBotIn ? [...members, state.bot] : members),
    })
  },
  notifies: (inner) =>
    wire().deliver('events_api', {
      type: 'event_callback',
      team_id: state.team,
      ...(state.organization === undefined ? {} : { enterprise_id: state.organization.id }),
      api_app_id: 'A0BELLHOP',
      event_id: nextId(state, 'Ev'),
      event: inner,
    }),
})

export const startFakeSlack = async ({ scopes }: { scopes: readonly string[] }): Promise<FakeSlack> => {
  const state = createState()
  for (const scope of scopes) state.scopes.add(scope)
  const server = await startServer(state)
  const socket = socketWire(server)
  let wire: Wire = socket
  return {
    apiUrl: `${state.origin}/api/`,
    socket,
    useHttp: (...urls) => {
      wire = httpWire(state, urls)
    },
    ...workspaceWith(state, () => wire),
    workspace: (team, organization) => {
      const other = {
        ...createState(),
        team,
        botToken: `xoxb-${team}`,
        origin: state.origin,
        serial: state.serial + 500_000 * (state.others.length + 1),
        scopes: state.scopes,
        signingSecret: state.signingSecret,
        ...(organization === undefined
          ? {}
          : { organization: { id: organization, token: `xoxb-${organization}` } }),
      }
      state.others.push(other)
      return workspaceWith(other, () => wire)
    },
    allows: (authorizeUrl, id, { rotates = false } = {}) => {
      const { searchParams } = new URL(authorizeUrl)
      const redirectUri = searchParams.get('redirect_uri') ?? ''
      const code = nextId(state, 'code')
      state.oauth.codes.set(code, { id, redirectUri, rotates })
      const to = new URL(redirectUri)
      to.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
      return to.href
    },
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
