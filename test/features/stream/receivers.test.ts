import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, test } from 'vitest'
import { streamState } from '../../../src/features/stream/give.ts'
import { ocsfLine } from '../../../src/features/stream/ocsf.ts'
import {
  fileReceiver,
  httpsReceiver,
  type Receiver,
  syslogPlace,
  syslogReceiver,
} from '../../../src/features/stream/receivers.ts'
import { streamOf } from '../../../src/features/stream/section.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { eachEngine } from '../../harness/database.ts'
import { whenDone } from '../../harness/when-done.ts'
import { openHarness } from '../../pipeline/harness.ts'
import { policy } from '../../pipeline/policy.ts'
import { ocsfFaults } from './ocsf-schema.ts'

type Event = {
  activity_name: string
  status: string
  message: string
  metadata: { sequence: number; uid: string; correlation_uid?: string }
  api: { operation: string }
  unmapped: { hash: string; doc: Record<string, unknown> }
}

const eventsIn = (lines: string): Event[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event)

eachEngine('the stream of the audit log', (engine) => {
  it('has every entry, in order, with its number and hash, as events that fit the published class', async () => {
    const file = join(newFolder(), 'audit.jsonl')
    const { app, store, say, ask, click, payment } = await openHarness({
      engine,
      policy: `${policy}\nstream: { file: ${JSON.stringify(file)} }\n`,
    })
    const change = await ask(`refund ${payment()} 300`)
    await click('approve', change, 'fay')
    await say('subscriber get ada@example.com')
    await say('refund pay_0000 5 --reason "she wrote from ada@example.com and +4915112345678"')
    await app.drain()
    await store.auditTree.sequence(app.core.signer)
    await store.tasks.put({ kind: 'stream', key: 'stream', doc: { id: '' }, dueAt: 0 })
    await app.drain()
    const events = eventsIn(readFileSync(file, 'utf8'))
    const stored = await store.auditTree.rowsAfter(0, 1_000)
    expect(events.length).toBeGreaterThan(4)
    expect(events.flatMap((event) => ocsfFaults(event))).toEqual([])
    expect(events.map(({ metadata, unmapped }) => [metadata.sequence, metadata.uid, unmapped.hash])).toEqual(
      stored.slice(0, events.length).map(({ seq, id, leaf }) => [seq, id, leaf]),
    )
    expect(new Set(events.map(({ activity_name: name }) => name))).toContain('asked')
    expect(events.find(({ metadata }) => metadata.correlation_uid === change.id)?.api.operation).toBe(
      'refund',
    )
    const words = readFileSync(file, 'utf8')
    expect(words).not.toContain('ada@example.com')
    expect(words).not.toContain('4915112345678')
    expect(words).toContain('[left out]')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const state = await streamState(store, streamOf(app.core.policy), Date.now())
    expect(state).toMatchObject({ to: `file ${file}`, away: undefined })
  })

  it.each([
    {
      what: 'a folder that is not there',
      code: 'ENOENT',
      shut: () => undefined,
      mend: (file: string) => mkdirSync(dirname(file)),
    },
    {
      what: 'a full disk',
      code: 'ENOSPC',
      shut: (file: string) => {
        mkdirSync(dirname(file))
        symlinkSync('/dev/full', file)
      },
      mend: (file: string) => unlinkSync(file),
    },
  ])('waits for $what, says so, and gives it everything afterwards', async ({ code, shut, mend }) => {
    const file = join(newFolder(), 'later', 'audit.jsonl')
    shut(file)
    const { app, store, say } = await openHarness({
      engine,
      policy: `${policy}\nstream: { file: ${JSON.stringify(file)}, addresses: true }\n`,
    })
    const again = async () => {
      await store.auditTree.sequence(app.core.signer)
      await store.tasks.drop(['stream'])
      await store.tasks.put({ kind: 'stream', key: 'stream', doc: { id: '' }, dueAt: 0 })
      await app.drain()
    }
    await say('subscriber get ada@example.com')
    await again()
    const away = await streamState(store, streamOf(app.core.policy), Date.now())
    expect(away).toMatchObject({ away: { why: `its file cannot be written (${code})` } })
    expect(away?.behind).toBeGreaterThan(0)
    mend(file)
    await again()
    await again()
    const events = eventsIn(readFileSync(file, 'utf8'))
    expect(events.map(({ metadata }) => metadata.sequence)).toEqual(events.map((_, at) => at + 1))
    expect(events.map(({ activity_name: name }) => name)).toEqual(
      expect.arrayContaining(['stream away', 'stream back']),
    )
    expect(readFileSync(file, 'utf8')).toContain('ada@example.com')
    expect(await streamState(store, streamOf(app.core.policy), Date.now())).toMatchObject({ away: undefined })
  })
})

test('a line that was cut is taken away before the next one, and a renamed file begins anew', async () => {
  const file = join(newFolder(), 'audit.jsonl')
  await fileReceiver(file)(['{"n":1}\n'])
  appendFileSync(file, `{"n":2,"cut":"${'x'.repeat(100_000)}`)
  await fileReceiver(file)(['{"n":2}\n'])
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n')
  renameSync(file, `${file}.1`)
  await fileReceiver(file)(['{"n":3}\n'])
  expect(readFileSync(file, 'utf8')).toBe('{"n":3}\n')
})

test('over https a token goes with the lines, and what is not 2xx is not taken', async () => {
  const seen: unknown[] = []
  let status = 200
  const server = createHttpServer(async (request, response) => {
    const { authorization, 'content-type': type } = request.headers
    seen.push([request.method, authorization, type, await text(request)])
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
  await httpsReceiver(url, 'hush')(['{"n":1}\n', '{"n":2}\n'])
  expect(seen).toEqual([['POST', 'Bearer hush', 'application/x-ndjson', '{"n":1}\n{"n":2}\n']])
  for (status of [302, 401, 500])
    await expect(httpsReceiver(url, 'hush')(['{}\n'])).rejects.not.toThrow(/hush/)
  status = 299
  await httpsReceiver(url, undefined)(['{}\n'])
  await expect(httpsReceiver('http://127.0.0.1:1/', undefined)(['{}\n'])).rejects.toThrow(
    'it cannot be reached',
  )
})

test('syslog messages have their length before them, and a receiver that cuts the connection has not taken them', async () => {
  let received = ''
  let isCutting = false
  const server = createServer((socket) => {
    if (isCutting) socket.resetAndDestroy()
    else
      socket.on('data', (part) => {
        received += part.toString()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => void server.close())
  const send = syslogReceiver(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const line = `${JSON.stringify({ time: 0, message: 'grüße' })}\n`
  await send([line, line])
  const [, length = '0', rest = ''] = /^(\d+) ([\s\S]*)$/.exec(received) ?? []
  const message = Buffer.from(rest).subarray(0, Number(length)).toString()
  expect(message).toMatch(
    /^<110>1 1970-01-01T00:00:00\.000Z \S+ bellhop - audit - \{"time":0,"message":"grüße"\}$/,
  )
  expect(received).toBe(`${length} ${message}`.repeat(2))
  isCutting = true
  await expect(send([line])).rejects.toThrow('it cannot be reached (ECONNRESET)')
})

test.each([
  ['tls://logs.example.com', { isTls: true, host: 'logs.example.com', port: 6514 }],
  ['tcp://logs.example.com', { isTls: false, host: 'logs.example.com', port: 601 }],
  ['tls://[::1]:7000', { isTls: true, host: '::1', port: 7000 }],
  ['tcp://127.0.0.1:7000', { isTls: false, host: '127.0.0.1', port: 7000 }],
])('the syslog receiver %s is %o', (address, place) => {
  expect(syslogPlace(address)).toEqual(place)
})

test('over tls nothing is told to a receiver whose certificate nobody vouches for', async () => {
  const folder = newFolder()
  const made = ['-keyout', 'key.pem', '-out', 'own.pem', '-subj', '/CN=localhost', '-days', '2']
  const named = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made, ...named], {
    cwd: folder,
    stdio: 'pipe',
  })
  const [key, cert] = ['key.pem', 'own.pem'].map((name) => readFileSync(join(folder, name), 'utf8'))
  let received = ''
  const askedFor: unknown[] = []
  const hungUp = Promise.withResolvers<void>()
  const server = createTlsServer({ key, cert }, (socket) => {
    askedFor.push('servername' in socket && socket.servername)
    socket.on('data', (part) => {
      received += part.toString()
    })
  })
  server.once('connection', (socket) => socket.once('close', () => hungUp.resolve()))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  whenDone(() => void server.close())
  const { port } = server.address() as AddressInfo
  const send = syslogReceiver(`tls://localhost:${port}`)
  const line = `${JSON.stringify({ time: 0 })}\n`
  await expect(send([line])).rejects.toThrow('it cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)')
  await hungUp.promise
  expect(received).toBe('')
  const known = getCACertificates()
  whenDone(() => setDefaultCACertificates(known))
  setDefaultCACertificates([...known, cert ?? ''])
  await send([line])
  expect(received).toMatch(/^\d+ <110>1 .* audit - \{"time":0\}$/)
  await syslogReceiver(`tls://127.0.0.1:${port}`)([line])
  expect(askedFor).toEqual(['localhost', false])
  await expect(syslogReceiver(`tls://127.0.0.2:${port}`)([line])).rejects.toThrow(
    'it cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID)',
  )
})

describe('a receiver', () => {
  /** Where it listens: over bare TCP, also where it is asked for TLS. */
  const listening = async (met: (socket: Socket) => void) => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined)
      whenDone(() => void socket.destroy())
      met(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    whenDone(() => void server.close())
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const line = `${JSON.stringify({ time: 0 })}\n`
  const unheard = (place: string) => httpsReceiver(`http://${place}/in`, undefined, 50)

  it.each<[string, (place: string) => Receiver, string]>([
    ['syslog', (place) => syslogReceiver(`tcp://${place}`, 50), 'it cannot be reached (ETIMEDOUT)'],
    ['syslog over tls', (place) => syslogReceiver(`tls://${place}`, 50), 'it cannot be reached (ETIMEDOUT)'],
    ['https', unheard, 'it cannot be reached (TimeoutError)'],
  ])(
    'that never answers has not taken them: %s',
    async (_, to, why) => {
      const place = await listening((socket) => socket.resume())
      await expect(to(place)([line])).rejects.toThrow(why)
    },
    10_000,
  )

  it('that greets first, and hangs up once it has everything, has taken them', async () => {
    let received = ''
    const place = await listening((socket) => {
      socket.write('Welcome.\n')
      socket.on('data', (part) => {
        received += part.toString()
      })
      socket.on('end', () => socket.end('Goodbye.\n'))
    })
    await syslogReceiver(`tcp://${place}`, 2_000)([line])
    expect(received).toMatch(/ audit - \{"time":0\}$/)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['at once', (socket) => socket.end()],
    ['when it is asked who it is', (socket) => socket.once('data', () => socket.end())],
  ])('that hangs up before it has proven who it is has not taken them: %s', async (_, met) => {
    const place = await listening(met)
    await expect(syslogReceiver(`tls://${place}`, 2_000)([line])).rejects.toThrow(
      'it cannot be reached (ECONNRESET)',
    )
  })
})

const eventOf = (over: { kind: string; who?: string; doc?: string; leaf?: string; hash?: string }) => {
  const row = {
    seq: 1,
    id: 'e1',
    at: 0,
    who: 'p',
    name: 'P',
    platform: 'slack',
    command: 'refund',
    changeId: null,
    doc: '{}',
    leaf: 'its leaf',
    hash: null,
  }
  return JSON.parse(ocsfLine({ ...row, ...over }, { origin: 'o', product: '1', addresses: true }).line)
}

test.each([
  ['ran', 'ann', [2, 'Read', 600302, 'API Activity: Read'], 1],
  ['asked', 'ann', [99, 'asked', 600399, 'API Activity: Other'], 1],
  ['stream away', 'bellhop', [99, 'stream away', 600399, 'API Activity: Other'], 3],
])('%s by %s says what it is and whether a person did it', (kind, who, activity, type) => {
  const event = eventOf({ kind, who })
  expect(['activity_id', 'activity_name', 'type_uid', 'type_name'].map((key) => event[key])).toEqual(activity)
  expect(event.actor.user).toMatchObject({ uid: who, type_id: type })
})

/** Everything else that the log tells is for the record. */
test('whoever watches the stream is alarmed by what is not as it should be, and told what failed', () => {
  const told = (kind: string) => {
    const { severity, status } = eventOf({ kind })
    return [severity, status]
  }
  const alarming = ['late', 'witness away', 'stream away', 'emergency', 'policy in force', 'key']
  for (const kind of alarming) expect([kind, ...told(kind)]).toEqual([kind, 'Medium', 'Success'])
  const failed = ['refused', 'failed', 'rejected', 'expired', 'voided', 'not_applied']
  for (const kind of failed) expect([kind, ...told(kind)]).toEqual([kind, 'Informational', 'Failure'])
  for (const kind of ['asked', 'voted', 'applied', 'ran'])
    expect([kind, ...told(kind)]).toEqual([kind, 'Informational', 'Success'])
  expect(told('unknown')).toEqual(['Medium', 'Unknown'])
  expect(told('undelivered')).toEqual(['Medium', 'Failure'])
  const numbers = ['asked', 'failed', 'unknown'].map((kind) => {
    const { severity_id: severity, status_id: status } = eventOf({ kind })
    return [severity, status]
  })
  expect(numbers).toEqual([
    [1, 1],
    [1, 2],
    [3, 0],
  ])
})

test('an event has the code of a failure, and the hash of its entry also where that is of the older chain', () => {
  const refused = eventOf({ kind: 'refused', doc: '{"code":"NOT_ALLOWED"}' })
  expect(refused).toMatchObject({ status_code: 'NOT_ALLOWED', unmapped: { hash: 'its leaf' } })
  expect(ocsfFaults(refused)).toEqual([])
  expect(eventOf({ kind: 'refused', doc: '{"code":5}' })).not.toHaveProperty('status_code')
  const older = eventOf({ kind: 'asked', leaf: '', hash: 'of the chain' })
  expect(older).toMatchObject({ unmapped: { hash: 'of the chain' } })
})
