import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import { type Der, der, derInteger, oidOf, readDer, tags } from './der.ts'

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

/**
 * Reads an authority's answer (RFC 3161). It throws, with what is wrong in words, unless the stamp is good for exactly these
 * bytes. Whether its authority is one to believe is for those who name it in bellhop.yml.
 */
export const checkTimeStamp = (answer: Buffer, { digest, nonce }: Claim): void => {
  const [status, token] = inside(only(readDer(answer)))
  const granted = firstIn(status)?.body
  if (granted?.length !== 1 || (granted[0] as number) > 1) throw new TypeError('no stamp was granted')
  if (token === undefined) throw new TypeError('there is no stamp in the answer')
  const { content, certificates, signer } = signedDataIn(token)
  const [, , imprint, , time, ...rest] = inside(only(readDer(content)))
  const [algorithm, hashed] = inside(imprint)
  if (hashNames[oidIn(algorithm)] !== 'sha256') throw new TypeError('the stamp is not for a SHA-256 digest')
  if (!hashed?.body.equals(digest)) throw new TypeError('the stamp is for something else')
  if (nonce !== undefined && !rest.some(({ whole }) => whole.equals(derInteger(nonce)))) {
    throw new TypeError('the stamp answers another request')
  }
  const at = timeOf(time?.body.toString('latin1') ?? '')
  if (Number.isNaN(at)) throw new TypeError('the stamp has no time')
  checkCertificate(signerOf(signer, certificates, content), at)
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

const hashNames: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const sha256Oid = Buffer.from('0609608648016503040201', 'hex')

const inside = (element: Der | undefined): Der[] => (element === undefined ? [] : readDer(element.body))

const firstIn = (element: Der | undefined): Der | undefined => inside(element)[0]

/** The identifier that an element begins with. */
const oidIn = (element: Der | undefined): string => {
  const first = firstIn(element)
  return first === undefined ? '' : oidOf(first)
}

const only = (elements: readonly Der[]): Der => {
  const [first] = elements
  if (first === undefined || elements.length > 1) throw new TypeError('the answer is no time stamp')
  return first
}

const signedDataIn = (token: Der): { content: Buffer; certificates: X509Certificate[]; signer: Der } => {
  if (oidIn(token) !== kinds.signedData) throw new TypeError('the stamp is not signed data')
  const [, wrapped] = inside(token)
  const [, , content, ...rest] = inside(only(inside(wrapped)))
  if (oidIn(content) !== kinds.stampInfo) throw new TypeError('what is signed is no time stamp')
  const [, octets] = inside(content)
  // Certificates may come first; the signers are last.
  const [certificates] = rest
  const signers = rest.at(-1)
  if (signers?.tag !== tags.set) throw new TypeError('nobody signed the stamp')
  return {
    content: only(inside(octets)).body,
    certificates:
      certificates?.tag === tags.context0
        ? inside(certificates).map(({ whole }) => new X509Certificate(whole))
        : [],
    signer: only(inside(signers)),
  }
}

/**
 * The certificate that signed it. The signature is over the attributes, and these hold the digest of the content and of the
 * certificate.
 */
const signerOf = (
  signer: Der,
  certificates: readonly X509Certificate[],
  content: Buffer,
): X509Certificate => {
  const [, , digest, attributes, algorithm, signature] = inside(signer)
  if (attributes?.tag !== tags.context0 || signature === undefined) {
    throw new TypeError('the signature of the stamp is not complete')
  }
  const hash = hashNames[oidIn(digest)]
  if (hash === undefined) throw new TypeError('the signature of the stamp is of an unknown kind')
  const said = new Map(inside(attributes).map((one) => [oidIn(one), firstIn(inside(one)[1])]))
  const type = said.get(kinds.contentType)
  if (type === undefined || oidOf(type) !== kinds.stampInfo)
    throw new TypeError('the stamp signs something else')
  if (!said.get(kinds.messageDigest)?.body.equals(createHash(hash).update(content).digest())) {
    throw new TypeError('the stamp is not as it was signed')
  }
  const by = certificates.find((one) => isNamed(said, one))
  if (by === undefined) throw new TypeError('the certificate of its signer is not in the stamp')
  // Inside the message the set has the tag of its place; what is signed is the set as such.
  const signed = Buffer.concat([Buffer.of(tags.set), attributes.whole.subarray(1)])
  const isEdwards = /^ed/.test(by.publicKey.asymmetricKeyType ?? '')
  const padding = oidIn(algorithm) === kinds.pss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}
  if (!verify(isEdwards ? null : hash, signed, { key: by.publicKey, ...padding }, signature.body)) {
    throw new TypeError('the signature of the stamp is wrong')
  }
  return by
}

/** Whether the attributes hold the digest of this certificate. */
const isNamed = (said: ReadonlyMap<string, Der | undefined>, { raw }: X509Certificate): boolean => {
  const v2 = said.get(kinds.signingCertificateV2)
  const [first, second] = inside(firstIn(firstIn(v2 ?? said.get(kinds.signingCertificate))))
  // How the digest was made stands before it, unless it is the way that need not be said.
  const isShort = first?.tag === tags.octets
  const hash = v2 === undefined ? 'sha1' : isShort ? 'sha256' : hashNames[oidIn(first)]
  const digest = isShort ? first : second
  return hash !== undefined && digest?.body.equals(createHash(hash).update(raw).digest()) === true
}

const checkCertificate = (by: X509Certificate, at: number): void => {
  if (!by.keyUsage?.includes(kinds.timeStamping)) {
    throw new TypeError('the certificate of the stamp is not for time stamps')
  }
  if (at < Date.parse(by.validFrom) || at > Date.parse(by.validTo)) {
    throw new TypeError('the certificate of the stamp was not valid at that time')
  }
}

/** `20261115134648Z`, with or without parts of a second; what is no time is no number. */
const timeOf = (text: string): number => {
  const [, y, mo, d, h, mi, s, part = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text) ?? []
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${part}Z`)
}
