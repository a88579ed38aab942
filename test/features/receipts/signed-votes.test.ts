import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { receiptPage } from '../../../src/features/receipts/receipt.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { challengeOf, checkReceipt, whyNotSigned } from '../../../verify.mjs'
import { treeOf } from '../../audit/rfc-6962.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** CBOR (RFC 8949) as far as a public key needs it: whole numbers, bytes, and a map of both. */
const head = (
  kind: number,
  value: number,
  width = value < 24 ? 0 : value < 256 ? 1 : value < 65_536 ? 2 : 4,
) => {
  const bytes = Buffer.alloc(1 + width)
  bytes[0] = (kind << 5) | (width === 0 ? value : 23 + [1, 2, 4].indexOf(width) + 1)
  if (width > 0) bytes.writeUIntBE(value, 1, width)
  return bytes
}
const item = (value: number | Buffer) =>
  typeof value !== 'number'
    ? Buffer.concat([head(2, value.length), value])
    : value < 0
      ? head(1, -1 - value)
      : head(0, value)
const mapOf = (pairs: Pairs) => Buffer.concat([head(5, pairs.length), ...pairs.flat().map(item)])

const bytesOf = (text = '') => Buffer.from(text, 'base64url')
const kinds = {
  ES256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const pairs = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ] as const
    return { privateKey, pairs, hash: 'sha256' }
  },
  EdDSA: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { x } = publicKey.export({ format: 'jwk' })
    return {
      privateKey,
      pairs: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytesOf(x)],
      ] as const,
      hash: null,
    }
  },
  RS256: () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const pairs = [
      [1, 3],
      [3, -257],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ] as const
    return { privateKey, pairs, hash: 'sha256' }
  },
}
type Pairs = readonly (readonly [number, number | Buffer])[]
type Device = { privateKey: KeyObject; pairs: Pairs; cose: Buffer; hash: string | null }
const deviceOf = (kind: keyof typeof kinds): Device => {
  const { privateKey, pairs, hash } = kinds[kind]()
  return { privateKey, pairs, cose: mapOf(pairs), hash }
}

type Said = {
  type?: string
  challenge?: string
  origin?: string
  flags?: number
  rpId?: string
  cut?: number
}
const about = {
  key: 'k',
  enrolled: 'e1',
  person: 'fay',
  digest: 'd1',
  purpose: 'approve',
  nonce: 'n',
  origin: 'https://bellhop.example',
  rpId: 'bellhop.example',
}
/** What a device signs, be it the right thing or not. */
const signedBy = (
  { privateKey, hash }: Device,
  change: string,
  over: Partial<typeof about> = {},
  said: Said = {},
) => {
  const signed = { ...about, ...over }
  const client = Buffer.from(
    JSON.stringify({
      type: said.type ?? 'webauthn.get',
      challenge: said.challenge ?? challengeOf({ ...signed, change }).toString('base64url'),
      origin: said.origin ?? signed.origin,
    }),
  )
  const data = Buffer.concat([
    sha256(said.rpId ?? signed.rpId),
    Buffer.of(said.flags ?? 5, 0, 0, 0, 1),
  ]).subarray(0, said.cut)
  return {
    ...signed,
    authenticatorData: data.toString('base64url'),
    clientDataJSON: client.toString('base64url'),
    signature: sign(hash, Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
  }
}

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('a signature of a passkey of kind %s', (kind) => {
  const device = deviceOf(kind)
  const key = device.cose.toString('base64url')
  const good = signedBy(device, 'c1')
  const another = 'it is for another change, for another version of it, or for somebody else'
  const unread = 'the public key cannot be read'

  it('is good for what it was made for, with every flag that says nothing against it', () => {
    for (const flags of [5, 13, 0xff, 0x85])
      expect(whyNotSigned('c1', signedBy(device, 'c1', {}, { flags }), key), `${flags}`).toBeUndefined()
  })

  it.each<[string, string | undefined, Said]>([
    ['of another kind', 'it is no signature of a passkey', { type: 'webauthn.create' }],
    ['for another challenge', another, { challenge: 'AAAA' }],
    [
      'of another site',
      'it was made at https://evil.example, and not at https://bellhop.example',
      { origin: 'https://evil.example' },
    ],
    ['by a key of another site', 'it is by a key for another site than bellhop.example', { rpId: 'evil' }],
    ['with its data cut off', 'it is by a key for another site than bellhop.example', { cut: 36 }],
    ['with nobody there', 'nobody was there when it was made', { flags: 0xfe }],
    ['with nobody made sure of', 'the device did not make sure who it was', { flags: 0xfb }],
  ])('%s is refused', (_, why, said) => {
    expect(whyNotSigned('c1', signedBy(device, 'c1', {}, said), key)).toBe(why)
  })

  it('is for one change, digest, person, purpose and number, and by one key', () => {
    expect(whyNotSigned('c2', good, key)).toBe(another)
    for (const part of ['digest', 'person', 'purpose', 'nonce'] as const)
      expect(whyNotSigned('c1', { ...good, [part]: 'other' }, key), part).toBe(another)
    expect(whyNotSigned('c1', good, deviceOf(kind).cose.toString('base64url'))).toBe(
      'the signature does not fit the key',
    )
    const later = Buffer.concat([bytesOf(good.authenticatorData), Buffer.of(1)]).toString('base64url')
    expect(whyNotSigned('c1', { ...good, authenticatorData: later }, key)).toBe(
      'the signature does not fit the key',
    )
    for (const clientDataJSON of [
      '',
      bytesOf('nonsense').toString('base64url'),
      Buffer.from('null').toString('base64url'),
    ])
      expect(whyNotSigned('c1', { ...good, clientDataJSON }, key)).toBe('it is no signature of a passkey')
  })

  it('is refused with a key that is cut off, of no kind, or no map of numbers and bytes', () => {
    const { pairs } = device
    const bad = [
      device.cose.subarray(0, device.cose.length / 2),
      mapOf(pairs.slice(0, -1)),
      mapOf(pairs.map(([label, value]) => [label, label === 3 ? -9 : value])),
      mapOf(pairs.map(([label, value]) => [label, label === 1 ? 9 : value])),
      Buffer.concat([head(4, pairs.length), device.cose.subarray(1)]),
      Buffer.concat([head(5, pairs.length + 1), device.cose.subarray(1), item(9), head(3, 1), Buffer.of(65)]),
      Buffer.concat([
        head(5, pairs.length + 1),
        device.cose.subarray(1),
        item(9),
        Buffer.of(0x1b),
        Buffer.alloc(8),
      ]),
    ]
    for (const [at, cose] of bad.entries())
      expect(whyNotSigned('c1', good, cose.toString('base64url')), `${at}`).toBe(unread)
  })

  it('is good with a key that spells its numbers at any length', () => {
    const { pairs } = device
    const parts = (width: number) =>
      pairs.flatMap(([label, value]) =>
        [label, value].map((one) =>
          typeof one !== 'number'
            ? Buffer.concat([head(2, one.length, Math.max(width, one.length < 256 ? 1 : 2)), one])
            : one < 0
              ? head(1, -1 - one, Math.max(width, one < -256 ? 2 : 1))
              : head(0, one, width),
        ),
      )
    // Further pairs, which say how a key may be used, are passed over.
    const more = [
      item(23),
      item(24),
      item(255),
      item(256),
      item(65_535),
      item(65_536),
      item(-25),
      item(Buffer.alloc(24)),
    ]
    for (const width of [1, 2, 4]) {
      const cose = Buffer.concat([head(5, pairs.length + more.length / 2), ...parts(width), ...more])
      expect(whyNotSigned('c1', good, cose.toString('base64url')), `${width}`).toBeUndefined()
    }
  })
})

type Entry = { at: number; kind: string; who: string; changeId: string; doc: Record<string, unknown> }

describe('a receipt with signed votes', () => {
  const log = newSigner()
  const origin = 'bellhop/one'
  const devices = { fay: deviceOf('EdDSA'), finn: deviceOf('EdDSA') }
  type Person = keyof typeof devices
  const names = { fay: 'Fay', finn: 'Finn', ada: 'Ada', sam: 'Sam' }
  const entry = (
    kind: string,
    who: keyof typeof names,
    doc: object = {},
    over: Partial<Entry> = {},
  ): Entry & { name: string } => ({
    at: 100,
    kind,
    who,
    name: names[who],
    changeId: 'c1',
    doc: { ...doc },
    ...over,
  })
  const passkeyOf = (who: Person) => ({ key: `key of ${who}`, enrolled: `enrol ${who}`, person: who })
  const vote = (who: Person, over: object = {}, of: Partial<Entry> = {}) => {
    const { changeId = 'c1' } = of
    const signed = signedBy(devices[who], changeId, passkeyOf(who))
    return entry('approved', who, { digest: 'd1', signed, ...over }, of)
  }
  const enrolment = (who: Person, by: keyof typeof names = 'ada', over: object = {}) => {
    const of = { changeId: `enrol ${who}` }
    const plan = {
      key: `key of ${who}`,
      person: who,
      publicKey: devices[who].cose.toString('base64url'),
      ...over,
    }
    return [
      entry('asked', who, { plan }, { ...of, at: 1 }),
      entry('approved', by, {}, { ...of, at: 2 }),
      entry('applied', who, {}, { ...of, at: 3 }),
    ]
  }
  const asked = (...clauses: object[]) => entry('asked', 'sam', { clauses })
  const claimed = entry('claimed', 'sam', { digest: 'd1' })
  const one = { kind: 'approvals', sign: 'passkey' }
  const both = [...enrolment('fay'), ...enrolment('finn')]

  const problemOf = (
    entries: readonly Entry[],
    enrolments: readonly Entry[],
    place: 'enrolments' | 'keys' | 'entries' = 'enrolments',
  ) => {
    const leaves = [...enrolments, ...entries].map((each) => JSON.stringify(each))
    const tree = treeOf(leaves)
    const proved = leaves.map((_, at) => tree.entryAt(at))
    const [behind, own] = [proved.slice(0, enrolments.length), proved.slice(enrolments.length)]
    const proof = {
      key: log.key(origin) ?? '',
      checkpoint: log.checkpoint({ origin, size: leaves.length, root: tree.rootOver(0, leaves.length) }),
      ...{ [place]: behind, entries: place === 'entries' ? [...behind, ...own] : own },
      older: [],
    }
    const verdict = checkReceipt(receiptPage({ title: '', words: '', proof, at: '' }, log), proof.key)
    return verdict.ok ? undefined : verdict.problem
  }
  const without = /^Entry \d+: it ran without the signatures that were asked for\.$/
  const notFor = 'the signature of Fay: it is not for this entry.'
  const notEnrolled = 'the signature of Fay: nothing here shows that the key was enrolled.'
  const twice = { kind: 'approvals', count: 2, sign: 'passkey' }
  const plain = { kind: 'approvals', count: 3 }
  const alone = entry('asked', 'fay', { clauses: [{ kind: 'confirm', sign: 'passkey' }] })
  const stages = [1, 2].map((stage) => ({ ...one, stage }))

  it.each<[string, string | RegExp | undefined, readonly Entry[], (readonly Entry[])?]>([
    ['signed as it was asked', undefined, [asked(plain, one), vote('fay'), claimed]],
    ['with no signature where none is asked', undefined, [asked(plain), entry('approved', 'fay'), claimed]],
    ['of which nothing says what was asked', undefined, [claimed]],
    ['that was not claimed yet', undefined, [asked(one)]],
    [
      'that ran without a signature',
      without,
      [asked(one), entry('approved', 'fay', { digest: 'd1' }), claimed],
    ],
    ['that ran with one of two', without, [asked(twice), vote('fay'), claimed]],
    ['that ran with two of two', undefined, [asked(twice), vote('fay'), vote('finn'), claimed]],
    ['that one person signed twice', without, [asked(twice), vote('fay'), vote('fay'), claimed]],
    ['whose clauses ask for one and for two', without, [asked(twice, one), vote('fay'), claimed]],
    ['whose clauses ask for two and for one', without, [asked(one, twice), vote('fay'), claimed]],
    ['signed after it ran', without, [asked(one), claimed, vote('fay')]],
    ['of two stages that one person signed', without, [asked(...stages), vote('fay'), claimed]],
    ['of two stages', undefined, [asked(...stages), vote('fay'), vote('finn'), claimed]],
    ['that two clauses of a stage ask for', undefined, [asked(one, one), vote('fay'), claimed]],
    ['signed by whoever asks', without, [entry('asked', 'fay', { clauses: [one] }), vote('fay'), claimed]],
    [
      'signed by whoever changed it',
      without,
      [asked(one), entry('changed', 'fay', { clauses: [one] }), vote('fay'), claimed],
    ],
    ['done alone and signed', undefined, [alone, { ...vote('fay'), kind: 'confirmed' }, claimed]],
    [
      'done alone without a signature',
      without,
      [alone, entry('confirmed', 'fay', { digest: 'd1' }), claimed],
    ],
    ['signed by whoever said no', without, [asked(one), { ...vote('fay'), kind: 'rejected' }, claimed]],
    [
      'signed for what it was before',
      without,
      [asked(one), vote('fay'), entry('changed', 'sam', { clauses: [one] }), claimed],
    ],
    [
      'signed again for what it is now',
      undefined,
      [asked(one), vote('fay'), entry('changed', 'sam', { clauses: [one] }), vote('finn'), claimed],
    ],
    [
      'of which less is asked now',
      undefined,
      [asked(twice), entry('changed', 'sam', { clauses: [plain] }), claimed],
    ],
    [
      'of which more is asked after it ran',
      undefined,
      [asked(plain), claimed, entry('changed', 'sam', { clauses: [one] })],
    ],
    [
      'signed by the entry that asked anew',
      without,
      [asked(one), { ...vote('fay', { clauses: [one] }), kind: 'changed' }, claimed],
    ],
    ['whose claim signs for itself', without, [asked(one), { ...vote('fay'), kind: 'claimed' }]],
    [
      'whose claim says itself what was asked',
      undefined,
      [asked(plain), entry('claimed', 'sam', { digest: 'd1', clauses: [one] })],
    ],
    [
      'that ran as another version than was signed',
      without,
      [asked(one), vote('fay'), entry('claimed', 'sam', { digest: 'd2' })],
    ],
    [
      'that ran twice, the second time unsigned',
      without,
      [asked(plain), claimed, entry('changed', 'sam', { clauses: [one] }), claimed],
    ],
    ['whose vote is of somebody else', notFor, [asked(one), { ...vote('fay'), who: 'finn' }, claimed]],
    ['whose vote is for another version', notFor, [asked(one), vote('fay', { digest: 'd2' }), claimed]],
    ['with a key of which nothing is told', notEnrolled, [vote('fay')], enrolment('finn')],
    ['with a key that nobody asked for', notEnrolled, [vote('fay')], enrolment('fay').slice(1)],
    ['with a key of another id', notEnrolled, [vote('fay')], enrolment('fay', 'ada', { key: 'another' })],
    ['with a key of somebody else', notEnrolled, [vote('fay')], enrolment('fay', 'ada', { person: 'finn' })],
    [
      'with a key whose plan is none',
      notEnrolled,
      [vote('fay')],
      [{ ...enrolment('fay')[0], doc: {} } as Entry, ...enrolment('fay').slice(1)],
    ],
    [
      'with a key that was never taken in',
      'the signature of Fay: the key was not enrolled then.',
      [vote('fay')],
      enrolment('fay').slice(0, 2),
    ],
    [
      'with a key that was taken in the same moment',
      undefined,
      [vote('fay', {}, { at: 3 })],
      enrolment('fay'),
    ],
    [
      'with a key that was taken in later',
      'the signature of Fay: the key was not enrolled then.',
      [vote('fay', {}, { at: 2 })],
      enrolment('fay'),
    ],
    [
      'with a key that only its owner approved',
      'the signature of Fay: nobody else had approved the key.',
      [vote('fay')],
      enrolment('fay', 'fay'),
    ],
    [
      'with a key that nobody approved',
      'the signature of Fay: nobody else had approved the key.',
      [vote('fay')],
      enrolment('fay').toSpliced(1, 1),
    ],
    [
      'with a key that somebody else rejected',
      'the signature of Fay: nobody else had approved the key.',
      [vote('fay')],
      enrolment('fay').with(1, entry('rejected', 'ada', {}, { changeId: 'enrol fay' })),
    ],
    [
      'with a key that cannot be read',
      'the signature of Fay: the public key cannot be read.',
      [vote('fay')],
      enrolment('fay', 'ada', { publicKey: 'words' }),
    ],
    [
      'whose key is another one',
      'the signature of Fay: the signature does not fit the key.',
      [vote('fay')],
      enrolment('fay', 'ada', { publicKey: devices.finn.cose.toString('base64url') }),
    ],
    [
      'with a key that a signed vote let in',
      undefined,
      [vote('fay')],
      [
        ...enrolment('fay', 'finn').with(1, vote('finn', {}, { changeId: 'enrol fay' })),
        ...enrolment('finn'),
      ],
    ],
    [
      'with a key that a vote of no known key let in',
      'the signature of Finn: nothing here shows',
      [vote('fay')],
      enrolment('fay', 'finn').with(1, vote('finn', {}, { changeId: 'enrol fay' })),
    ],
    [
      'with a key that was asked for again by somebody else',
      undefined,
      [vote('fay')],
      [...enrolment('fay'), entry('asked', 'ada', {}, { changeId: 'enrol fay' })],
    ],
  ])('%s', (_, problem, entries, enrolments = both) => {
    const found = problemOf(entries, enrolments)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })

  it('whose key was enrolled by what is told of something else', () => {
    const entries = [asked(one), vote('fay'), claimed]
    for (const place of ['keys', 'entries'] as const)
      expect(problemOf(entries, enrolment('fay'), place)).toMatch(notEnrolled)
    expect(problemOf(entries, enrolment('fay'))).toBeUndefined()
  })
})
