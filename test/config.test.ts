import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messengers } from '../adapters/index.ts'
import { ConfigError, readConfig } from '../src/cli/start/config.ts'
import { isKey, keysAt, publicBytesOf } from '../src/kernel/log/signer.ts'
import { keyNamed } from '../verify.mjs'
import { commandsWith } from './harness/commands.ts'

const commands = commandsWith().all
const read = (env: Record<string, string>) =>
  readConfig({ DATA_DIR: '/nowhere', ...env }, commands, messengers)
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const newPem = (type: 'ed25519' | 'x25519' = 'ed25519') =>
  generateKeyPairSync(type as 'ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
const fileWith = (text: string, mode: number): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'bellhop-key-')), 'key.pem')
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

test('the key of the audit log is understood however a variable holds its lines', () => {
  const pem = newPem()
  const [key] = keysAt({ given: pem, dataDir: '' })
  if (key === undefined) throw new Error('no key')
  const named = keyNamed('log', publicBytesOf(key))
  for (const given of [
    pem,
    pem.trim(),
    pem.replaceAll('\n', '\\n'),
    pem.replaceAll('\n', ' '),
    pem.replaceAll('\n', '\r\n'),
    `"${pem.replaceAll('\n', '\\n')}"`,
  ]) {
    const [one, ...others] = keysAt(read({ AUDIT_KEY: given }).logKey)
    expect([one && isKey(one, named), others]).toEqual([true, []])
  }
  expect(keysAt(read({ AUDIT_KEY: pem + newPem() }).logKey)).toHaveLength(2)
  for (const mode of [0o600, 0o400])
    expect(keysAt(read({ AUDIT_KEY_FILE: fileWith(pem, mode) }).logKey)).toHaveLength(1)
})

test.for([
  [
    'no key at all',
    () => ({ AUDIT_KEY: 'hush-not-to-be-shown' }),
    /^AUDIT_KEY must be an Ed25519 private key/,
  ],
  ['a key of another kind', () => ({ AUDIT_KEY: newPem('x25519') }), /^AUDIT_KEY must be an Ed25519/],
  [
    'a second key of another kind',
    () => ({ AUDIT_KEY: newPem() + newPem('x25519') }),
    /^AUDIT_KEY must be an Ed25519/,
  ],
  [
    'both places',
    () => ({ AUDIT_KEY: newPem(), AUDIT_KEY_FILE: fileWith(newPem(), 0o600) }),
    /^AUDIT_KEY and AUDIT_KEY_FILE are both set\. Leave one of them out\.$/,
  ],
  [
    'a file that others may read',
    () => ({ AUDIT_KEY_FILE: fileWith(newPem(), 0o640) }),
    /can be read by others, with mode 640\. .*chmod 600\.$/,
  ],
  ['a file that is not there', () => ({ AUDIT_KEY_FILE: '/nowhere/key.pem' }), /cannot be read/],
  ['a file without a key', () => ({ AUDIT_KEY_FILE: fileWith('hush', 0o600) }), /must hold an Ed25519/],
] as const)('%s is a mistake that is named, and nothing of the key is repeated', ([, env, says]) => {
  const problems = problemsOf(env())
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(says)
  expect(problems[0]).not.toMatch(/hush|BEGIN/)
})

const installKey = Buffer.alloc(32, 7).toString('base64')
const installing = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 's1',
  SLACK_CLIENT_ID: '1.2',
  PUBLIC_URL: 'https://bellhop.example.com',
  SANDBOX: 'on',
}

/** A value that is good enough for each variable that the page about deploying calls a key, a token or a secret. */
const secrets: [string, string, Record<string, string>][] = [
  ['EMAIL_API_KEY', 'e1', { EMAIL_BASE_URL: 'https://email.example.com' }],
  ['CHAT_API_KEY', 'c1', { CHAT_BASE_URL: 'https://chat.example.com' }],
  ['BILLING_API_KEY', 'b1', { BILLING_BASE_URL: 'https://pay.example.com', BILLING_SECRET_KEY: 'b2' }],
  ['BILLING_SECRET_KEY', 'b2', { BILLING_BASE_URL: 'https://pay.example.com', BILLING_API_KEY: 'b1' }],
  ['SLACK_BOT_TOKEN', 'xoxb-1', { SLACK_APP_TOKEN: 'xapp-1', SANDBOX: 'on' }],
  ['SLACK_SIGNING_SECRET', 's1', { SLACK_BOT_TOKEN: 'xoxb-1', SANDBOX: 'on' }],
  ['SLACK_APP_TOKEN', 'xapp-1', { SLACK_BOT_TOKEN: 'xoxb-1', SANDBOX: 'on' }],
  ['SLACK_CLIENT_SECRET', 'sc1', { ...installing, INSTALL_KEY: installKey }],
  ['INSTALL_KEY', installKey, { ...installing, SLACK_CLIENT_SECRET: 'sc1' }],
  ['DISCORD_TOKEN', 'd1', { DISCORD_APPLICATION_ID: '400000000000000001', SANDBOX: 'on' }],
  [
    'OIDC_CLIENT_SECRET',
    'oc1',
    {
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_CLIENT_ID: 'b1',
      CONSOLE: 'on',
      PUBLIC_URL: 'https://bellhop.example.com',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 's1',
      SANDBOX: 'on',
    },
  ],
  ['DATABASE_URL', 'postgres://u:p@db.example.com/bellhop', {}],
  ['AUDIT_KEY', newPem(), {}],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-token=t1', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }],
  ['PAGERDUTY_TOKEN', 'p1', {}],
  ['OPSGENIE_API_KEY', 'o1', {}],
  ['ROOTLY_TOKEN', 'r1', {}],
  ['AGENT_TOKEN', 'x'.repeat(40), {}],
]
const withAgent = () =>
  fileWith(
    [
      'version: 1',
      'people: [{ id: p1, name: One, roles: [all] }]',
      'agents: [{ id: a1, name: Agent, owner: p1, token: { env: AGENT_TOKEN } }]',
      'roles: { all: { run: ["*"], approve: ["*"] } }',
    ].join('\n'),
    0o644,
  )

test.for(secrets)('%s may be given by a file', ([name, value, others]) => {
  const common = { MCP: 'on', AGENT_TOKEN: 'x'.repeat(40), BELLHOP_CONFIG: withAgent(), ...others }
  const { [name]: _, ...rest } = common as Record<string, string>
  const shown = (env: Record<string, string>) => {
    const { services, messengers: on, database, logKey, demo, settings } = read(env)
    const keys = logKey.given === undefined && logKey.file === undefined ? 0 : keysAt(logKey).length
    return JSON.stringify({ services, on, database, demo, keys, settings })
  }
  const twin = `${name}_FILE`
  for (const mode of [0o600, 0o400]) {
    expect(shown({ ...rest, [twin]: fileWith(`${value}\n`, mode) })).toBe(shown({ ...rest, [name]: value }))
  }
  for (const [file, says] of [
    [fileWith(value, 0o644), /can be read by others, with mode 644/],
    [fileWith(value, 0o620), /can be read by others, with mode 620/],
    [fileWith(value, 0o700), /has mode 700\. It must be 600 or 400/],
    [fileWith(' \n', 0o600), /is empty/],
    [tmpdir(), /is no file/],
    ['/nowhere/secret', /cannot be read/],
  ] as const) {
    const [first = ''] = problemsOf({ ...rest, [twin]: file })
    expect(first).toMatch(says)
    expect(first).toContain(`${twin} (${file})`)
  }
  expect(problemsOf({ ...rest, [name]: value, [twin]: fileWith(value, 0o600) })).toEqual([
    `${name} and ${twin} are both set. Leave one of them out.`,
  ])
})

test('every secret of the page about deploying is in that table', () => {
  const page = readFileSync('docs/deploy.md', 'utf8').split('## What is served')[0] ?? ''
  const named = [...page.matchAll(/`([A-Z_]+(?:KEY|TOKEN|SECRET|HEADERS|DATABASE_URL))`/g)].map(
    ([, name]) => name,
  )
  const open = ['DISCORD_PUBLIC_KEY']
  const secret = [...new Set(named), 'DATABASE_URL'].filter((name) => !open.includes(name ?? ''))
  expect(secret.filter((name) => !secrets.some(([one]) => one === name))).toEqual([])
})

const fileNaming = (more: string) => `version: 1
people: [{ id: ann, name: Ann, roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } }
${more}
`
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes here').toString('base64')}`
const toldAt = (more: string) => `webhooks: [{ url: "https://example.com/hook", secret: { env: ${more} } }]`

test.for<[string, string, Record<string, string>, string | undefined]>([
  ['a hook without its secret', toldAt('HOOK_SECRET'), {}, 'HOOK_SECRET'],
  ['a hook with a secret that is none', toldAt('HOOK_SECRET'), { HOOK_SECRET: 'short' }, 'HOOK_SECRET'],
  ['a hook with its secret', toldAt('HOOK_SECRET'), { HOOK_SECRET: secret }, undefined],
  [
    'a hook with its secret in a file',
    toldAt('HOOK_SECRET'),
    { HOOK_SECRET_FILE: fileWith(secret, 0o600) },
    undefined,
  ],
  [
    'a stream without its token',
    'stream: { https: "https://example.com/log", token: { env: LOG_TOKEN } }',
    {},
    'LOG_TOKEN',
  ],
])('a file with %s is the same to a start and to a reload', ([, more, env, lacking]) => {
  const file = fileWith(fileNaming(''), 0o600)
  const running = read({ BELLHOP_CONFIG: file, ...env })
  writeFileSync(file, fileNaming(more))
  const again = running.policySource.read()
  const atStart = problemsOf({ BELLHOP_CONFIG: file, ...env })
  expect([again.ok, atStart.length === 0]).toEqual([lacking === undefined, lacking === undefined])
  if (lacking === undefined) {
    expect(running.secretOf('HOOK_SECRET')).toBe(secret)
    return
  }
  const said = again.ok ? '' : again.problems.join()
  expect(said).toContain(`${lacking}, `)
  expect(said).toMatch(/start the bot again.*\.$/)
  expect(said).not.toContain('short')
})

test('a running bot says of a file that names other packs that they come with a start', () => {
  const file = fileWith(fileNaming(''), 0o600)
  const running = read({ BELLHOP_CONFIG: file })
  const warningsOf = (more: string) => {
    writeFileSync(file, fileNaming(more))
    const again = running.policySource.read()
    return again.ok ? again.warnings().filter((words) => words.includes('packs')) : again.problems
  }
  expect(warningsOf('packs: []')).toEqual([])
  expect(warningsOf('packs: ["@acme/tickets"]')).toEqual([
    'The file names other packs or features than those that run. Start the bot again after this: they come and go with a start.',
  ])
})

test('a policy that asks for passkeys where nobody can use one is warned of, with what to do', () => {
  const head = 'version: 1\npeople: []\nroles: { finance: { run: ["*"], approve: ["*"] } }\n'
  const file = fileWith(
    `${head}policies:\n  - { name: large, commands: [refund], require: { approvals: 1, from: [finance], sign: passkey } }\n`,
    0o600,
  )
  const plain = fileWith(head, 0o600)
  const warned = (BELLHOP_CONFIG: string, env: Record<string, string>) =>
    read({ BELLHOP_CONFIG, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 's', SANDBOX: 'on', ...env })
      .warnings()
      .filter((words) => words.includes('asks for passkeys'))
  const on = { CONSOLE: 'on' }
  expect(warned(file, {})).toEqual([expect.stringContaining('Set CONSOLE=on.')])
  expect(warned(file, { ...on, PUBLIC_URL: 'http://bellhop.example.com' })).toEqual([
    expect.stringContaining('https addresses'),
  ])
  for (const PUBLIC_URL of ['https://bellhop.example.com', 'http://localhost:3000', 'http://127.0.0.1:3000'])
    expect(warned(file, { ...on, PUBLIC_URL })).toEqual([])
  expect(warned(plain, {})).toEqual([])
})
