import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { codeNamedIn } from '../../../src/cli/packs/packs-in.ts'
import { testsIn } from '../../../src/cli/policy/tests.ts'
import { reachFindings } from '../../../src/kernel/policy/file/approver-findings.ts'
import { differencesOf } from '../../../src/kernel/policy/file/differences.ts'
import { draftOf, isMoney } from '../../../src/kernel/policy/file/draft.ts'
import { formatProblems } from '../../../src/kernel/policy/file/load.ts'
import { checkFindings } from '../../../src/kernel/policy/file/name-findings.ts'
import { fileSchema } from '../../../src/kernel/policy/file/schema.ts'
import { sealFileOf, sealIn, signersOf, whyUnsealed } from '../../../src/kernel/policy/file/seal.ts'
import { readSource } from '../../../src/kernel/policy/file/source.ts'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { platforms } from '../../harness/platforms.ts'
import { load, policyOf } from '../example.ts'
import { knownCommands } from '../known-commands.ts'

const base = `version: 1
people:
  - { id: sam, name: Sam, slack: U1, roles: [support] }
  - { id: fay, name: Fay, slack: U2, roles: [finance] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
`
const said = (text: string): string[] => {
  const loaded = load(text)
  return loaded.ok ? [] : formatProblems('f', loaded.problems).map((line) => line.slice(2))
}
/** Whether a section is taken, or the first words of what was expected. */
const taken = (section: string): string => {
  const [problem] = said(`${base}${section}\n`)
  return problem === undefined ? 'taken' : (/Expected (.*)\.$/.exec(problem)?.[1] ?? problem)
}

/** Each bound of the schema from both sides. */
it.each<[section: string, answer: string]>([
  ['bulk: { chunk: 1 }', 'taken'],
  ['bulk: { chunk: 0 }', 'a whole number from 1 to 1000'],
  ['bulk: { chunk: 1000 }', 'taken'],
  ['bulk: { chunk: 1001 }', 'a whole number from 1 to 1000'],
  ['bulk: { concurrency: 16 }', 'taken'],
  ['bulk: { concurrency: 17 }', 'a whole number from 1 to 16'],
  ['bulk: { rate: 1000 }', 'taken'],
  ['bulk: { rate: 1001 }', 'a whole number from 1 to 1000'],
  [`reasons: [${'x'.repeat(75)}]`, 'taken'],
  [`reasons: [${'x'.repeat(76)}]`, 'a list of at most 20 reasons of up to 75 characters'],
  [`reasons: [" "]`, 'a list of at most 20 reasons of up to 75 characters'],
  [`reasons: [${Array.from({ length: 20 }, (_, at) => `r${at}`).join(', ')}]`, 'taken'],
  [
    `reasons: [${Array.from({ length: 21 }, (_, at) => `r${at}`).join(', ')}]`,
    'a list of at most 20 reasons of up to 75 characters',
  ],
  ['zone: Europe/Berlin', 'taken'],
  ['zone: Nowhere/Land', 'a time zone such as Europe/Berlin'],
  ['unseen: pass', 'taken'],
  ['unseen: no', 'ask or pass'],
  ['agents: [{ id: a, name: A, owner: sam, token: { env: A }, rate: 100000 }]', 'taken'],
  [
    'agents: [{ id: a, name: A, owner: sam, token: { env: A }, rate: 100001 }]',
    'a whole number from 1 to 100000',
  ],
  ['agents: [{ id: a, name: A, owner: sam, token: { env: 1A } }]', 'the name of an environment variable'],
  ['agents: [{ id: a, name: A, owner: sam, token: { workflow: true } }]', 'taken'],
  ['agents: [{ id: a, name: A, owner: sam, token: { env: A }, tools: some }]', 'all or few'],
  ['emergency: { from: [finance], commands: [refund] }', 'taken'],
  ['emergency: { from: [], commands: [refund] }', 'at least one role'],
  ['emergency: { from: [boss], commands: [refund] }', 'one of: support, finance'],
  [
    'emergency: { from: [finance], commands: [make coffee] }',
    'a command such as "campaign send", all of a noun such as "campaign *", or "*"',
  ],
  ['tests: [{ name: t, as: sam, line: refund, expect: {} }]', 'rule, require, or refused: true'],
  ['tests: [{ name: t, as: sam, line: refund, expect: { refused: true } }]', 'taken'],
  ['tests: [{ name: t, as: sam, line: refund, expect: { refused: false } }]', 'true'],
  ['administrators: [sam]', 'taken'],
  ['administrators: [sam, nobody]', 'the id of somebody under people: sam, fay'],
  ['duplicates: { window: 366d }', 'taken'],
  ['duplicates: { window: 367d }', 'a duration such as 10s, 30m, 24h or 7d'],
  ['budgets: [{ name: b, commands: [refund], per: everyone, window: 1d, limit: 0, then: confirm }]', 'taken'],
  [
    'budgets: [{ name: b, commands: [refund], per: everyone, window: 1d, limit: 5%, then: confirm }]',
    'a number',
  ],
  ['policies: [{ name: p, commands: [refund], amount: { from: 5, upTo: 5 }, require: confirm }]', 'taken'],
  ['policies: [{ name: p, commands: [refund], amount: { over: 5, upTo: 5.01 }, require: confirm }]', 'taken'],
  ['policies: [{ name: p, commands: [refund], amount: { upTo: .inf }, require: confirm }]', 'a number'],
  ['policies: [{ name: p, commands: [refund], amount: { upTo: 1e3 }, require: confirm }]', 'taken'],
  [
    `policies: [{ name: p, commands: [refund], amount: { upTo: "1${'0'.repeat(400)}" }, require: confirm }]`,
    'a number',
  ],
  [
    'policies: [{ name: p, commands: [refund], require: [] }]',
    'none, confirm, { approvals: 1, from: [role] }, { stages: [...] } or a list of these',
  ],
  ['policies: [{ name: p, commands: [refund], require: confirm, canary: 99.999% }]', 'taken'],
  ['policies: [{ name: p, commands: [refund], require: confirm, canary: 0.001% }]', 'taken'],
  [
    'policies: [{ name: p, commands: [refund], require: { approvals: 1 }, escalate: { after: 1h, to: [] } }]',
    'at least one role',
  ],
  [
    'policies: [{ name: p, commands: [refund], require: { approvals: 1 }, escalate: { after: 1h, to: [boss] } }]',
    'one of: support, finance',
  ],
  [
    'policies: [{ name: p, commands: [refund], require: { approvals: 1 }, escalate: { after: 1h, to: [support] } }]',
    'one of: finance',
  ],
  [
    'policies: [{ name: p, commands: [refund], require: confirm, remind: [1h] }]',
    'it beside { approvals: 1, from: [role] }',
  ],
  [
    'policies: [{ name: p, commands: [refund], require: { approvals: 1 }, remind: [1h], notify: direct }]',
    'taken',
  ],
])('%s: %s', (section, answer) => {
  expect(taken(section)).toBe(answer)
})

test('what a file does not say has its default', () => {
  const {
    people: _,
    roles: __,
    digest: ___,
    guesses: ____,
    sections: _____,
    ...rest
  } = policyOf(
    `${base}agents: [{ id: a, name: A, owner: sam, token: { env: A } }]
emergency: { from: [finance], commands: [refund] }
`,
  )
  expect(rest).toEqual({
    version: 1,
    variables: ['A'],
    agents: [
      {
        id: 'a',
        name: 'A',
        owner: 'sam',
        roles: [],
        token: { env: 'A' },
        rate: 120,
        tools: 'all',
        accounts: { mcp: 'a' },
      },
    ],
    groups: { slack: {}, discord: {} },
    workspaces: {},
    spaces: [undefined],
    everyone: { run: [] },
    approvals: [],
    administrators: [],
    policies: [],
    budgets: [],
    duplicates: null,
    unseen: 'ask',
    reasons: [],
    zone: 'UTC',
    bulk: { chunk: 100, concurrency: 4, rate: 50 },
    links: {},
    customersWrite: 'all',
    seal: null,
    emergency: { from: ['finance'], commands: ['refund'], forMs: 1_800_000 },
  })
})

test('one field of links may be said by its name alone', () => {
  expect(policyOf(`${base}links: billing_id\n`).links).toEqual({ customer: 'billing_id' })
})

test('what a file says of a person and a rule is taken as it is written, times the shortest first', () => {
  const policy = policyOf(
    `${base.replace('slack: U1,', 'slack: [T2/U1, U1], zone: Europe/Berlin, manager: fay,')}workspaces: { slack: [T2] }
policies:
  - { name: p, commands: ["campaign  send "], require: { approvals: 1, sign: passkey }, hold: 1m, remind: [2h, 1h], escalate: { after: 3h, to: [finance] } }
`,
  )
  expect(policy.people[0]).toEqual({
    ...{ id: 'sam', name: 'Sam', roles: ['support'], zone: 'Europe/Berlin', manager: 'fay' },
    accounts: { slack: 'U1', console: 'sam', terminal: 'sam' },
    elsewhere: [{ platform: 'slack', account: 'T2/U1' }],
  })
  expect(policy.policies[0]).toEqual({
    ...{ name: 'p', commands: ['campaign send'], holdMs: 60_000, remindMs: [3_600_000, 7_200_000] },
    require: [{ kind: 'approvals', count: 1, from: [], sign: 'passkey' }],
    escalate: { afterMs: 10_800_000, to: ['finance'] },
  })
  const same = policyOf(base.replace('[finance] }\nroles', '[support] }\nroles'))
  expect(same.people[0]?.roles).toBe(same.people[1]?.roles)
})

describe('agents', () => {
  const agent = (over: string) => `{ name: A, token: { env: A }, owner: sam, id: a, ${over} }`
  it.each<[string, string[], string]>([
    [
      'of the id of a person',
      ['{ id: sam, name: A, owner: sam, token: { env: A } }'],
      '"sam" is the id of a person',
    ],
    [
      'of one id',
      [
        '{ id: a, name: A, owner: sam, token: { env: A } }',
        '{ id: a, name: B, owner: sam, token: { env: B } }',
      ],
      '"a" is the id of another agent',
    ],
    [
      'of nobody',
      ['{ id: a, name: A, owner: zed, token: { env: A } }'],
      'unknown person "zed" in agents[0].owner',
    ],
    [
      'of one token',
      [
        '{ id: a, name: A, owner: sam, token: { env: A } }',
        '{ id: b, name: B, owner: sam, token: { env: A } }',
      ],
      'two agents have the same token',
    ],
    ['of an unknown role', [agent('roles: [boss]')], 'unknown role "boss" in agents[0].roles'],
  ])('%s are refused', (_, agents, words) => {
    const problems = said(`${base}agents:\n${agents.map((one) => `  - ${one}\n`).join('')}`)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(words)
  })
})

test('what only looks like a list or a map is read as nothing, and its mistake is told', () => {
  const draft = draftOf(
    {
      people: 'x',
      roles: [],
      groups: { slack: [1] },
      administrators: ['a', 1],
      approvals: { slack: ['C', 1] },
      duplicates: null,
    },
    undefined,
    [],
    platforms,
  )
  expect(draft).toMatchObject({
    people: [],
    roles: {},
    groups: { slack: {} },
    administrators: ['a'],
    approvals: { slack: ['C'] },
    duplicates: true,
  })
  expect([
    isMoney({ name: 'a', movesMoney: true }),
    isMoney({ name: 'a', kind: 'query', movesMoney: true }),
    isMoney({ name: 'a', movesMoney: () => true }),
    isMoney({ name: 'a' }),
  ]).toEqual([true, false, false, false])
})

test('tests stand in the file or beside it, each with its line', () => {
  const cases =
    'tests:\n  - { name: one, as: sam, line: refund pay_1, expect: { rule: x } }\n  - { name: two, as: sam, line: refund, before: [{ line: refund }], expect: { refused: true } }\n'
  const placed = (text: string, isPolicy: boolean) => {
    const read = testsIn(text, { file: 'f', isPolicy })
    return read.ok ? read.tests.map(({ name, at }) => `${name} ${at}`) : read.problems
  }
  expect(placed(`${base}${cases}`, true)).toEqual(['one f:9', 'two f:10'])
  expect(placed(cases, false)).toEqual(['one f:2', 'two f:3'])
  expect(placed(base, true)).toEqual([])
  expect(placed(base, false)[0]).toContain('missing key "tests"')
  expect(placed('tests: [', false).join()).toContain('not valid YAML')
  expect(placed(`tests: []\n${cases}`, false).join()).toContain('duplicate key "tests"')
  expect(placed('# none yet\n', false).join()).toMatch(/^f:1:1: /)
  expect(placed('', false).join()).toMatch(/^f:1:1: /)
  const read = testsIn(cases, { file: 'f', isPolicy: false })
  expect(read.ok && read.tests[1]?.before).toEqual([{ line: 'refund', ago: 60_000 }])
})

test('the packs and features of a file are those that it names, whatever else is wrong', () => {
  const pin = `sha256-${'a'.repeat(64)}`
  const file = `packs: [a, 1, { name: b, pin: ${pin} }, { name: c, pin: 1 }]\nfeatures: [d]`
  expect(codeNamedIn(file)).toEqual([
    { kind: 'pack', name: 'a' },
    { kind: 'pack', name: 'b', pin },
    { kind: 'feature', name: 'd' },
  ])
  expect([codeNamedIn('packs: a'), codeNamedIn(''), codeNamedIn('- x')]).toEqual([[], [], []])
})

test('what is gone, empty or of another kind is told as it was', () => {
  expect(differencesOf('zone: UTC\nlinks:\n', 'zone:\nlinks: a\n')).toEqual([
    'Zone is gone: it was UTC.',
    'Links is new: a.',
  ])
  expect(differencesOf('', 'zone: UTC')).toEqual(['Zone is new: UTC.'])
  expect(differencesOf('policies: []', 'policies: [{ name: a }]')).toEqual([
    'Policies is [{ name: a }]; it was [].',
  ])
  expect(differencesOf('x: [1, true]', 'x: [1, null]')).toEqual(['X is [1, null]; it was [1, true].'])
  expect(differencesOf('people: [{ id: a }]', 'people: [{ id: a, name: B }]')).toEqual([
    'Name of the person "a" is new: B.',
  ])
})

test('the mistake of one requirement of several stands where that one is written', () => {
  const rule = (require: string) =>
    said(`${base}policies:\n  - { name: p, commands: [refund], require: ${require} }\n`)
  expect(rule('[{ approvals: 1 }, { approvals: 1, from: [boss] }]')).toEqual([
    '9:87: unknown role "boss" in policies[0].require[1].from. Expected one of: support, finance.',
  ])
  expect(rule('[confirm, { stages: [{ approvals: 1 }, { approvals: 1, from: [support] }] }]')[0]).toContain(
    'nobody in support may approve "refund", so policies[0].require[1].stages could never be met',
  )
})

test('of a key that is there twice the first counts, and an order inside of a rule says nothing', () => {
  expect(readSource('a: 1\na: 2\n').at(['a'])).toEqual({ line: 1, column: 4 })
  const swapped = (names: string[]) =>
    `policies: { x: [${names.map((name) => `{ name: ${name} }`).join(', ')}] }`
  expect(differencesOf(swapped(['a', 'b']), swapped(['b', 'a']))).toEqual([])
})

test('a place in the file is that of a value or of its key, or where it should have been', () => {
  const { at, writtenAt } = readSource('a: 1\nb:\n  - c: x\n    d: "y"\n  - z\n')
  expect([at(['a']), at(['a'], 'key'), at(['b', 0, 'd']), at(['b', 0, 'd'], 'key'), at(['b', 1])]).toEqual([
    { line: 1, column: 4 },
    { line: 1, column: 1 },
    { line: 4, column: 8 },
    { line: 4, column: 5 },
    { line: 5, column: 5 },
  ])
  // Of an entry of a list there is no key.
  expect([at(['b', 1], 'key'), at(['b', 0, 'gone']), at(['b', 7]), at([])]).toEqual([
    { line: 5, column: 5 },
    { line: 3, column: 5 },
    { line: 3, column: 3 },
    { line: 1, column: 1 },
  ])
  expect([writtenAt(['a']), writtenAt(['b', 0, 'c'])]).toEqual(['1', 'x'])
  expect([['b', 0, 'd'], ['gone'], ['a', 'gone']].map(writtenAt)).toEqual([undefined, undefined, undefined])
})

describe('a seal', () => {
  const pair = () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    const blob = Buffer.concat([field('ssh-ed25519'), field(raw)])
    return { line: `ssh-ed25519 ${blob.toString('base64')}`, blob, privateKey }
  }
  function field(value: string | Buffer): Buffer {
    const bytes = Buffer.from(value as string)
    const size = Buffer.alloc(4)
    size.writeUInt32BE(bytes.length)
    return Buffer.concat([size, bytes])
  }
  /** As ssh-keygen -Y sign writes it. */
  const signed = ({ blob, privateKey }: ReturnType<typeof pair>, text: string, purpose = 'bellhop') => {
    const hash = createHash('sha512').update(text).digest()
    const data = Buffer.concat([
      Buffer.from('SSHSIG'),
      field(purpose),
      field(''),
      field('sha512'),
      field(hash),
    ])
    const signature = Buffer.concat([field('ssh-ed25519'), field(sign(null, data, privateKey))])
    const version = Buffer.from([0, 0, 0, 1])
    const whole = Buffer.concat([
      ...[
        Buffer.from('SSHSIG'),
        version,
        field(blob),
        field(purpose),
        field(''),
        field('sha512'),
        field(signature),
      ],
    ])
    return `-----BEGIN SSH SIGNATURE-----\n${whole.toString('base64')}\n-----END SSH SIGNATURE-----\n`
  }
  const [ada, bob] = [pair(), pair()]
  const file = (
    count: number,
    keys = `{ name: ada, key: "${ada.line}" }, { name: bob, key: "${bob.line}" }`,
  ) => `seal: { keys: [${keys}], count: ${count} }`
  const seal = sealIn(file(2)) as NonNullable<ReturnType<typeof sealIn>>

  it('needs as many keys as it says, each once', () => {
    expect([sealIn(file(1))?.count, sealIn(file(2))?.count, sealIn(file(3)), sealIn('')]).toEqual([
      1,
      2,
      null,
      null,
    ])
    expect(sealIn(file(1, `{ name: ada, key: "${ada.line}" }, { name: ada, key: "${bob.line}" }`))).toBeNull()
    expect(
      sealIn(file(1, `{ name: ada, key: "${ada.line} x" }, { name: bob, key: "${ada.line} y" }`)),
    ).toBeNull()
    expect(sealIn(file(1, '{ name: ada, key: "ssh-ed25519 AAAA" }'))).toBeNull()
    expect(sealFileOf('a.yml')).toBe('a.yml.sig')
  })
  it('counts the keys that signed this text for this purpose', () => {
    const signatures = signed(ada, 'text') + signed(bob, 'other') + signed(bob, 'text', 'else')
    expect(signersOf(seal, 'text', signatures)).toEqual(['ada'])
    expect(signersOf(seal, 'text', signatures + signed(bob, 'text'))).toEqual(['ada', 'bob'])
  })
  it('is told with what is missing', () => {
    const why = (signatures: string) => whyUnsealed(seal, { text: 'text', signatures, from: 'b.yml' })
    expect(why('')).toContain(
      'b.yml is not sealed: it needs signatures by 2 of the keys ada, bob, and none of them is there. Each of them signs with',
    )
    expect(why(signed(ada, 'text'))).toContain('and only ada signed it.')
    expect(why(signed(ada, 'text') + signed(bob, 'text'))).toBeUndefined()
  })
})

test('the same is found in a file whether its lists were read whole or entry by entry', () => {
  const files = [
    demoPolicy,
    `${base}agents: [{ id: a, name: A, owner: sam, token: { env: A }, roles: [boss] }]\n`,
    `${base}policies:\n  - { name: x, commands: [nothing], require: { approvals: 9, from: [nobody] } }\n`,
  ]
  for (const text of files) {
    const { value } = readSource(text)
    const whole = fileSchema(platforms).safeParse(value)
    expect(whole.error).toBeUndefined()
    const [once, twice] = [whole.data, undefined].map((read) => {
      const draft = draftOf(value, read, knownCommands, platforms)
      return [...checkFindings(draft), ...reachFindings(draft)]
    })
    expect(once).toEqual(twice)
    expect(once?.length === 0).toBe(text === demoPolicy)
  }
})
