import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Platform } from '../../src/kernel/model/change.ts'
import type { View } from '../../src/lib/view/view.ts'

export type Posted = { platform: Platform; channel: string | null; onlyFor: string | null; views: View[] }

/** What a child's messenger says to the chat server. */
export type FakeChatCall =
  | { kind: 'post'; platform: Platform; channel: string | null; onlyFor: string | null; view: View }
  | { kind: 'edit'; platform: Platform; address: string; view: View }
  | { kind: 'direct'; platform: Platform; account: string; view: View }

/** Stand-ins of two chat platforms: what was posted, how often it was edited, and who got which message. */
export type FakeChatServer = {
  url: string
  cards: Map<string, Posted>
  directMessages: { platform: Platform; account: string; view: View }[]
  /** Whether the platforms answer at all. */
  setDown(isDown: boolean): void
  close(): Promise<void>
}

export const startFakeChatServer = async (): Promise<FakeChatServer> => {
  const cards: FakeChatServer['cards'] = new Map()
  const directMessages: FakeChatServer['directMessages'] = []
  let isDown = false
  const take = (call: FakeChatCall): { address: string } | undefined => {
    if (call.kind === 'direct') {
      directMessages.push(call)
      return { address: `direct-${directMessages.length}` }
    }
    if (call.kind === 'post') {
      const { platform, channel, onlyFor, view } = call
      const address = `${platform}-${cards.size + 1}`
      cards.set(address, { platform, channel, onlyFor, views: [view] })
      return { address }
    }
    const card = cards.get(call.address)
    card?.views.push(call.view)
    return card && { address: call.address }
  }
  const server = createServer(async (request, response) => {
    const call = (await json(request)) as FakeChatCall
    const taken = isDown ? undefined : take(call)
    response.writeHead(isDown ? 503 : taken ? 200 : 404).end(JSON.stringify(taken ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cards,
    directMessages,
    setDown: (down) => {
      isDown = down
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
