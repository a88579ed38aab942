import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { der, derInteger, tags } from '../../../src/features/witnesses/der.ts'

/** An object identifier, from its dotted form. */
export const oid = (dotted: string): Buffer => {
  const [top = 0, next = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [top * 40 + next, ...rest].flatMap((number) => {
    const digits = [number % 128]
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) + 128)
    return digits
  })
  return der(tags.oid, Buffer.from(bytes))
}
export const sequence = (...parts: Buffer[]): Buffer => der(tags.sequence, ...parts)
const text = (tag: number, words: string) => der(tag, Buffer.from(words))
const version = (number: number) => derInteger(Buffer.of(number))

export const hashes = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const
export const kinds = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  webServer: '1.3.6.1.5.5.7.3.1',
  pss: '1.2.840.113549.1.1.10',
  ecdsa: '1.2.840.10045.4.3.2',
} as const

/** A certificate as an authority has it. Nobody asks who issued it, so nothing is signed. */
export const certificateOf = (
  publicKey: KeyObject,
  { from = '20200101000000Z', to = '20400101000000Z', usage = kinds.timeStamping as string } = {},
): Buffer => {
  const algorithm = sequence(oid(kinds.ecdsa))
  const name = sequence(der(tags.set, sequence(oid('2.5.4.3'), text(0x0c, 'Test'))))
  const use = sequence(oid('2.5.29.37'), der(tags.octets, sequence(oid(usage))))
  const body = sequence(
    der(tags.context0, version(2)),
    version(7),
    algorithm,
    name,
    sequence(text(tags.time, from), text(tags.time, to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(use)),
  )
  return sequence(body, algorithm, der(0x03, Buffer.alloc(9)))
}

export type Parts = ReturnType<typeof partsFor>

/** What a stamp on a digest is made of, each part to be replaced. */
export const partsFor = (digest: Buffer, nonce: Buffer) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    status: [derInteger(Buffer.of(0))],
    kind: kinds.signedData as string,
    contentKind: kinds.stampInfo as string,
    imprintHash: hashes.sha256 as string,
    imprint: digest,
    serial: derInteger(Buffer.of(9)),
    time: text(tags.time, '20261115134648Z'),
    rest: [sequence(version(1)), der(tags.boolean, Buffer.of(0xff)), derInteger(nonce)],
    certificate: certificateOf(publicKey),
    certificates: undefined as Buffer[] | undefined,
    hash: 'sha256' as 'sha256' | 'sha384' | 'sha512' | 'sha1',
    signedKind: kinds.stampInfo as string,
    signedDigest: undefined as Buffer | undefined,
    /** Which form names the certificate, and by which hash. */
    names: ['v2', undefined] as ['v1' | 'v2' | 'none', keyof typeof hashes | undefined],
    algorithm: kinds.ecdsa as string,
    signature: (bytes: Buffer, hash: string) => sign(hash, bytes, privateKey),
    attributesTag: tags.context0 as number,
    signers: 1,
    token: true,
  }
}

/** The answer of an authority, with its signature over whatever was replaced. */
export const stampOf = (parts: Parts): Buffer => {
  const { certificate, hash, names } = parts
  const info = sequence(
    version(1),
    oid('1.2.3.4.1'),
    sequence(sequence(oid(parts.imprintHash), der(tags.nothing)), der(tags.octets, parts.imprint)),
    parts.serial,
    parts.time,
    ...parts.rest,
  )
  const attribute = (kind: string, value: Buffer) => sequence(oid(kind), der(tags.set, value))
  const [form, named] = names
  const digestOf = (name: string) => der(tags.octets, createHash(name).update(certificate).digest())
  const issuerAndSerial = sequence(version(7))
  const attributes = [
    attribute('1.2.840.113549.1.9.3', oid(parts.signedKind)),
    attribute(
      '1.2.840.113549.1.9.4',
      der(tags.octets, parts.signedDigest ?? createHash(hash).update(info).digest()),
    ),
    ...(form === 'v1'
      ? [
          attribute(
            '1.2.840.113549.1.9.16.2.12',
            sequence(sequence(sequence(digestOf(named ?? 'sha1'), issuerAndSerial))),
          ),
        ]
      : []),
    ...(form === 'v2'
      ? [
          attribute(
            '1.2.840.113549.1.9.16.2.47',
            sequence(
              sequence(
                sequence(
                  ...(named === undefined ? [] : [sequence(oid(hashes[named]))]),
                  digestOf(named ?? 'sha256'),
                  issuerAndSerial,
                ),
              ),
            ),
          ),
        ]
      : []),
  ]
  const signature = parts.signature(der(tags.set, ...attributes), hash)
  const signer = sequence(
    version(1),
    issuerAndSerial,
    sequence(oid(hashes[hash])),
    der(parts.attributesTag, ...attributes),
    sequence(oid(parts.algorithm)),
    ...(signature.length === 0 ? [] : [der(tags.octets, signature)]),
  )
  const certificates = parts.certificates ?? [certificate]
  const data = sequence(
    version(3),
    der(tags.set, sequence(oid(hashes[hash]))),
    sequence(oid(parts.contentKind), der(tags.context0, der(tags.octets, info))),
    ...(certificates.length === 0 ? [] : [der(tags.context0, ...certificates)]),
    ...(parts.signers === 0 ? [] : [der(tags.set, ...Array.from({ length: parts.signers }, () => signer))]),
  )
  const token = sequence(oid(parts.kind), der(tags.context0, data))
  return sequence(sequence(...parts.status), ...(parts.token ? [token] : []))
}
