import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { der, derInteger, tags } from '../../../src/features/witnesses/der.ts'
import { checkTimeStamp } from '../../../src/features/witnesses/time-stamp.ts'
import { certificateOf, hashes, kinds, oid, type Parts, partsFor, sequence, stampOf } from './made-stamp.ts'

const digest = Buffer.alloc(32, 5)

describe('a stamp', () => {
  const nonce = Buffer.from('0102030405060708', 'hex')
  const whole = partsFor(digest, nonce)
  const said = (change: Partial<Parts>, claim = { digest, nonce }) => {
    try {
      checkTimeStamp(stampOf({ ...whole, ...change }), claim)
      return 'good'
    } catch (error) {
      return (error as Error).message
    }
  }
  const time = (words: string) => ({ time: der(tags.time, Buffer.from(words)) })
  const validity = { from: '20261115134648Z', to: '20261115134650Z' }
  const keyed = (kind: 'rsa' | 'ed25519', padding?: number): Partial<Parts> => {
    const { publicKey, privateKey } =
      kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 1024 }) : generateKeyPairSync('ed25519')
    return {
      certificate: certificateOf(publicKey),
      signature: (bytes, hash) =>
        sign(kind === 'rsa' ? hash : null, bytes, { key: privateKey, ...(padding && { padding }) }),
    }
  }
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const of = (over: Parameters<typeof certificateOf>[1]): Partial<Parts> => ({
    certificate: certificateOf(ec.publicKey, over),
    signature: (bytes, hash) => sign(hash, bytes, ec.privateKey),
  })
  const other = certificateOf(ec.publicKey)

  it.each<[string, Partial<Parts>]>([
    ['as authorities make them', {}],
    ['granted with changes', { status: [derInteger(Buffer.of(1))] }],
    ['with words beside its status', { status: [derInteger(Buffer.of(0)), sequence()] }],
    ['with nothing between its time and its nonce', { rest: [derInteger(nonce)] }],
    ['with parts of a second', time('20261115134648.1Z')],
    ['with many parts of a second', time('20261115134648.123456789Z')],
    ['that names its certificate by SHA-1', { names: ['v1', undefined] }],
    ['that names its certificate by a hash that it says', { names: ['v2', 'sha256'] }],
    ['that names its certificate by another hash', { names: ['v2', 'sha512'] }],
    ['signed with SHA-384', { hash: 'sha384' }],
    ['signed with SHA-512', { hash: 'sha512' }],
    ['signed with RSA', keyed('rsa')],
    ['signed with RSA-PSS', { ...keyed('rsa', constants.RSA_PKCS1_PSS_PADDING), algorithm: kinds.pss }],
    ['signed with Ed25519', keyed('ed25519')],
    ['with certificates of others around its own', { certificates: [other, whole.certificate, other] }],
    ['at the first moment of its certificate', of(validity)],
    ['at the last moment of its certificate', { ...of(validity), ...time('20261115134650Z') }],
  ])('%s is good', (_, change) => {
    expect(said(change)).toBe('good')
  })

  it.each<[string, Partial<Parts>]>([
    ['no stamp was granted', { status: [derInteger(Buffer.of(2))] }],
    ['no stamp was granted', { status: [derInteger(Buffer.of(1, 0))] }],
    ['no stamp was granted', { status: [] }],
    ['there is no stamp in the answer', { token: false }],
    ['the stamp is not signed data', { kind: kinds.data }],
    ['what is signed is no time stamp', { contentKind: kinds.data }],
    ['nobody signed the stamp', { signers: 0 }],
    ['nobody signed the stamp', { signers: 0, certificates: [] }],
    ['the answer is no time stamp', { signers: 2 }],
    ['the stamp is not for a SHA-256 digest', { imprintHash: hashes.sha512 }],
    ['the stamp is for something else', { imprint: Buffer.alloc(32) }],
    ['the stamp answers another request', { rest: [] }],
    ['the stamp answers another request', { rest: [derInteger(Buffer.of(9))] }],
    ['the stamp answers another request', { rest: [], serial: derInteger(nonce) }],
    ['the stamp has no time', time('')],
    ['the stamp has no time', time('2026111513464Z')],
    ['the stamp has no time', time('20261315134648Z')],
    ['the stamp has no time', time('2026-11-15T13:46:48Z')],
    ['the signature of the stamp is not complete', { attributesTag: 0xa1 }],
    ['the signature of the stamp is not complete', { signature: () => Buffer.alloc(0) }],
    ['the signature of the stamp is of an unknown kind', { hash: 'sha1' }],
    ['the stamp signs something else', { signedKind: kinds.data }],
    ['the stamp is not as it was signed', { signedDigest: Buffer.alloc(32) }],
    ['the certificate of its signer is not in the stamp', { certificates: [] }],
    ['the certificate of its signer is not in the stamp', { certificates: [other] }],
    ['the certificate of its signer is not in the stamp', { names: ['none', undefined] }],
    ['the certificate of its signer is not in the stamp', { names: ['v2', 'sha1'] }],
    ['the certificate of its signer is not in the stamp', { names: ['v1', 'sha256'] }],
    ['the signature of the stamp is wrong', { signature: (bytes, hash) => sign(hash, bytes, ec.privateKey) }],
    ['the signature of the stamp is wrong', keyed('rsa', constants.RSA_PKCS1_PSS_PADDING)],
    ['the certificate of the stamp is not for time stamps', of({ usage: kinds.webServer })],
    [
      'the certificate of the stamp was not valid at that time',
      { ...of(validity), ...time('20261115134647.9Z') },
    ],
    [
      'the certificate of the stamp was not valid at that time',
      { ...of(validity), ...time('20261115134650.1Z') },
    ],
  ])('%s', (words, change) => {
    expect(said(change)).toBe(words)
  })

  it('is the one thing in an answer', () => {
    const answer = stampOf(whole)
    expect(() => checkTimeStamp(Buffer.concat([answer, answer]), { digest })).toThrow('is no time stamp')
    expect(() => checkTimeStamp(Buffer.alloc(0), { digest })).toThrow('is no time stamp')
    expect(() => checkTimeStamp(sequence(), { digest })).toThrow('no stamp was granted')
    expect(() => checkTimeStamp(answer, { digest })).not.toThrow()
    const empty = sequence(sequence(derInteger(Buffer.of(0))), sequence())
    expect(() => checkTimeStamp(empty, { digest })).toThrow('the stamp is not signed data')
    const bare = sequence(sequence(derInteger(Buffer.of(0))), sequence(oid(kinds.signedData)))
    expect(() => checkTimeStamp(bare, { digest })).toThrow('is no time stamp')
  })
})
