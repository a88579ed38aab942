import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { openAgents, tokenOf } from '../mcp/harness.ts'
import { startClient } from '../mcp/official-client.ts'
import { buttonOf, changeOf, paymentIn } from './harness.ts'

const anything = z.unknown()
const looks =
  '"report *", "policy *", "person *", "job *", "schedule *", "away *", "bellhop *", approval get, approval receipt, audit verify'

/** Lou may run every look-up that gives no sight by itself; the others have one right more. */
const policy = `version: 1
people:
  - { id: sam, name: Sam Sorrel, roles: [support] }
  - { id: lou, name: Lou, roles: [looker] }
  - { id: lis, name: Lis, roles: [looker, lister] }
  - { id: fay, name: Fay, roles: [looker, finance] }
  - { id: ann, name: Ann, roles: [looker, finder] }
  - { id: exa, name: Exa, roles: [looker, exporter] }
  - { id: pat, name: Pat, roles: [looker, packer] }
agents:
  - { id: bot, name: Bot, owner: sam, roles: [looker], token: { env: BOT_TOKEN }, tools: few, rate: 1000 }
roles:
  support: { run: [refund] }
  looker: { run: [refund, ${looks}] }
  lister: { run: [approval list] }
  finance: { approve: ["*"] }
  finder: { run: [audit find] }
  exporter: { run: [audit export] }
  packer: { run: [audit pack] }
policies:
  - { name: small, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: large, commands: [refund], require: { approvals: 1, from: [finance] } }
budgets:
  - { name: a day, commands: [refund], per: requester, window: 24h, limit: 1000, then: { approvals: 1 } }
duplicates: { window: 1h }
`
const bot = await openAgents({ policy })
afterAll(bot.close)
const payments = [paymentIn(bot.sandbox), paymentIn(bot.sandbox)]
const asked = async (amount: number, reason: string, at: number): Promise<Change> =>
  changeOf(
    await bot.say(`refund ${payments[at]} ${amount} --customer cus_1001 --description "${reason}"`, 'sam'),
  )

/** One that Sam confirms alone, and one that somebody approved. */
const own = await asked(11, 'zebra stripes', 0)
await bot.press('confirm', buttonOf(own), 'sam')
const shared = await asked(77, 'yellow hippo', 1)
await bot.press('approve', buttonOf(shared), 'fay')

/** What would give each of them away. */
const marks = { own: [own.id, 'zebra stripes'], shared: [shared.id, 'yellow hippo'] }
const isIn = (text: string, words: readonly string[]): boolean => words.some((word) => text.includes(word))

/** Every look-up of the bot's own records, about one of the two where it is about one. */
const lines: Record<string, (change: Change) => string> = {
  'approval get': ({ id }) => `approval get ${id}`,
  'approval list': () => 'approval list --state applied',
  'approval receipt': ({ id }) => `approval receipt ${id}`,
  'audit export': () => 'audit export',
  'audit find': () => 'audit find --command refund',
  'audit pack': () => 'audit pack',
  'audit verify': () => 'audit verify',
  'away list': () => 'away list',
  'bellhop console': () => 'bellhop console',
  'bellhop help': () => 'bellhop help',
  'bellhop sessions': () => 'bellhop sessions',
  'bellhop status': () => 'bellhop status',
  'bellhop whoami': () => 'bellhop whoami',
  'grant list': () => 'grant list',
  'job get': ({ id }) => `job get ${id}`,
  'job list': () => 'job list',
  'person find': () => 'person find sorrel',
  'person get': () => 'person get ada@example.com',
  'policy explain': ({ line }) => `policy explain "${line.split(' --')[0]}"`,
  'policy history': () => 'policy history',
  'policy patch': ({ id }) => `policy patch ${id}`,
  'policy show': () => 'policy show',
  'report access': () => 'report access',
  'report approvals': () => 'report approvals',
  'report budgets': () => 'report budgets',
  'report digest': () => 'report digest',
  'report refunds': () => 'report refunds --by reason',
  'report shadow': () => 'report shadow',
  'schedule find': () => 'schedule find',
  'webhook list': () => 'webhook list',
}

const allOf = (reply: Reply): string => {
  if (reply.kind !== 'answer') return ''
  const { file } = reply
  return `${textOf(reply)}${file?.content ?? ''}${file?.path ? readFileSync(file.path, 'latin1') : ''}`
}

const people = ['sam', 'lou', 'lis', 'fay', 'ann', 'exa', 'pat']

/** Who was shown anything of the change by which command. */
const shownBy = async (change: Change, words: readonly string[]): Promise<Record<string, string>> => {
  const shown: Record<string, string> = {}
  for (const [command, line] of Object.entries(lines)) {
    const who: string[] = []
    for (const person of people) if (isIn(allOf(await bot.say(line(change), person)), words)) who.push(person)
    if (who.length > 0) shown[command] = who.join(' ')
  }
  return shown
}

describe('of a change of somebody else', () => {
  it('every look-up of the bot’s own records is looked at here', () => {
    const all = bot.registry.all.filter((one) => one.kind === 'query' && one.area === 'bellhop')
    expect(Object.keys(lines)).toEqual(all.map(({ name }) => name).toSorted())
  })

  it('no command shows anything to somebody who may not see it', async () => {
    const readers = 'ann exa pat'
    expect(await shownBy(own, marks.own)).toEqual({
      'approval get': readers,
      'approval receipt': readers,
      'audit export': 'exa',
      'audit find': 'ann',
      'audit pack': 'pat',
      'policy explain': `sam ${readers}`,
      'report refunds': readers,
    })
    const seers = 'lis fay ann exa pat'
    expect(await shownBy(shared, marks.shared)).toEqual({
      'approval get': seers,
      'approval list': 'lis',
      'approval receipt': seers,
      'audit export': 'exa',
      'audit find': 'ann',
      'audit pack': 'pat',
      'policy explain': `sam ${seers}`,
      'report approvals': seers,
      'report refunds': seers,
    })
  })

  it('reports count all, and name a requester, a reason and an amount only to those who may see it', async () => {
    const told = async (line: string, person: string) => allOf(await bot.say(line, person))
    for (const by of ['requester', 'reason', 'customer', 'rule']) {
      const line = `report refunds --by ${by}`
      expect(await told(line, 'lou')).toMatch(/^2 refunds, /)
      expect(await told(line, 'lou')).toContain('2 of these are counted and not shown')
      expect(await told(line, 'lou')).not.toMatch(/Sorrel|zebra|hippo|cus_/)
      expect(await told(line, 'lis')).toMatch(/^2 refunds, /)
      expect(await told(line, 'lis')).toContain('1 of these is counted and not shown')
      expect(await told(line, 'ann')).not.toContain('not shown')
    }
    expect(await told('report refunds --by requester', 'lou')).toMatch(/not shown +2 +88/)
    expect(await told('report refunds --by requester', 'lis')).toMatch(/Sam Sorrel +1 +77/)
    const budgets = /a day +(.+?) +88/
    const whose = async (person: string) => budgets.exec(await told('report budgets', person))?.[1]
    expect(await Promise.all(people.slice(1).map(whose))).toEqual([
      ...['not shown', 'not shown', 'not shown'],
      ...['Sam Sorrel', 'Sam Sorrel', 'Sam Sorrel'],
    ])
    expect(await told('report approvals', 'lou')).not.toMatch(/Sorrel|Fay/)
    expect(await told('report approvals', 'lis')).toMatch(/Sorrel[\s\S]*Fay/)
  })

  it('nothing is offered, and no button or record shows it, to somebody who may not see it', async () => {
    const offeredTo = async ({ id }: Change): Promise<string[]> => {
      const offered = await Promise.all(
        people.map((who) => bot.app.bot.suggest(fromOf(who), { kinds: ['change'], by: 'id' }, '')),
      )
      return people.filter((_, at) => JSON.stringify(offered[at]).includes(id))
    }
    expect(await offeredTo(await asked(33, 'a red fox', 0))).toEqual(['sam', 'ann', 'exa', 'pat'])
    const waiting = await asked(66, 'green goose', 0)
    expect(await offeredTo(waiting)).toEqual(['sam', 'lis', 'fay', 'ann', 'exa', 'pat'])
    await bot.db.all(anything, `UPDATE changes SET state = 'unknown' WHERE id = $1`, [waiting.id])
    for (const verb of ['look_up', 'receipt', 'show_all', 'why'] as const) {
      const reply = await bot.press(verb, buttonOf(waiting), 'lou')
      expect([verb, isIn(JSON.stringify(reply), ['green goose', 'Sorrel'])]).toEqual([verb, false])
    }
    for (const person of ['lou', 'lis', 'fay']) {
      const { records } = bot.app.bot.readsOf(fromOf(person))
      const entries = await records.audit.find({ limit: 100, page: 1, who: 'sam' })
      expect([...new Set(entries.map(({ who }) => who))]).toEqual([person])
    }
  })

  it('an agent with the same rights is shown nothing either, also of its owner’s', async () => {
    const client = await startClient('current', `${bot.base}/mcp`, tokenOf('bot'))
    const words = [...marks.own, ...marks.shared, 'Sorrel asked', 'Sam Sorrel  ']
    for (const [command, line] of Object.entries(lines)) {
      for (const change of [own, shared]) {
        const given = line(change).slice(command.length + 1)
        const [param] = bot.registry.get(command)?.params ?? []
        const value = given.startsWith('--') ? given.split(' ')[1] : given.replaceAll('"', '')
        const said = await client.call('run_command', {
          command,
          arguments:
            given === ''
              ? {}
              : {
                  [given.startsWith('--') ? (given.slice(2).split(' ')[0] ?? '') : (param?.name ?? '')]:
                    value,
                },
        })
        const { line: _, ...answer } = said.structuredContent
        expect([command, isIn(JSON.stringify([answer, said.content]).replaceAll(given, ''), words)]).toEqual([
          command,
          false,
        ])
      }
    }
    for (const { id } of [own, shared])
      expect((await client.call('change_get', { id })).structuredContent).toMatchObject({
        code: 'no_such_change',
      })
    for (const { uri } of await client.resources())
      expect(isIn(JSON.stringify(await client.read(uri)), [...marks.own, ...marks.shared])).toBe(false)
    client.kill()
  })
})
