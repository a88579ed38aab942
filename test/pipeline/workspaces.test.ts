import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Messenger } from '../../src/kernel/messenger/messenger.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { allWarnings } from '../../src/kernel/model/warning.ts'
import { workspaceIn } from '../../src/kernel/model/workspace.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { verbNames, verbs } from '../../src/lib/view/button-labels.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { View } from '../../src/lib/view/view.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { until } from '../harness/until.ts'
import { buttonOf, changeOf, paymentIn } from './harness.ts'

/** Two workspaces with the same user ids; Bea is listed in both. */
const policy = `version: 1
workspaces: { slack: [T2] }
people:
  - { id: sam, name: Sam Sorrel, slack: U1, roles: [all] }
  - { id: fay, name: Fay Finch, slack: U2, roles: [all] }
  - { id: tom, name: Tom Tulip, slack: T2/U1, roles: [all] }
  - { id: tia, name: Tia Tansy, slack: T2/U2, roles: [all] }
  - { id: bea, name: Bea Both, slack: [U3, T2/U3], roles: [all] }
agents:
  - { id: one, name: One, owner: fay, roles: [all], token: { env: ONE } }
  - { id: two, name: Two, owner: tia, roles: [all], token: { env: TWO } }
administrators: [fay, tia]
roles:
  all: { run: ["*"], approve: ["*"], delegate: true }
approvals: { slack: [C1, T2/C1] }
policies:
  - { name: large, commands: [refund], require: { approvals: 1, from: [all] } }
duplicates: { window: 1h }
`

type Shown = { to: string; text: string }

const openBoth = async (engine: Engine) => {
  const bot = await openTestApp({ policy, engine })
  const shown: Shown[] = []
  const keep = (to: string, view: View): string => {
    shown.push({
      to,
      text: JSON.stringify([textOfView(view, { details: true, isWhole: true }), view.mentions]),
    })
    return `${to}#${shown.length}`
  }
  const messenger: Messenger = {
    platform: 'slack',
    post: async ({ channel, onlyFor }, view) => keep(channel ?? onlyFor ?? 'nowhere', view),
    edit: async (address, view) => void keep(address, view),
    direct: async (account, view) => keep(account, view),
  }
  bot.app.join(messenger)
  const ask = async (account: string, words: string): Promise<Change> => {
    const line = `refund ${paymentIn(bot.sandbox)} 77 --description "${words}"`
    const from = fromOf(account, 'slack')
    const place = { channel: account.replace('U1', 'C7'), handle: null, direct: false }
    return changeOf(await bot.handle({ from, place, intent: { kind: 'line', line } }))
  }
  return { bot, shown, ask }
}

/** Somebody of the other workspace: by the same user id, as a listed approver in the console, in the terminal, and by an agent. */
const outsiders = (workspace: 'first' | 'second') =>
  workspace === 'first'
    ? [
        fromOf('T2/U1', 'slack'),
        fromOf('T2/U2', 'slack'),
        fromOf('tia', 'console'),
        fromOf('tom', 'terminal'),
        fromOf('two', 'mcp'),
      ]
    : [
        fromOf('U1', 'slack'),
        fromOf('U2', 'slack'),
        fromOf('fay', 'console'),
        fromOf('sam', 'terminal'),
        fromOf('one', 'mcp'),
      ]

const linesAbout = ({ id, line, input }: Change): string[] => [
  `approval get ${id}`,
  'approval list',
  'approval list --state pending',
  'approval list --state applied',
  `approval receipt ${id}`,
  `approval approve ${id}`,
  `approval reject ${id} --reason no`,
  `approval cancel ${id}`,
  `approval ask ${id} --question why`,
  `approval answer ${id} --answer because`,
  `approval change ${id} --amount 12`,
  `approval change ${id} ${line}`,
  `approval remind ${id}`,
  `approval review ${id} --reason fine`,
  `approval resolve ${id} --outcome happened --reason seen`,
  `approval again ${id}`,
  'audit find',
  'audit find --all',
  'audit export',
  'audit pack',
  'away list',
  `job get ${id}`,
  'job list',
  'policy explain "refund pay_1001 5"',
  'report approvals',
  'report refunds',
  'report budgets',
  'report digest',
  'schedule find',
  'webhook list',
  `transaction get ${String(input.paymentId ?? input['payment-id'])}`,
  'person get ada@example.com',
]

eachEngine('two workspaces with equal user ids', (engine) => {
  it.each([
    ['first', 'U1', 'yellow hippo', 'Sam Sorrel'],
    ['second', 'T2/U1', 'zebra stripes', 'Tom Tulip'],
  ] as const)(
    'a change of the %s is not there for anybody of the other, by any way in',
    async (which, account, words, name) => {
      const { bot, shown, ask } = await openBoth(engine)
      const change = await ask(account, words)
      await until(() => expect(shown.map(({ text }) => text).join()).toContain(words))
      const before = await bot.store.changes.get(change.id)
      const marks = [words, name, change.digest.slice(0, 10)]
      const quiet = (reply: Reply, about: string): void => {
        // What they pressed themselves is no news to them.
        const text = JSON.stringify([reply, textOf(reply)]).replaceAll(buttonOf(change), '')
        for (const mark of marks)
          expect.soft(text.includes(mark), `${about} tells ${mark}: ${text.slice(0, 600)}`).toBe(false)
      }
      for (const from of outsiders(which)) {
        const who = `${from.platform} ${from.account}`
        for (const verb of verbNames()) {
          const press = (id: string) =>
            bot.handle({
              from,
              intent: {
                kind: 'press',
                verb,
                id,
                ...(verbs[verb].asks !== undefined ? { reason: 'because' } : {}),
              },
              pressedOn: 'old card',
            })
          const button = buttonOf(change)
          const [real, made] = [await press(button), await press(buttonOf({ ...change, id: 'nochange' }))]
          quiet(real, `${who} pressing ${verb}`)
          // What is not theirs answers as what is not there.
          const said = (reply: Reply) => textOf(reply).replaceAll(change.id, 'nochange')
          expect.soft(said(real), `${who} pressing ${verb}`).toBe(said(made))
        }
        for (const line of linesAbout(change)) {
          const reply = await bot.handle({ from, intent: { kind: 'line', line } })
          // Who repeats the words in their own line reads them again.
          if (!line.includes(words)) quiet(reply, `${who} saying ${line}`)
        }
        const thread = {
          kind: 'reply',
          to: shown.find(({ text }) => text.includes(words))?.to ?? '',
          text: 'yes',
        } as const
        quiet(await bot.handle({ from, intent: thread }), `${who} in the thread`)
        const { records } = bot.app.bot.readsOf(from)
        expect(await records.change(change.id)).toBeUndefined()
        expect(await records.changes({ limit: 50, page: 1 })).toEqual({ items: [], isCut: false })
        expect(await bot.app.bot.agents.change(from, change.id)).toBeUndefined()
        expect(records.person(which === 'first' ? 'sam' : 'tom')).toBeUndefined()
        const offered = await bot.app.bot.suggest(
          from,
          { kinds: ['change', 'colleague'], by: undefined } as never,
          '',
        )
        expect(JSON.stringify(offered)).not.toContain(name)
      }
      expect(await bot.store.changes.get(change.id)).toEqual(before)
      const elsewhere = shown.filter(
        ({ to }) => workspaceIn(to) !== workspaceIn(account) && !to.startsWith('old card'),
      )
      for (const { to, text } of [...elsewhere, ...shown.filter(({ to }) => to.startsWith('old card'))])
        for (const mark of [words, name]) expect(text.includes(mark), `${to} reads ${text}`).toBe(false)
    },
  )

  it('whom the file lists in both sees and decides in both, from either account', async () => {
    const { bot, ask } = await openBoth(engine)
    const [first, second] = [await ask('U1', 'yellow hippo'), await ask('T2/U1', 'zebra stripes')]
    for (const from of [fromOf('U3', 'slack'), fromOf('T2/U3', 'slack'), fromOf('bea', 'console')]) {
      const { records } = bot.app.bot.readsOf(from)
      expect((await records.changes({ limit: 9, page: 1 })).items.map(({ id }) => id).sort()).toEqual(
        [first.id, second.id].sort(),
      )
      expect(records.audit.refusePartial()).toBeUndefined()
    }
    const press = (account: string, change: Change) =>
      bot.handle({
        from: fromOf(account, 'slack'),
        intent: { kind: 'press', verb: 'approve', id: buttonOf(change) },
      })
    expect(changeOf(await press('T2/U3', first)).state).toBe('applied')
    expect(changeOf(await press('U3', second)).state).toBe('applied')
  })

  it('cards and mentions stay in the workspace of the change', async () => {
    const { shown, ask } = await openBoth(engine)
    await ask('T2/U1', 'zebra stripes')
    await until(() => expect(shown.map(({ to }) => to)).toContain('T2/C1'))
    const mirrored = shown.find(({ to }) => to === 'T2/C1')?.text ?? ''
    expect(mirrored).toContain('"slack":"T2/U2"')
    expect(mirrored).toContain('"slack":"T2/U3"')
    expect(mirrored).not.toContain('Fay')
    expect(shown.filter(({ to }) => workspaceIn(to) === undefined)).toEqual([])
  })

  it('the same request elsewhere counts as the same, and nothing is told of it', async () => {
    const { bot } = await openBoth(engine)
    const line = `refund ${paymentIn(bot.sandbox)} 20`
    const say = (account: string) =>
      bot.handle({ from: fromOf(account, 'slack'), intent: { kind: 'line', line } })
    const first = changeOf(await say('U1'))
    const second = changeOf(await say('T2/U1'))
    expect(allWarnings(second)).toEqual(['The same was asked for in another workspace.'])
    expect(JSON.stringify(second)).not.toContain(first.id)
    expect(second.judged?.same?.count).toBe(1)
  })

  it('nobody votes for somebody who is away in a workspace that they are not of', async () => {
    const { bot, ask } = await openBoth(engine)
    const change = await ask('U1', 'yellow hippo')
    const party = { ...fromOf('U2', 'slack'), person: 'fay', roles: ['all'] }
    const { groups: _, ...by } = party
    await bot.store.absences.set({ by, to: 'tia', at: 0, endsAt: Date.now() + 1e9 })
    const reply = await bot.handle({
      from: fromOf('T2/U2', 'slack'),
      intent: { kind: 'press', verb: 'approve', id: buttonOf(change) },
    })
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'no_such_change' } })
  })
})

describe('who asks for whom', () => {
  it('a manager or a further approver of another workspace is nobody here', async () => {
    const { bot } = await openBoth('sqlite')
    const line = `refund ${paymentIn(bot.sandbox)} 20 --also fay`
    const reply = await bot.handle({ from: fromOf('T2/U1', 'slack'), intent: { kind: 'line', line } })
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'bad_value' } })
    const mention = `refund ${paymentIn(bot.sandbox)} 20 --also <@U2>`
    const asked = changeOf(
      await bot.handle({ from: fromOf('T2/U1', 'slack'), intent: { kind: 'line', line: mention } }),
    )
    expect(asked.also?.person).toBe('tia')
  })
})

/** Ways in that take an id from people read changes by `changeFor` or through what somebody may see. */
it('no way in reads a change by its id without asking whose it is', () => {
  const folders = ['src/kernel/request', 'src/kernel/change', 'src/kernel/things', 'src/features']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const direct = files
    .filter((file) => file.endsWith('.ts') && /changes\.get\(/.test(readFileSync(file, 'utf8')))
    .sort()
  // What an agent asks for is looked at there.
  expect(direct).toEqual([
    // By a task, or for who has started it in a terminal.
    'src/features/jobs/job-scheduler.ts',
    'src/features/jobs/progress-publisher.ts',
    'src/features/jobs/terminal.ts',
    // Lists of their own, and no store.
    'src/features/receipts/pack.ts',
    'src/features/receipts/receipt.ts',
    'src/features/reports/figures.ts',
    // By a task, or after a vote.
    'src/kernel/change/applying/execute.ts',
    // A program that names its requests finds its own again.
    'src/kernel/change/asking/alone.ts',
    'src/kernel/change/asking/ask.ts',
    'src/kernel/request/agent-access.ts',
  ])
})
