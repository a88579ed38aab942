import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuthorityWitness } from '../../../src/features/witnesses/authority.ts'
import { checkTimeStamp, timeStampRequest } from '../../../src/features/witnesses/time-stamp.ts'
import { startTestAuthority } from './authority.ts'

const note = 'bellhop/1\n5\nroot\n\n\u2014 bellhop signature\n'
const digest = createHash('sha256').update(note).digest()

describe.each(['rsa', 'ec'] as const)('a time-stamp authority with a key of kind %s', async (kind) => {
  const authority = await startTestAuthority(kind)
  const other = await startTestAuthority(kind)
  afterAll(() => Promise.all([authority.close(), other.close()]))
  const witness = createAuthorityWitness(authority.url)
  const proof = await witness.keep({ size: 5, note })
  const answer = Buffer.from(proof, 'base64')

  it('stamps a checkpoint, and the stamp is checked without it', () => {
    expect(() => checkTimeStamp(answer, { digest })).not.toThrow()
    expect(() => witness.check?.(note, proof)).not.toThrow()
  })

  it('gives what openssl verifies too', () => {
    const [file, stamp] = [join(authority.folder, 'note.txt'), join(authority.folder, 'note.tsr')]
    writeFileSync(file, note)
    writeFileSync(stamp, answer)
    const said = execFileSync(
      'openssl',
      ['ts', '-verify', '-data', file, '-in', stamp, '-CAfile', join(authority.folder, 'ca.pem')],
      { stdio: 'pipe' },
    )
    expect(said.toString()).toContain('Verification: OK')
  })

  it('is refused for another checkpoint, and for another request', () => {
    expect(() => witness.check?.(`${note} `, proof)).toThrow('the stamp is for something else')
    expect(() => checkTimeStamp(answer, { digest, nonce: Buffer.alloc(8, 7) })).toThrow('another request')
  })

  it('is refused with any of its signed bytes altered', () => {
    let refused = 0
    let passed = 0
    for (let at = 0; at < answer.length; at += 3) {
      const altered = Buffer.from(answer)
      altered[at] = (altered[at] as number) ^ 1
      try {
        checkTimeStamp(altered, { digest })
        passed++
      } catch {
        refused++
      }
    }
    // What is not signed is the wrapping and the certificates beside the signer's own.
    expect(refused).toBeGreaterThan(passed)
    const signed = answer.indexOf(digest)
    for (let at = signed; at < signed + 60; at++) {
      const altered = Buffer.from(answer)
      altered[at] = (altered[at] as number) ^ 1
      expect(() => checkTimeStamp(altered, { digest }), `byte ${at}`).toThrow()
    }
  })

  it('is away when it answers with a fault, with nonsense, or with the stamp of somebody else', async () => {
    const keep = () => witness.keep({ size: 5, note })
    authority.fault.status = 503
    await expect(keep()).rejects.toThrow('it answered with status 503')
    delete authority.fault.status
    authority.fault.change = () => Buffer.from('<html>')
    await expect(keep()).rejects.toThrow('its answer is no time stamp')
    authority.fault.change = () => answer
    await expect(keep()).rejects.toThrow('another request')
    authority.fault.change = () => Buffer.alloc(100_000)
    await expect(keep()).rejects.toThrow('its answer is no time stamp')
    authority.fault.change = () => Buffer.alloc(100_001)
    await expect(keep()).rejects.toThrow('its answer is too large')
    delete authority.fault.change
    const gone = await startTestAuthority(kind)
    await gone.close()
    await expect(createAuthorityWitness(gone.url).keep({ size: 5, note })).rejects.toThrow(
      'cannot be reached (ECONNREFUSED)',
    )
  })

  it('makes requests that openssl reads', () => {
    const file = join(authority.folder, 'ours.tsq')
    writeFileSync(file, timeStampRequest(digest, Buffer.from('00ff010203040506', 'hex')))
    const said = execFileSync('openssl', ['ts', '-query', '-in', file, '-text'], { stdio: 'pipe' }).toString()
    expect(said).toContain('Version: 1')
    expect(said).toContain('Hash Algorithm: sha256')
    expect(said).toContain('Nonce: 0xFF010203040506')
    expect(said).toContain('Certificate required: yes')
  })
})
