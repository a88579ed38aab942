import { open } from 'node:fs/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'

/** Takes lines, all of them or, as far as it can be known, none; resolves when they are its own. */
export type Receiver = (lines: readonly string[]) => Promise<void>

/** It did not take the lines; the message is short and has nothing of them in it. */
export class StreamError extends Error {
  override name = 'StreamError'
}

/** A receiver that takes longer has not taken them. */
const answersWithinMs = 15_000

/** Lines at the end of a file, on the disk. A line that a crash or a full disk cut is taken away before the next one. */
export const fileReceiver =
  (path: string): Receiver =>
  async (lines) => {
    try {
      const file = await open(path, 'a+', 0o600)
      try {
        const whole = await endOfLastLine(file)
        if (whole < (await file.stat()).size) await file.truncate(whole)
        try {
          await file.appendFile(lines.join(''))
          await file.datasync()
        } catch (error) {
          await file.truncate(whole).catch(() => undefined)
          throw error
        }
      } finally {
        await file.close()
      }
    } catch (error) {
      throw new StreamError(`its file cannot be written (${codeOf(error)})`)
    }
  }

const chunk = 65_536

const endOfLastLine = async (file: Awaited<ReturnType<typeof open>>): Promise<number> => {
  let end = (await file.stat()).size
  const buffer = Buffer.alloc(chunk)
  while (end > 0) {
    const from = Math.max(0, end - chunk)
    const { bytesRead } = await file.read(buffer, 0, end - from, from)
    const at = buffer.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (at !== -1) return from + at + 1
    end = from
  }
  return 0
}

/** JSON lines by POST; any 2xx says that they are stored there. */
export const httpsReceiver =
  (url: string, token: string | undefined, withinMs = answersWithinMs): Receiver =>
  async (lines) => {
    let response: Response
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: lines.join(''),
        redirect: 'error',
        signal: AbortSignal.timeout(withinMs),
      })
      await response.body?.cancel()
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: unknown }; name: string }
      throw new StreamError(`it cannot be reached (${typeof cause?.code === 'string' ? cause.code : name})`)
    }
    if (!response.ok) throw new StreamError(`it answered with status ${response.status}`)
  }

/**
 * Syslog (RFC 5424) over TCP or TLS, each message with its length before it (RFC 6587, RFC 5425). Syslog has no answer: a
 * connection for each batch, which the receiver closes after us without an error, is what says that it has them.
 */
export const syslogReceiver =
  (address: string, withinMs = answersWithinMs): Receiver =>
  async (lines) => {
    const { isTls, ...to } = syslogPlace(address)
    // An address is no name to ask for; it is still what the certificate has to be of.
    const servername = isIP(to.host) === 0 ? to.host : ''
    const socket = isTls ? connectTls({ ...to, servername }) : connectPlain(to)
    try {
      await sendAll(socket, lines.map(framed).join(''), withinMs)
    } catch (error) {
      throw new StreamError(`it cannot be reached (${codeOf(error)})`)
    } finally {
      socket.destroy()
    }
  }

/** Where it listens: without a port, on the one that is registered for it. */
export const syslogPlace = (address: string): { isTls: boolean; host: string; port: number } => {
  const { protocol, hostname: host, port } = new URL(address)
  const isTls = protocol === 'tls:'
  return { isTls, host: host.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 6514 : 601)) }
}

const sendAll = (socket: Socket, text: string, withinMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.setTimeout(withinMs, () => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })))
    socket.once('error', reject)
    // Where it is cut off, or has not proven who it is, its error has come before.
    socket.once('close', () => resolve())
    // Its end is waited for, so what it may say before that is read, and left.
    socket.resume()
    socket.end(text)
  })

/** Facility 13 (log audit), severity 6 (informational). */
const framed = (line: string): string => {
  const { time } = JSON.parse(line) as { time: number }
  const message = `<110>1 ${new Date(time).toISOString()} ${hostname()} bellhop - audit - ${line.trimEnd()}`
  return `${Buffer.byteLength(message)} ${message}`
}

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'error'
}
