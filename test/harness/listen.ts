import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { idleWithinMs } from '../../src/lib/http/server.ts'

/** A server of the test's own on this machine: where it listens, and how to end it. */
export type Listening = { origin: string; port: number; close(): Promise<void> }

/** On a free port, unless one is named. */
export const listen = async (server: Server, wanted = 0): Promise<Listening> => {
  // On a busy machine a request may be sent seconds after the one before: no connection may be closed by then.
  if (server instanceof HttpServer) server.keepAliveTimeout = idleWithinMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      if (server instanceof HttpServer) server.closeAllConnections()
      await closed
    },
  }
}
