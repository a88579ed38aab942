import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openEnvelope } from '../../../src/lib/services/client/envelope.ts'
import { interpretAnswer } from '../../../src/lib/services/client/interpret.ts'
import { allRows, rowById } from '../../../src/lib/services/endpoints/tables.ts'
import { ServiceError } from '../../../src/lib/services/errors.ts'
import { anyText } from '../../harness/any-text.ts'
import { json, ok, openRecorder, type Respond, raw, servicesAt } from '../recorder.ts'

const { recorder, services } = await openRecorder()

const subscriber = async () => (await services.email.getSubscriber({ params: { email: 'a@b.co' } })).data

describe('an answer', () => {
  it('of one byte more than is taken is not read', async () => {
    const body = '{"data":{"email":"a@b.co"}}'
    recorder.respond = raw(body)
    const limited = [body.length, body.length - 1].map((maxBytes) =>
      servicesAt(recorder.origin, { maxBytes }),
    )
    const [whole, cut] = limited.map(({ email }) => email.getSubscriber({ params: { email: 'a@b.co' } }))
    await expect(whole).resolves.toMatchObject({ data: { email: 'a@b.co' } })
    await expect(cut).rejects.toMatchObject({ kind: 'malformed' })
    await Promise.all(limited.map(({ close }) => close()))
  })

  it('of five megabytes is read where nobody said how much is taken', async () => {
    const most = 5 * 1024 * 1024
    recorder.respond = raw('{"data":{"email":"a@b.co"}}'.padEnd(most))
    expect(await subscriber()).toMatchObject({ email: 'a@b.co' })
    recorder.respond = raw('{"data":{"email":"a@b.co"}}'.padEnd(most + 1))
    await expect(subscriber()).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('that does not end is left when it is too large', async () => {
    const closed = Promise.withResolvers<void>()
    recorder.respond = (response) => {
      response.on('close', closed.resolve)
      response.write(' '.repeat(200))
    }
    const limited = servicesAt(recorder.origin, { maxBytes: 100 })
    await expect(limited.email.subscriberStats()).rejects.toMatchObject({ kind: 'malformed' })
    await closed.promise
    await limited.close()
  })

  it.each<[string, () => Promise<object>]>([
    ['a read', () => services.email.findLists()],
    ['a change', () => services.billing.deleteAddon({ params: { addon_id: 'a' } })],
  ])('to %s is waited for, be it late to begin or late to go on', async (_, call) => {
    recorder.respond = async (response) => {
      await setTimeout(50)
      response.write('{"status":"success","data":')
      await setTimeout(50)
      response.end('{}}')
    }
    expect(await call()).toMatchObject({ understood: true })
  })

  it('keeps what is unknown and survives what is missing, null or of another type', async () => {
    recorder.respond = ok({
      _id: 77,
      email: null,
      leadScore: '12',
      tags: ['a', null, 3, {}],
      lists: 'not a list',
      customFields: { company: 'Engines', floor: 3 },
      isSuppressed: 'true',
      campaignDetails: ['odd', { campaignName: 'Spring' }],
      suppressionDetail: 'none',
      brandNew: { deep: [1] },
    })
    expect(await subscriber()).toEqual({
      _id: '77',
      email: null,
      leadScore: 12,
      tags: ['a', '3'],
      lists: undefined,
      customFields: { company: 'Engines', floor: 3 },
      isSuppressed: true,
      campaignDetails: [{ campaignName: 'Spring' }],
      suppressionDetail: undefined,
      brandNew: { deep: [1] },
    })
  })

  it.each([
    ['both words', { success: true, status: 'success', message: 'Done', data: { email: 'a@b.co' } }],
    ['a status', { status: 'Success', message: 'Done', data: { email: 'a@b.co' } }],
    ['a numeric status', { status: 200, message: 'Done', data: { email: 'a@b.co' } }],
    ['a numeric status in words', { status: '200', message: 'Done', data: { email: 'a@b.co' } }],
    ['success alone', { success: true, data: { email: 'a@b.co' } }],
    ['data alone', { data: { email: 'a@b.co' } }],
    ['its payload beside it', { success: true, message: 'Done', email: 'a@b.co' }],
    ['no envelope', { email: 'a@b.co' }],
    ['no envelope and a status of its own', { _id: 'x', email: 'a@b.co', status: 'subscribed' }],
    ['no envelope, no id and a status of its own', { email: 'a@b.co', status: 'bounced' }],
  ])('is found in an envelope with %s', async (_, body) => {
    recorder.respond = json(body)
    expect(await subscriber()).toMatchObject({ email: 'a@b.co' })
  })

  it('may begin with a byte order mark', async () => {
    recorder.respond = raw('\uFEFF{"status":"success","data":{"email":"a@b.co"}}')
    expect(await subscriber()).toEqual({ email: 'a@b.co' })
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is not asked for in another encoding, and is read in %s all the same', async (encoding, pack) => {
    const answerWith =
      (body: unknown): Respond =>
      (response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        response.end(pack(JSON.stringify(body)))
      }
    recorder.respond = answerWith({ status: 'success', data: { email: 'a@b.co' } })
    expect(await subscriber()).toEqual({ email: 'a@b.co' })
    expect(recorder.requests.at(-1)?.headers['accept-encoding']).toBe('identity')
    recorder.respond = answerWith({ status: 'error', message: 'Already refunded' })
    await expect(services.billing.refundPayment({ params: { payment_id: 'p' } })).rejects.toMatchObject({
      kind: 'rejected',
      serviceMessage: 'Already refunded',
    })
  })

  it('that would unpack to more than is read, or does not unpack, is not understood', async () => {
    for (const packed of [gzipSync(Buffer.alloc(6 * 1024 * 1024, 32)), Buffer.from('not packed')]) {
      recorder.respond = (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(packed)
      }
      await expect(services.billing.refundPayment({ params: { payment_id: 'p' } })).rejects.toMatchObject({
        outcome: 'unknown',
      })
    }
  })

  it('that is a bare list is the payload', async () => {
    recorder.respond = json([{ id: 'l1', name: 'Keys' }, 'odd', { name: 'More' }])
    const { data } = await services.billing.findLicenses({ params: { product_id: 'p' } })
    expect(data).toEqual([{ id: 'l1', name: 'Keys' }, { name: 'More' }])
  })

  it('keeps its message and the whole body beside the data', async () => {
    const body = { status: 'success', message: 'Payment refunded', note: 1 }
    recorder.respond = json(body)
    expect(await services.billing.refundPayment({ params: { payment_id: 'p' } })).toEqual({
      data: { note: 1 },
      message: 'Payment refunded',
      understood: true,
      status: 200,
      body,
    })
  })
})

describe('the result of a message', () => {
  const sent = async (data: unknown) => {
    recorder.respond = json({ success: true, message: 'Sent', data })
    const body = {
      to: 15550100,
      type: 'template',
      templateName: 't',
      link: 'https://example.com/a.png',
    } as const
    return (await services.chat.sendMediaTemplate({ body })).data
  }

  it.each([
    ['platformResponse', 'channel_id'],
    ['acmeResponse', 'ac_id'],
    ['WireResponse', 'wireId'],
  ])('is read the same under the names %s and %s', async (response, id) => {
    const data = await sent({
      to: '15550100',
      chatId: 'ch1',
      [response]: {
        messaging_product: 'acme',
        contacts: [{ input: '15550100', [id]: '15550100' }],
        messages: [{ id: 'm1', message_status: 'accepted' }],
        status: 200,
      },
    })
    expect(data).toEqual({
      to: '15550100',
      chatId: 'ch1',
      platformResponse: {
        messaging_product: 'acme',
        contacts: [{ input: '15550100', channel_id: '15550100' }],
        messages: [{ id: 'm1', message_status: 'accepted' }],
        status: 200,
      },
    })
  })

  it('without any of it is still a result', async () => {
    expect(await sent({ chatId: 'ch1' })).toEqual({ chatId: 'ch1' })
    await expect(sent({ acmeResponse: { messages: 'odd' } })).rejects.toMatchObject({ outcome: 'unknown' })
  })
})

describe('whatever a service answers', () => {
  const names = fc.constantFrom(
    'status',
    'success',
    'message',
    'data',
    'tags',
    'contacts',
    'messages',
    '__proto__',
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.constantFrom('success', 'error', 200, 500, true, false, null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(names, fc.string()), tie('any'), { maxKeys: 5 }),
    ),
  })).any
  const status = fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 599 }))
  const exchange = (code: number, body: string) =>
    ({ end: 'answered', status: code, headers: {}, body: Buffer.from(body) }) as const
  const reading = { now: 0, redact: (words: string) => words }

  it('the verdict is an answer or a service error, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allRows()), status, value, (named, code, body) => {
        const verdict = interpretAnswer(named, exchange(code, JSON.stringify(body)), reading)
        if (!(verdict instanceof ServiceError)) expect(code).toBeLessThan(300)
        else {
          if (named.row.effect === 'read') expect(verdict.outcome).toBe('not_done')
          expect(verdict.serviceMessage?.length ?? 0).toBeLessThanOrEqual(300)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('bytes that are no JSON are no surprise either', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allRows()), status, anyText(), (named, code, text) => {
        const verdict = interpretAnswer(named, exchange(code, text), reading)
        expect(verdict instanceof ServiceError || verdict.status === code).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('a refund with a 2xx answer is done or refused if an envelope says so, and open otherwise', () => {
    const refund = rowById('billing.refundPayment')
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 299 }), value, (code, body) => {
        const said = interpretAnswer(refund, exchange(code, JSON.stringify(body)), reading)
        const { verdict } = openEnvelope(body, true)
        if (!(said instanceof ServiceError)) expect(verdict).toBe('done')
        else if (verdict === 'refused') expect(said).toMatchObject({ kind: 'rejected', outcome: 'not_done' })
        else expect(said).toMatchObject({ kind: 'malformed', outcome: 'unknown' })
      }),
      { numRuns: 1_000 },
    )
  })
})
