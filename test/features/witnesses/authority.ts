import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../harness/listen.ts'

/** A time-stamp authority of RFC 3161 over HTTP: `openssl ts` answers. */
export type TestAuthority = {
  url: string
  folder: string
  /** How many stamps were given. */
  stamps(): number
  /** What it does from now on instead of stamping. */
  fault: { status?: number; change?: (answer: Buffer) => Buffer }
  close(): Promise<void>
}

export const startTestAuthority = async (key: 'rsa' | 'ec' = 'ec'): Promise<TestAuthority> => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-tsa-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  writeFileSync(at('tsa.cnf'), configOf(folder))
  writeFileSync(at('serial'), '01\n')
  const newKey = key === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const request = ['req', '-config', 'tsa.cnf', '-newkey', ...newKey, '-nodes']
  openssl(
    ...request,
    '-x509',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test authority root',
    '-extensions',
    'ca',
    '-days',
    '30',
  )
  openssl(...request, '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Test time-stamp authority')
  openssl(
    'x509',
    '-req',
    '-in',
    'tsa.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'tsa.pem',
    '-extfile',
    'tsa.cnf',
    '-extensions',
    'stamping',
    '-days',
    '20',
  )
  let stamps = 0
  const fault: TestAuthority['fault'] = {}
  const server = createServer(async (incoming, response) => {
    const query = await buffer(incoming)
    if (fault.status !== undefined) return response.writeHead(fault.status).end()
    writeFileSync(at('query.tsq'), query)
    openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-section',
      'tsa',
      '-queryfile',
      'query.tsq',
      '-out',
      'answer.tsr',
    )
    stamps++
    const answer = readFileSync(at('answer.tsr'))
    return response
      .writeHead(200, { 'content-type': 'application/timestamp-reply' })
      .end(fault.change?.(answer) ?? answer)
  })
  const { origin, close } = await listen(server)
  return { url: `${origin}/tsr`, folder, stamps: () => stamps, fault, close }
}

const configOf = (folder: string): string => `
[req]
distinguished_name = name
prompt = no
[name]
CN = name
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[stamping]
basicConstraints = CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
dir = ${folder}
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/tsa.pem
certs = ${folder}/ca.pem
signer_key = ${folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`
