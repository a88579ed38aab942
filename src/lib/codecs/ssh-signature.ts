import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** A public key as OpenSSH writes it: `ssh-ed25519 AAAA… comment`. `blob` is the part that says which key it is. */
export type SshKey = { kind: string; blob: Buffer }

/** A line of an OpenSSH public key; undefined for anything that cannot check a signature here. */
export const readSshKey = (line: string): SshKey | undefined => {
  const [kind = '', base64 = ''] = line.trim().split(/\s+/)
  const blob = Buffer.from(base64, 'base64')
  if (blob.toString('base64') !== base64) return undefined
  try {
    return publicKeyOf(blob).kind === kind ? { kind, blob } : undefined
  } catch {
    return undefined
  }
}

/** A signature that `ssh-keygen -Y sign` made; OpenSSH's PROTOCOL.sshsig says what is in it. */
export type SshSignature = {
  key: Buffer
  namespace: string
  hash: string
  signature: Buffer
}

/** Every armoured signature in a text; what is none is left out. */
export const signaturesIn = (text: string): SshSignature[] =>
  [...text.matchAll(/-----BEGIN SSH SIGNATURE-----([A-Za-z0-9+/=\s]*)-----END SSH SIGNATURE-----/g)].flatMap(
    ([, body = '']) => {
      try {
        return [read(Buffer.from(body, 'base64'))]
      } catch {
        return []
      }
    },
  )

const magic = 'SSHSIG'

const read = (blob: Buffer): SshSignature => {
  const fields = reader(blob)
  if (fields.bytes(magic.length).toString('latin1') !== magic || fields.number() !== 1)
    throw new TypeError('no signature of this form')
  const key = fields.string()
  const namespace = fields.string().toString()
  fields.string()
  const hash = fields.string().toString()
  const signature = fields.string()
  fields.end()
  return { key, namespace, hash, signature }
}

/** Whether a key signed these bytes for this purpose. */
export const isSignedBy = (
  key: SshKey,
  { key: by, namespace, hash, signature }: SshSignature,
  message: Uint8Array,
  purpose: string,
): boolean => {
  if (!by.equals(key.blob) || namespace !== purpose || !['sha256', 'sha512'].includes(hash)) return false
  const signed = Buffer.concat([
    Buffer.from(magic),
    stringOf(namespace),
    stringOf(''),
    stringOf(hash),
    stringOf(createHash(hash).update(message).digest()),
  ])
  try {
    return isGood(publicKeyOf(key.blob), signature, signed)
  } catch {
    return false
  }
}

/** `application` is that of a key on hardware, which signs more than it is given. */
type PublicKey = { kind: string; key: KeyObject; application?: Buffer; bytes?: number }

const curves: Record<string, [crv: string, bytes: number, hash: string]> = {
  nistp256: ['P-256', 32, 'sha256'],
  nistp384: ['P-384', 48, 'sha384'],
  nistp521: ['P-521', 66, 'sha512'],
}
const minRsaBits = 2048

const publicKeyOf = (blob: Buffer): PublicKey => {
  const fields = reader(blob)
  const kind = fields.string().toString()
  const isHardware = kind.startsWith('sk-')
  const known = { kind, ...partsOf(kind, fields) }
  const application = isHardware ? { application: fields.string() } : {}
  fields.end()
  return { ...known, ...application }
}

const partsOf = (kind: string, fields: Reader): { key: KeyObject; bytes?: number } => {
  const jwk = (key: object) => createPublicKey({ key: { ...key }, format: 'jwk' })
  switch (kind) {
    case 'ssh-ed25519':
    case 'sk-ssh-ed25519@openssh.com':
      return { key: jwk({ kty: 'OKP', crv: 'Ed25519', x: fields.string().toString('base64url') }) }
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
    case 'sk-ecdsa-sha2-nistp256@openssh.com': {
      const [crv, bytes] = curves[fields.string().toString()] ?? ['', 0]
      const point = fields.string()
      if (point[0] !== 4 || point.length !== 1 + 2 * bytes || !kind.includes(`nistp${crv.slice(2)}`))
        throw new TypeError('no point of this curve')
      const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)].map((half) =>
        half.toString('base64url'),
      )
      return { key: jwk({ kty: 'EC', crv, x, y }), bytes }
    }
    case 'ssh-rsa': {
      const [e, n] = [fields.string(), fields.string()].map((number) => number.toString('base64url'))
      const key = jwk({ kty: 'RSA', e, n })
      if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits) throw new TypeError('a short key')
      return { key }
    }
    default:
      throw new TypeError('a kind of key that is not known')
  }
}

const isGood = ({ kind, key, application, bytes }: PublicKey, blob: Buffer, signed: Buffer): boolean => {
  const fields = reader(blob)
  const algorithm = fields.string().toString()
  const signature = fields.string()
  if (kind === 'ssh-rsa') {
    const hash = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }[algorithm]
    fields.end()
    return hash !== undefined && verify(hash, signed, key, signature)
  }
  if (algorithm !== kind) return false
  const data = application === undefined ? signed : byHardware(application, fields, signed)
  fields.end()
  if (bytes === undefined) return verify(null, data, key, signature)
  const pair = reader(signature)
  const [r, s] = [numberOf(pair.string(), bytes), numberOf(pair.string(), bytes)]
  pair.end()
  const hash = Object.values(curves).find(([, size]) => size === bytes)?.[2] ?? 'sha256'
  return verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([r, s]))
}

/** What a key on hardware signs: PROTOCOL.u2f. Somebody must have touched it. */
const byHardware = (application: Buffer, fields: Reader, signed: Buffer): Buffer => {
  const flags = fields.bytes(1)
  const counter = fields.bytes(4)
  if (((flags[0] ?? 0) & 1) === 0) throw new TypeError('nobody touched the key')
  const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()
  return Buffer.concat([sha256(application), flags, counter, sha256(signed)])
}

type Reader = { bytes(length: number): Buffer; number(): number; string(): Buffer; end(): void }

const reader = (from: Buffer): Reader => {
  let at = 0
  const bytes = (length: number): Buffer => {
    if (at + length > from.length) throw new RangeError('it ends too early')
    at += length
    return from.subarray(at - length, at)
  }
  const number = () => bytes(4).readUInt32BE()
  return {
    bytes,
    number,
    string: () => bytes(number()),
    end: () => {
      if (at !== from.length) throw new RangeError('there is more behind it')
    },
  }
}

const stringOf = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A number of SSH, which may have a zero before it, in so many bytes. */
const numberOf = (given: Buffer, bytes: number): Buffer => {
  const digits = given.subarray(given.findIndex((byte) => byte !== 0))
  if (digits.length > bytes) throw new RangeError('a number that is too long')
  return Buffer.concat([Buffer.alloc(bytes - digits.length), digits])
}
