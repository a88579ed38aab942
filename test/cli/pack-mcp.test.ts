import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkServices } from '../../src/cli/doctor/services.ts'
import { decideOperation } from '../../src/cli/pack/decide.ts'
import { readMcp } from '../../src/cli/pack/read-mcp.ts'
import { writePack } from '../../src/cli/pack/write-pack.ts'
import { takeInTools } from '../../src/cli/packs/tool-pins.ts'
import { openTestApp, textOf } from '../harness/app.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { runTool } from '../harness/tool.ts'
import { whenDone } from '../harness/when-done.ts'
import { scripted } from '../services/mcp/scripted-pack.ts'
import { overHttp } from '../services/mcp/scripted-server.ts'

const servers = [
  {
    name: 'everything',
    script: '@modelcontextprotocol/server-everything/dist/index.js stdio',
    tools: ['echo', 'get-sum', 'get-structured-content', 'toggle-simulated-logging', 'gzip-file-as-resource'],
    env: {},
  },
  {
    name: 'resend',
    script: 'resend-mcp/dist/index.js',
    tools: [
      ...['send-email', 'send-broadcast', 'list-contacts', 'get-contact', 'create-contact'],
      'remove-contact',
    ],
    env: { RESEND_TOKEN: 're_test_123456' },
    tokenAs: 'RESEND_API_KEY',
  },
]

test.each(servers)(
  'the example $name is what its server says of itself, and nobody wrote a letter of it',
  async ({ name, script, tools, env, tokenAs }) => {
    const folder = join(newFolder(), name)
    const where = `${process.execPath.replace(/[^/]+$/, 'node')} ${resolve('node_modules', script)}`
    const document = await readMcp({ where, name, tokenAs }, env)
    const chosen = document.operations.filter(({ id }) => tools.includes(id)).map(decideOperation)
    for (const file of writePack(folder, name, document, chosen))
      expect(readFileSync(join(folder, file), 'utf8'), file).toBe(
        readFileSync(join('examples', name, file), 'utf8'),
      )
  },
)

test('what a tool says of itself decides how it is sent, and what could be otherwise is marked', () => {
  const decided = (id: string, annotations: object, words = 'Does it') => {
    const tool = { name: id, inputSchema: {}, annotations }
    const operation = {
      id,
      method: 'POST',
      path: `/${id}`,
      summary: words,
      params: [],
      query: [],
      body: [],
    } as const
    const { effect, movesMoney, doubts } = decideOperation({
      ...operation,
      params: [],
      query: [],
      body: [],
      answer: undefined,
      answerExample: undefined,
      tool,
    })
    return { effect, movesMoney, doubts: doubts.length }
  }
  expect(decided('get_thing', { readOnlyHint: true })).toEqual({
    effect: 'read',
    movesMoney: false,
    doubts: 0,
  })
  expect(decided('update_thing', {})).toEqual({ effect: 'once', movesMoney: false, doubts: 0 })
  expect(decided('send_thing', { readOnlyHint: true }).doubts).toBe(1)
  expect(decided('wipe_thing', { destructiveHint: true }).doubts).toBe(1)
  expect(decided('set_thing', { idempotentHint: true })).toMatchObject({ effect: 'once', doubts: 1 })
  expect(decided('create_refund', {})).toEqual({ effect: 'once', movesMoney: true, doubts: 1 })
})

test.each([
  [['new', '--mcp', 'ftp://a.example/mcp', '--out', 'some', '--tools', 'all'], /must start with http/],
  [['new', '--mcp', 'node "server.js', '--out', 'some', '--tools', 'all'], /a quote that is not closed/],
  [
    ['new', '--mcp', '/nowhere/at-all', '--out', 'some', '--tools', 'all'],
    /at-all cannot be asked: .*ENOENT/,
  ],
  [['new', '--mcp', 'x', '--openapi', 'y', '--out', 'some'], /--openapi or --mcp, and not both/],
  [['new', '--mcp', 'x'], /Say --out, --tools too/],
])('bellhop pack %j is refused with what to do', async (words, said) => {
  expect(await runTool('pack', words, { cwd: newFolder() })).toMatchObject({
    code: 2,
    err: expect.stringMatching(said),
  })
})

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [lead] }
roles:
  support: { run: ["*"] }
  lead: { run: ["*"], approve: ["*"] }
policies:
  - { name: acts, commands: [scripted act], require: { approvals: 1, from: [lead] } }
`

describe('a server that says other things of a tool after somebody looked', () => {
  test('is sent nothing: neither what was approved before, nor what is asked for now', async () => {
    const server = await overHttp()
    whenDone(server.close)
    const bot = await openTestApp({
      policy,
      packs: [scripted],
      tasks: false,
      front: async ({ services }) => ({
        ...services,
        scripted: { baseUrl: server.baseUrl, token: 'scripted-token' },
      }),
    })
    const asked = await bot.say('scripted act well', 'sam')
    if (asked.kind !== 'change') throw new Error(textOf(asked))
    server.turn('Does something, and sends a copy to somebody else')
    const pressed = await bot.press('approve', asked.change.id, 'fay')
    expect(pressed).toMatchObject({ kind: 'change', change: { state: 'failed' } })
    expect(textOf(pressed)).toContain('sends a copy to somebody else')
    expect(await bot.store.audit.find({ changeId: asked.change.id, limit: 50 })).not.toContainEqual(
      expect.objectContaining({ kind: 'claimed' }),
    )
    expect(await bot.say('scripted act now', 'sam')).toMatchObject({ refusal: { code: 'tools_changed' } })
    expect(server.heard()).toEqual([])
  })

  test('is told by the doctor with what changed, and taken in by packs pin', async () => {
    commandsWith([scripted])
    const server = await overHttp()
    whenDone(server.close)
    const settings = { scripted: { baseUrl: server.baseUrl, token: 'scripted-token' } }
    expect(await checkServices(settings)).toEqual([
      { ok: true, about: 'scripted', words: expect.stringContaining('its 2 tools is as it was pinned') },
    ])
    server.turn('Does otherwise')
    const [finding] = await checkServices(settings)
    expect(finding).toMatchObject({
      ok: false,
      words: expect.stringMatching(/“Does otherwise”.*packs -- pin/),
    })
    server.accepts('another')
    const [refused] = await checkServices(settings)
    expect(refused).toMatchObject({ ok: false, words: expect.stringContaining('Check SCRIPTED_TOKEN') })
    server.accepts('scripted-token')

    const folder = newFolder()
    cpSync('examples/resend', join(folder, 'scripted'), { recursive: true })
    const file = join(folder, 'scripted', 'mcp.json')
    writeFileSync(file, JSON.stringify({ service: 'scripted', tools: scripted.mcp.tools }))
    writeFileSync(join(folder, 'bellhop.yml'), `${policy}packs: [./scripted]\n`)
    const env = {
      BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
      SCRIPTED_MCP_URL: server.baseUrl,
      SCRIPTED_TOKEN: 'scripted-token',
    }
    expect(await takeInTools({ ...env, SCRIPTED_MCP_URL: undefined })).toEqual([
      './scripted: SCRIPTED_MCP_URL is not set, so its server was not asked about its tools.',
    ])
    expect(await takeInTools(env)).toEqual([
      './scripted: taken in, as its server says it now:',
      '  act: the description said “Does something”, and says “Does otherwise”.',
    ])
    expect(JSON.parse(readFileSync(file, 'utf8')).tools[1].description).toBe('Does otherwise')
    expect(await takeInTools(env)).toEqual(['./scripted: its server says of its tools what the pack says.'])
  })
})
