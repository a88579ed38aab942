import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { csvOf, emailOf, startEmailService } from '../../harness/many-people.ts'
import { runTool } from '../../harness/tool.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-say-'))
const say = new URL('../../../src/cli/say.ts', import.meta.url).pathname
const file = join(folder, 'people.csv')
writeFileSync(file, csvOf(Array.from({ length: 1_200 }, (_, n) => emailOf(n))))
let delayMs = 0
const service = await startEmailService({
  subscribers: 12_000,
  fate: (n) => (n === 5 ? 'refuse' : 'ok'),
  delay: () => delayMs,
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const environment = {
  DATA_DIR: folder,
  EMAIL_BASE_URL: service.baseUrl,
  EMAIL_API_KEY: 'key',
  BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
}
writeFileSync(
  environment.BELLHOP_CONFIG,
  'version: 1\npeople: [{ id: ann, name: Ann, roles: [all] }]\nroles: { all: { run: ["*"] } }\npolicies: [{ name: sends, commands: ["campaign send"], require: none }]\n',
)

const run = (line: string) => runTool('say', [line], { env: environment, cwd: folder })

const send = `campaign send cmp_1 --file ${file}`

it('sends from a file on this machine, with a bar, and writes down what failed', async () => {
  const done = await run(send)
  expect(done.code).toBe(4)
  expect(done.err).toMatch(/\[#{30}\] 100% {2}1,200 of 1,200/)
  expect(done.out).toContain('Done: 100 failed.')
  const written = /Written to (job-\w+\.csv)/.exec(done.out)?.[1] ?? ''
  expect(readFileSync(join(folder, written), 'utf8').trim().split('\r\n')).toHaveLength(101)
})

it('pauses at Ctrl-C, and leaves going on to somebody who is known', async () => {
  service.sends.length = 50
  delayMs = 60
  const child = spawn(process.execPath, [say, send], { env: { ...process.env, ...environment }, cwd: folder })
  let out = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  await expect.poll(() => service.sends.length).toBeGreaterThan(51)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  delayMs = 0
  expect(code).toBe(3)
  const sent = service.sends.length
  expect(sent).toBeLessThan(62)
  const [, id = ''] = /in your messenger or in the console with: job resume (\w+)/.exec(out) ?? []
  const resumed = await run(`job resume ${id}`)
  expect(resumed).toMatchObject({ code: 2, err: expect.stringContaining('nothing is decided here') })
  expect(service.sends).toHaveLength(sent)
})

it('writes an export of any size to its output', async () => {
  const { out, code } = await run('subscriber export')
  expect(code).toBe(0)
  expect(out.split('\r\n')).toHaveLength(12_002)
})

it('says that a file cannot be read', async () => {
  const { err, code } = await run('subscriber import --file ./nothing-here.csv')
  expect(code).toBe(2)
  expect(err).toContain('./nothing-here.csv cannot be read.')
  expect(existsSync(join(folder, 'nothing-here.csv'))).toBe(false)
})
