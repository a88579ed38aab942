import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSignedBy, readSshKey, signaturesIn } from '../../src/lib/codecs/ssh-signature.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-ssh-'))
const text = Buffer.from('version: 1\n')

const made = (name: string, ...kind: string[]) => {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', ...kind, '-N', '', '-C', `${name}@example.com`, '-f', file])
  return {
    line: readFileSync(`${file}.pub`, 'utf8'),
    sign: (purpose = 'bellhop', bytes: Buffer = text, ...more: string[]) =>
      execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', purpose, ...more, '-f', file], {
        input: bytes,
        stdio: ['pipe', 'pipe', 'ignore'],
      }).toString(),
  }
}

const isGood = (line: string, armoured: string, bytes: Buffer = text): boolean => {
  const key = readSshKey(line)
  const [one] = signaturesIn(armoured)
  return key !== undefined && one !== undefined && isSignedBy(key, one, bytes, 'bellhop')
}

/** What OpenSSH itself says to the same. */
const isGoodToOpenSsh = (line: string, armoured: string, bytes: Buffer = text): boolean => {
  writeFileSync(join(folder, 'allowed'), `signer namespaces="bellhop" ${line}`)
  writeFileSync(join(folder, 'sig'), armoured)
  const args = ['-Y', 'verify', '-f', join(folder, 'allowed'), '-I', 'signer', '-n', 'bellhop', '-s']
  try {
    execFileSync('ssh-keygen', [...args, join(folder, 'sig')], { input: bytes, stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

test.for([
  ['ed25519', '-t', 'ed25519'],
  ['rsa', '-t', 'rsa', '-b', '2048'],
  ['p256', '-t', 'ecdsa', '-b', '256'],
  ['p384', '-t', 'ecdsa', '-b', '384'],
  ['p521', '-t', 'ecdsa', '-b', '521'],
] as const)(
  'a signature of ssh-keygen by a key of the kind %s is good for its bytes alone',
  ([name, ...kind]) => {
    const key = made(name, ...kind)
    const other = made(`${name}-other`, ...kind)
    for (const hash of ['sha256', 'sha512']) {
      const armoured = key.sign('bellhop', text, '-O', `hashalg=${hash}`)
      expect(isGood(key.line, armoured)).toBe(true)
      expect(isGood(other.line, armoured)).toBe(false)
      expect(isGood(key.line, armoured, Buffer.from('version: 1'))).toBe(false)
    }
    expect(isGood(key.line, key.sign('file'))).toBe(false)
  },
)

test('no byte of a signature can be changed', () => {
  const key = made('changed', '-t', 'ed25519')
  const armoured = key.sign()
  const bytes = Buffer.from(armoured.replaceAll(/-----.*-----|\s/g, ''), 'base64')
  for (const at of bytes.keys()) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    const text64 = altered.toString('base64')
    const changed = `-----BEGIN SSH SIGNATURE-----\n${text64}\n-----END SSH SIGNATURE-----\n`
    expect(isGood(key.line, changed), `byte ${at}`).toBe(false)
  }
})

const packed = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
const sha = (hash: string, data: Buffer) => createHash(hash).update(data).digest()

/** What a key on hardware makes, as OpenSSH's PROTOCOL.u2f has it. */
const byHardware = (kind: string, key: Buffer, privateKey: KeyObject, flags: number) => {
  const application = 'ssh:'
  const blob = Buffer.concat([packed(kind), key, packed(application)])
  const signed = Buffer.concat([
    Buffer.from('SSHSIG'),
    ...[packed('bellhop'), packed(''), packed('sha512'), packed(sha('sha512', text))],
  ])
  const tail = Buffer.from([flags, 0, 0, 0, 7])
  const data = Buffer.concat([sha('sha256', Buffer.from(application)), tail, sha('sha256', signed)])
  const isCurve = kind.includes('nistp256')
  const raw = isCurve
    ? sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    : sign(null, data, privateKey)
  const positive = (half: Buffer) =>
    packed((half[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), half]) : half)
  const value = isCurve ? Buffer.concat([positive(raw.subarray(0, 32)), positive(raw.subarray(32))]) : raw
  const body = Buffer.concat([
    ...[Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), packed(blob), packed('bellhop'), packed('')],
    packed('sha512'),
    packed(Buffer.concat([packed(kind), packed(value), tail])),
  ])
  const base64 = body.toString('base64').replace(/.{70}/g, '$&\n')
  return {
    line: `${kind} ${blob.toString('base64')} hardware`,
    armoured: `-----BEGIN SSH SIGNATURE-----\n${base64}\n-----END SSH SIGNATURE-----\n`,
  }
}

const ed = generateKeyPairSync('ed25519')
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const edKey = packed(Buffer.from(ed.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
const { x = '', y = '' } = ec.publicKey.export({ format: 'jwk' })
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])

test.for([
  ['sk-ssh-ed25519@openssh.com', edKey, ed.privateKey],
  ['sk-ecdsa-sha2-nistp256@openssh.com', Buffer.concat([packed('nistp256'), packed(point)]), ec.privateKey],
] as const)(
  '%s: a key on hardware is read as OpenSSH reads it, and counts only when somebody touched it',
  ([kind, key, own]) => {
    const touched = byHardware(kind, key, own, 1)
    expect(isGoodToOpenSsh(touched.line, touched.armoured)).toBe(true)
    expect(isGood(touched.line, touched.armoured)).toBe(true)
    const untouched = byHardware(kind, key, own, 0)
    expect(isGood(untouched.line, untouched.armoured)).toBe(false)
  },
)

test('what is no key, a short one, or one of another kind than its line says is not read', () => {
  const { line } = made('short', '-t', 'rsa', '-b', '1024')
  const other = made('mislabelled', '-t', 'ed25519').line.replace('ssh-ed25519', 'ssh-rsa')
  for (const given of ['', 'ssh-ed25519', 'ssh-ed25519 AAAA', 'ssh-ed25519 !!!', line, other])
    expect(readSshKey(given)).toBeUndefined()
  expect(signaturesIn('-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----')).toEqual([])
})
