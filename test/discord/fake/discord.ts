import { sign } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { startFakeGateway } from './gateway.ts'
import { firstAnswer } from './interactions.ts'
import { createPerson, type Person } from './person.ts'
import { startFakeRest } from './rest.ts'
import { createState, type FakeInteraction, type FakeMessage, type Json, type State } from './state.ts'

export type FakeDiscord = {
  state: State
  apiUrl: string
  gateway: Awaited<ReturnType<typeof startFakeGateway>>
  person(id: string, name: string, roles?: string[]): Person
  channel(id: string, more?: { canPost?: boolean; guild?: string }): void
  /** From now on interactions are delivered there, signed; without it they go over the gateway. */
  useHttp(url: string): void
  /** One delivery of an interaction; doing it again is Discord delivering it twice. */
  deliver(payload: Json): Promise<void>
  post(payload: unknown, headers?: Record<string, string>): Promise<Response>
  /** What an account sees in a channel, the oldest first. */
  seen(account: string, channel: string): FakeMessage[]
  close(): Promise<void>
}

export const startFakeDiscord = async (): Promise<FakeDiscord> => {
  const state = createState()
  const gateway = await startFakeGateway(state)
  const rest = await startFakeRest(state, () => gateway.url)
  let endpoint: string | undefined
  const fake: FakeDiscord = {
    state,
    gateway,
    apiUrl: rest.url,
    person: (id, name, roles = []) => {
      state.people.set(id, { id, name, roles, takesDirect: true })
      return createPerson(fake, id)
    },
    channel: (id, { canPost = true, guild } = {}) => {
      if (guild !== undefined && !state.guilds.includes(guild)) state.guilds.push(guild)
      state.channels.set(id, { id, canPost, isServer: true, ...(guild === undefined ? {} : { guild }) })
    },
    useHttp: (url) => {
      endpoint = url
    },
    post: (payload, headers) => {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      return fetch(endpoint as string, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(headers ?? signatureHeaders(state, body)) },
        body,
      })
    },
    deliver: async (payload) => {
      if (endpoint === undefined) return gateway.dispatch('INTERACTION_CREATE', payload)
      const response = await fake.post(payload)
      if (response.status >= 500) throw new Error(`a delivery was answered with ${response.status}`)
      if (!response.ok) return
      const answer = (await response.json()) as Json
      if (state.readsAfterMs > 0) await wait(state.readsAfterMs)
      try {
        firstAnswer(state, state.interactions.get(String(payload.token)) as FakeInteraction, answer)
      } catch {
        // A second delivery is answered a second time; Discord takes the first.
      }
    },
    seen: (account, channel) =>
      [...state.messages.values()].filter(
        (message) => message.channel === channel && (message.onlyFor === null || message.onlyFor === account),
      ),
    close: async () => {
      await gateway.close()
      await rest.close()
    },
  }
  return fake
}

export const signatureHeaders = (
  state: Pick<State, 'privateKey'>,
  body: string,
  at: number = Date.now(),
): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1000))
  return {
    'x-signature-timestamp': timestamp,
    'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), state.privateKey).toString('hex'),
  }
}
