import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { type Der, der, derInteger, oidOf, readDer, tags } from './der.ts'

/** What a time stamp of RFC 3161 says, once all of it that can be checked here was checked. */
export type TimeStamp = {
  at: number
  /** The subject of the certificate that signed it. */
  by: string
  /** Whether its certificate leads to an authority that this machine trusts; NODE_EXTRA_CA_CERTS names further ones. */
  isTrusted: boolean
}

type Claim = { digest: Buffer; nonce?: Buffer }

/** A request for a stamp on these bytes, and the number that must come back with it. */
export const timeStampRequest = (digest: Buffer, nonce: Buffer): Buffer =>
  der(
    tags.sequence,
    derInteger(Buffer.of(1)),
    der(tags.sequence, der(tags.sequence, sha256Oid, der(tags.nothing)), der(tags.octets, digest)),
    derInteger(nonce),
    der(tags.boolean, Buffer.of(0xff)),
  )

/** Reads an authority's answer. It throws, with what is wrong in words, unless the stamp is good for exactly these bytes. */
export const readTimeStamp = (answer: Buffer, { digest, nonce }: Claim): TimeStamp => {
  const [status, token] = inside(only(readDer(answer)))
  const granted = status === undefined ? undefined : inside(status)[0]?.body
  if (granted?.length !== 1 || (granted[0] as number) > 1) throw new TypeError('no stamp was granted')
  if (token === undefined) throw new TypeError('there is no stamp in the answer')
  const { content, certificates, signer } = signedDataIn(token)
  const info = inside(only(readDer(content)))
  const [, , imprint] = info
  const [algorithm, hashed] = imprint === undefined ? [] : inside(imprint)
  if (algorithm === undefined || oidOf(inside(algorithm)[0] as Der) !== digestNames.sha256) {
    throw new TypeError('the stamp is not for a SHA-256 digest')
  }
  if (!hashed?.body.equals(digest)) throw new TypeError('the stamp is for something else')
  if (nonce !== undefined && !info.slice(5).some(({ whole }) => whole.equals(derInteger(nonce)))) {
    throw new TypeError('the stamp answers another request')
  }
  const time = info.find(({ tag }) => tag === tags.time)
  const at = time === undefined ? Number.NaN : timeOf(time.body.toString('latin1'))
  if (Number.isNaN(at)) throw new TypeError('the stamp has no time')
  const by = certificateOf(signer, certificates)
  checkSignature(signer, by, content)
  checkCertificate(by, at)
  return { at, by: nameOf(by), isTrusted: isTrusted(by, certificates) }
}

/** `oid.` numbers of what a stamp is made of. */
const kinds = {
  signedData: '1.2.840.113549.1.7.2',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  pss: '1.2.840.113549.1.1.10',
} as const

const digestNames = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const
const sha256Oid = Buffer.from('0609608648016503040201', 'hex')

type SignerInfo = {
  issuer: Buffer
  serial: Buffer
  hash: string
  attributes: Der
  algorithm: string
  signature: Buffer
}

const inside = ({ body }: Der): Der[] => readDer(body)

const only = (elements: readonly Der[]): Der => {
  const [first] = elements
  if (first === undefined || elements.length > 1) throw new TypeError('the answer is no time stamp')
  return first
}

const signedDataIn = (
  token: Der,
): { content: Buffer; certificates: X509Certificate[]; signer: SignerInfo } => {
  const [kind, wrapped] = inside(token)
  if (kind === undefined || wrapped === undefined || oidOf(kind) !== kinds.signedData) {
    throw new TypeError('the stamp is not signed data')
  }
  const [, , content, ...rest] = inside(only(inside(wrapped)))
  const [contentKind, octets] = content === undefined ? [] : inside(content)
  if (contentKind === undefined || octets === undefined || oidOf(contentKind) !== kinds.stampInfo) {
    throw new TypeError('what is signed is no time stamp')
  }
  const certificates = rest.find(({ tag }) => tag === tags.context0)
  const signers = rest.findLast(({ tag }) => tag === tags.set)
  if (signers === undefined) throw new TypeError('nobody signed the stamp')
  return {
    content: only(inside(octets)).body,
    certificates:
      certificates === undefined ? [] : inside(certificates).map(({ whole }) => new X509Certificate(whole)),
    signer: signerIn(only(inside(signers))),
  }
}

const signerIn = (element: Der): SignerInfo => {
  const [, identity, digest, attributes, algorithm, signature] = inside(element)
  if (
    identity?.tag !== tags.sequence ||
    digest === undefined ||
    attributes?.tag !== tags.context0 ||
    algorithm === undefined ||
    signature === undefined
  ) {
    throw new TypeError('the signature of the stamp is not complete')
  }
  const [issuer, serial] = inside(identity)
  const oid = oidOf(inside(digest)[0] as Der)
  const hash = Object.entries(digestNames).find(([, known]) => known === oid)?.[0]
  if (issuer === undefined || serial === undefined || hash === undefined) {
    throw new TypeError('the signature of the stamp is of an unknown kind')
  }
  return {
    issuer: issuer.whole,
    serial: serial.whole,
    hash,
    attributes,
    algorithm: oidOf(inside(algorithm)[0] as Der),
    signature: signature.body,
  }
}

const certificateOf = (
  { issuer, serial }: SignerInfo,
  among: readonly X509Certificate[],
): X509Certificate => {
  const found = among.find(({ raw }) => {
    const fields = inside(inside(only(readDer(raw)))[0] as Der)
    // The version stands first in every certificate that has extensions.
    const [number, , name] = fields[0]?.tag === tags.context0 ? fields.slice(1) : fields
    return number?.whole.equals(serial) && name?.whole.equals(issuer)
  })
  if (found === undefined) throw new TypeError('the certificate of its signer is not in the stamp')
  return found
}

/** The signature is over the attributes, and these hold the digest of the content and of the certificate. */
const checkSignature = (signer: SignerInfo, by: X509Certificate, content: Buffer): void => {
  const attributeOf = (kind: string): Der | undefined => {
    const found = inside(signer.attributes).find((one) => oidOf(inside(one)[0] as Der) === kind)
    const values = found === undefined ? undefined : inside(found)[1]
    return values === undefined ? undefined : inside(values)[0]
  }
  const type = attributeOf(kinds.contentType)
  const digest = attributeOf(kinds.messageDigest)
  if (type === undefined || oidOf(type) !== kinds.stampInfo)
    throw new TypeError('the stamp signs something else')
  if (!digest?.body.equals(createHash(signer.hash).update(content).digest())) {
    throw new TypeError('the stamp is not as it was signed')
  }
  const [v1, v2] = [attributeOf(kinds.signingCertificate), attributeOf(kinds.signingCertificateV2)]
  const named = v2 ?? v1
  const first = named === undefined ? undefined : inside(inside(inside(named)[0] as Der)[0] as Der)
  const certificateDigest = first?.find(({ tag }) => tag === tags.octets)?.body
  const algorithm = first?.[0]?.tag === tags.sequence ? oidOf(inside(first[0])[0] as Der) : digestNames.sha256
  const hash =
    v2 === undefined ? 'sha1' : Object.entries(digestNames).find(([, oid]) => oid === algorithm)?.[0]
  if (hash === undefined || !certificateDigest?.equals(createHash(hash).update(by.raw).digest())) {
    throw new TypeError('the stamp is signed for another certificate')
  }
  // Inside the message the set has the tag of its place; what is signed is the set as such.
  const signed = Buffer.concat([Buffer.of(tags.set), signer.attributes.whole.subarray(1)])
  const isEdwards = /^ed/.test(by.publicKey.asymmetricKeyType ?? '')
  const padding = signer.algorithm === kinds.pss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}
  if (!verify(isEdwards ? null : signer.hash, signed, { key: by.publicKey, ...padding }, signer.signature)) {
    throw new TypeError('the signature of the stamp is wrong')
  }
}

const checkCertificate = (by: X509Certificate, at: number): void => {
  if (!by.keyUsage?.includes(kinds.timeStamping)) {
    throw new TypeError('the certificate of the stamp is not for time stamps')
  }
  if (at < Date.parse(by.validFrom) || at > Date.parse(by.validTo)) {
    throw new TypeError('the certificate of the stamp was not valid at that time')
  }
}

const isTrusted = (by: X509Certificate, among: readonly X509Certificate[]): boolean => {
  let at = by
  for (let steps = 0; steps < 8; steps++) {
    const current = at
    const isIssuer = (other: X509Certificate) => current.checkIssued(other) && current.verify(other.publicKey)
    if (trustedRoots().some(isIssuer)) return true
    const next = among.find((other) => !other.raw.equals(current.raw) && other.ca && isIssuer(other))
    if (next === undefined) return false
    at = next
  }
  return false
}

let roots: X509Certificate[] | undefined

const trustedRoots = (): X509Certificate[] => {
  roots ??= getCACertificates('default').map((pem) => new X509Certificate(pem))
  return roots
}

const nameOf = ({ subject }: X509Certificate): string =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')

/** `20261115134648Z`, with or without parts of a second. */
const timeOf = (text: string): number => {
  const [, y, mo, d, h, mi, s, part = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text) ?? []
  return y === undefined ? Number.NaN : Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${part.slice(0, 4)}Z`)
}
