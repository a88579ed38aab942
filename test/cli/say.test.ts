import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { readArguments } from '../../src/cli/say/arguments.ts'
import { entry, newFolder, startProcess } from '../harness/bot-process.ts'
import { listen } from '../harness/listen.ts'
import { type Ran, runTool } from '../harness/tool.ts'

const say = (folder: string, args: string[], typed = '', env: Record<string, string> = {}): Promise<Ran> =>
  runTool('say', args, { cwd: folder, env: { HOME: folder, DATA_DIR: folder, ...env }, typed })

it('is started as a process, and ends with what came of it', async () => {
  const folder = newFolder()
  const started = startProcess({
    args: entry('src/cli/say.ts', 'subscriber get nobody@example.com'),
    env: { HOME: folder, DATA_DIR: folder },
  })
  expect(await started.ended).toMatchObject({ code: 2 })
  expect([started.out(), started.err()]).toEqual(['', expect.stringContaining('There is no subscriber')])
})

it('every line that is piped in is answered, and the end of them is the end', async () => {
  const { code, out, err } = await say(
    newFolder(),
    ['--as', 'p-finance'],
    'whoami\nsubscriber get nobody@example.com\nbellhop help refund',
  )
  expect(out).toContain('Person   p-finance')
  expect(err).toContain('There is no subscriber nobody@example.com.')
  expect(out).toContain('refund <payment-id>')
  expect({ code, stack: err.match(/^ +at /m) }).toEqual({ code: 0, stack: null })
})

it('somebody is meant by their first name, and who there is is told to whoever names nobody', async () => {
  const { out } = await say(newFolder(), ['--as', 'fay', 'whoami'])
  expect(out).toContain('Person   p-finance')
  const { code, err } = await say(newFolder(), ['--as', 'nobody', 'whoami'])
  expect(err).toContain('It lists p-support (Sam Support), p-finance (Fay Finance)')
  expect(code).not.toBe(0)
})

it('a database that cannot be opened is told in a sentence', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.sqlite'), 'this is no database '.repeat(100))
  const { code, err } = await say(folder, ['whoami'])
  expect(code).toBe(4)
  expect(err).toMatch(/^The database file .* cannot be opened\. npm run doctor says more\.\n$/)
})

it('a script is told by the exit code that the audit log was tampered with', async () => {
  const folder = newFolder()
  expect(await say(folder, ['--as', 'p-finance', 'whoami'])).toMatchObject({ code: 0 })
  expect(await say(folder, ['--as', 'p-finance', 'audit verify'])).toMatchObject({ code: 0 })
  const db = new DatabaseSync(join(folder, 'bellhop.sqlite'), { timeout: 10_000 })
  db.exec("UPDATE audit_log SET who = 'p-support' WHERE seq = 1")
  db.close()
  const { code, out } = await say(folder, ['--as', 'p-finance', 'audit verify'])
  expect(code).toBe(4)
  expect(out).toContain('Entry 1 of the audit log is not as it was written.')
})

it('a person who is not named is asked for', async () => {
  expect(await say(newFolder(), ['--as'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--as needs a person'),
  })
})

it('explains itself, and opens nothing for that', async () => {
  const folder = newFolder()
  const { code, out } = await say(folder, ['--help'], '', { DATA_DIR: '/nowhere/at/all' })
  expect(code).toBe(0)
  expect(out).toMatch(/npm run say[\s\S]*--as <person>[\s\S]*Tab completes[\s\S]*It ends with 0/)
})

it('asks y or n where a change is mine to confirm, says who can approve the others, and keeps the made-up world', async () => {
  const folder = newFolder()
  const typed = [
    'refund pay_1001 20 --customer cus_1001',
    'y',
    'refund pay_1002 20 --customer cus_1001',
    'n',
    'refund pay_1006 90 --customer cus_1004',
    'freze all',
  ].join('\n')
  const { out, err } = await say(folder, ['--as', 'p-support'], typed)
  expect(out).toContain('Confirm it? Type y or n.')
  expect(out).toContain('Refunded 20 USD to Ada Lindqvist')
  expect(out).toContain('Cancelled by ')
  expect(out).toMatch(/can approve it, with: approval approve \w+/)
  expect(out).not.toMatch(/^Approve it with/m)
  // What somebody may not run is refused by its name, and not suggested to them.
  expect(`${out}${err}`).toContain('may run freeze')
  expect(`${out}${err}`).not.toMatch(/mean.*freeze/)
  const later = await say(folder, ['--as', 'p-finance', 'transaction refunds cus_1001'])
  expect(later.out).toMatch(/20 USD +refund +pay_1001/)
})

it.each<[string[], string | undefined, string | undefined]>([
  [['subscriber get ada@example.com'], 'subscriber get ada@example.com', undefined],
  [['--as', 'fay', 'whoami'], 'whoami', 'fay'],
  [['whoami', '--as=fay'], 'whoami', 'fay'],
  [['refund', 'pay_1', '--description', 'two words'], 'refund pay_1 --description "two words"', undefined],
  [['refund', 'pay_1', '--description=two words'], 'refund pay_1 --description="two words"', undefined],
  [['subscriber', 'update', 'a@b.co', '--position', ''], 'subscriber update a@b.co --position ""', undefined],
  [['--as'], undefined, ''],
  [[], undefined, undefined],
])('the arguments %j are the line %j by %j', (args, line, as) => {
  expect(readArguments(args)).toEqual({ line, as, isHelp: false })
})

it('a key with white space around it is the key without it, and is not shown when the service repeats it', async () => {
  const folder = newFolder()
  const server = createServer(({ headers }, response) => {
    response.writeHead(headers.authorization === 'Bearer key-not-to-be-shown' ? 401 : 400)
    response.end(JSON.stringify({ message: `bad key ${headers.authorization}` }))
  })
  const { origin, close } = await listen(server)
  onTestFinished(close)
  writeFileSync(
    join(folder, 'bellhop.yml'),
    'version: 1\npeople: [{ id: ann, name: Ann Ek, roles: [all] }]\nroles: { all: { run: ["*"] } }\n',
  )
  const { code, err } = await say(folder, ['--as', 'ann ek', 'subscriber get ada@example.com'], '', {
    EMAIL_BASE_URL: `${origin}/api/v2`,
    EMAIL_API_KEY: ' key-not-to-be-shown\n',
  })
  expect(code).toBe(2)
  expect(err).toContain('does not accept our credentials: “bad key Bearer [key]”.')
})

it('outside the demo it looks up and asks, names the account of the machine, and decides nothing', async () => {
  const folder = newFolder()
  writeFileSync(
    join(folder, 'bellhop.yml'),
    `version: 1
people:
  - { id: sam, name: Sam, roles: [all] }
  - { id: fay, name: Fay, roles: [all] }
roles: { all: { run: ["*"], approve: ["*"] } }
policies: [{ name: freezes, commands: [unfreeze], require: { approvals: 1, from: [all] } }]
`,
  )
  const env = { EMAIL_BASE_URL: 'http://127.0.0.1:9/api', EMAIL_API_KEY: 'key' }
  await say(folder, ['--as', 'sam', 'freeze all --reason test'], '', env)
  const asked = await say(folder, ['--as', 'sam', 'unfreeze all'], '', env)
  expect(asked.code).toBe(3)
  expect(asked.out).toContain(`Sam (said by ${userInfo().username} on the machine)`)
  const [, id = ''] = /Approve (\w+) in your messenger/.exec(asked.out) ?? []
  expect(id).not.toBe('')
  const lines = [
    `approval approve ${id}`,
    `approval reject ${id} --reason no`,
    `approval cancel ${id}`,
    'bellhop console',
    `approval get ${id}`,
  ]
  const decided = await say(folder, ['--as', 'fay'], lines.join('\n'), env)
  expect(decided.err.match(/nothing is decided here/g)).toHaveLength(3)
  expect(decided.err).toContain('no link is given out')
  const db = new DatabaseSync(join(folder, 'bellhop.sqlite'), { timeout: 10_000 })
  expect(db.prepare("SELECT state FROM changes WHERE state <> 'applied'").all()).toEqual([
    { state: 'pending' },
  ])
  const entries = db
    .prepare('SELECT * FROM audit_log')
    .all()
    .map((entry) => JSON.stringify(entry))
  db.close()
  const named = entries.filter((entry) => entry.includes('said by'))
  expect(named.length).toBeGreaterThan(0)
})
