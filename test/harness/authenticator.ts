import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Assertion, MadeKey } from '../../src/kernel/model/passkey.ts'

type Options = { challenge: string }
type Signing = { origin?: string; rpId?: string; flags?: number }

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()
const text = (words: string): Buffer => Buffer.concat([Buffer.of(0x60 + words.length), Buffer.from(words)])
const bytes = (value: Buffer): Buffer =>
  value.length < 256
    ? Buffer.concat([Buffer.of(0x58, value.length), value])
    : Buffer.concat([Buffer.of(0x59, value.length >> 8, value.length & 255), value])

/** Somebody was there, and the device made sure who it was. */
const verified = 0x05

/** A device that makes and uses one passkey (ES256), for tests that need no browser. */
export const createAuthenticator = (site: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  let counter = 0
  const dataOf = ({ rpId = new URL(site).hostname, flags = verified }: Signing, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count, more])
  }
  const clientOf = (type: string, { challenge }: Options, { origin = site }: Signing): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const about = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  return {
    id,
    make: (options: object, how: Signing = {}): MadeKey => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, rawId.length), rawId, cose])
      const flags = (how.flags ?? verified) | 0x40
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.of(0xa0),
        text('authData'),
        bytes(dataOf({ ...how, flags }, attested)),
      ])
      return {
        ...about,
        response: {
          clientDataJSON: clientOf('webauthn.create', options as Options, how).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
        },
      }
    },
    sign: (options: object, how: Signing = {}): Assertion => {
      const [data, client] = [dataOf(how), clientOf('webauthn.get', options as Options, how)]
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...about,
        response: {
          authenticatorData: data.toString('base64url'),
          clientDataJSON: client.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
