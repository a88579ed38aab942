import { expect, it } from 'vitest'
import { differencesOf } from '../../src/kernel/policy/file/differences.ts'
import { textOf } from '../harness/app.ts'
import { openHarness } from '../pipeline/harness.ts'
import { policy } from '../pipeline/policy.ts'

const guarded = policy.replace(
  'policies:\n',
  'policies:\n  - { name: policy, commands: [policy reload], require: { approvals: 1, from: [finance] } }\n',
)
const changed = guarded
  .replace('amount: { upTo: 500 }', 'amount: { upTo: 300 }')
  .replace('  - { id: kim, name: Kim, roles: [reader] }\n', '')
  .replace('limit: 200', 'limit: 100')

it('policy reload needs what the file in force says, and shows what it would change', async () => {
  let file = guarded
  const { app, ask, click, refusedClick, say } = await openHarness({ policy: guarded, reads: () => file })
  expect(textOf(await say('policy reload', 'fay'))).toContain('in force as it is')
  file = changed
  const change = await ask('policy reload', 'fay')
  expect(change).toMatchObject({ rule: 'policy', state: 'pending' })
  expect(change.preview.blocks[1]).toEqual({
    kind: 'list',
    items: [
      'The person "kim" is gone: it was { id: kim, name: Kim, roles: [reader] }.',
      'Amount.upTo of the rule "refund" is 300; it was 500.',
      'Limit of the budget "refunds a day" is 100; it was 200.',
    ],
  })
  expect((await refusedClick('approve', change, 'fay')).code).toBe('own_request')
  const before = app.core.policy.digest
  const done = await click('approve', change, 'finn')
  expect(done.state).toBe('applied')
  expect(app.core.policy.digest).not.toBe(before)
  expect(textOf(await say('policy explain refund pay_1001 400', 'fay'))).toContain('large refund  yes')
  const history = textOf(await say('policy history', 'fay'))
  expect(history).toContain('Fay Finance')
  expect(history).toContain('- Amount.upTo of the rule "refund" is 300; it was 500.')
  expect(history).toContain('- The first version on record.')
  expect(textOf(await say('policy show', 'fay'))).toContain('limit: 100')
})

it('a file that changed after its card was drawn is asked about again', async () => {
  let file = changed
  const { app, ask, click } = await openHarness({ policy: guarded, reads: () => file })
  const before = app.core.policy.digest
  const change = await ask('policy reload', 'fay')
  file = changed.replace('limit: 100', 'limit: 1000')
  const again = await click('approve', change, 'finn')
  expect(again).toMatchObject({ state: 'pending', votes: [] })
  expect(app.core.policy.digest).toBe(before)
})

it.each([
  ['says something else', changed.replace('limit: 100', 'limit: 1000')],
  ['is broken', changed.replace('limit: 100', 'limit: many')],
])('a file that %s by the time it would be taken in changes nothing, and that is said', async (_, later) => {
  const read = [changed]
  const { app, ask, click, say } = await openHarness({ policy: guarded, reads: () => read.shift() ?? later })
  const before = app.core.policy.digest
  const change = await ask('policy reload', 'fay')
  // It is compared with what was asked once more before it is approved.
  read.push(changed)
  const done = await click('approve', change, 'finn')
  expect(done).toMatchObject({
    state: 'applied',
    outcome: {
      message: 'The file or its seal changed meanwhile, so nothing was taken in. Ask again.',
      warning: 'The old policy stays in force.',
    },
  })
  expect(read).toEqual([])
  expect(app.core.policy.digest).toBe(before)
  expect(textOf(await say('policy show', 'fay'))).toContain('limit: 200')
})

it('what is shown is held against the file in force, which may be one that was in force before', async () => {
  let file = guarded
  const { ask, click, say } = await openHarness({ policy: guarded, reads: () => file })
  const taken = async (limit: number, actor: string, approver: string) => {
    file = guarded.replace('limit: 200', `limit: ${limit}`)
    const change = await ask('policy reload', actor)
    expect(await click('approve', change, approver)).toMatchObject({ state: 'applied' })
    return change.preview.blocks[1]
  }
  const said = (now: number, before: number) => ({
    kind: 'list',
    items: [`Limit of the budget "refunds a day" is ${now}; it was ${before}.`],
  })
  expect(await taken(100, 'fay', 'finn')).toEqual(said(100, 200))
  expect(await taken(50, 'fay', 'finn')).toEqual(said(50, 100))
  expect(await taken(100, 'finn', 'fay')).toEqual(said(100, 50))
  const shown = textOf(await say('policy show', 'fay'))
  expect(shown).toMatch(/Version +4\n/)
  expect(shown).toMatch(/Taken in by +Finn Finance\n/)
})

it('policy history has a page for every five versions, each with what it changed', async () => {
  let file = guarded
  const { app, say } = await openHarness({ policy: guarded, reads: () => file })
  for (let limit = 201; limit <= 210; limit++) {
    file = guarded.replace('limit: 200', `limit: ${limit}`)
    expect(await app.reload()).toMatchObject({ ok: true })
  }
  const page = async (n: number) => {
    const reply = await say(`policy history --page ${n}`, 'fay')
    if (reply.kind !== 'answer') throw new Error(reply.kind)
    const changes = reply.view.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
    const turns = reply.view.actions?.map(({ verb }) => verb).filter((verb) => /^(previous|next)$/.test(verb))
    return [changes.map((words) => Number(/is (\d+);/.exec(String(words))?.[1])), turns]
  }
  expect(await page(1)).toEqual([[210, 209, 208, 207, 206], ['next']])
  expect(await page(2)).toEqual([
    [205, 204, 203, 202, 201],
    ['previous', 'next'],
  ])
  expect(textOf(await say('policy history --page 3', 'fay'))).toContain('The first version on record.')
})

it('a broken file is refused with its lines', async () => {
  const broken = policy.replace('require: confirm', 'require: maybe').replace('limit: 200', 'limit: many')
  const { say } = await openHarness({ reads: () => broken })
  const words = textOf(await say('policy reload', 'fay'))
  const lineOf = (part: string) => broken.split('\n').findIndex((one) => one.includes(part)) + 1
  expect(words).toContain(`bellhop.yml:${lineOf('maybe')}:`)
  expect(words).toContain(`bellhop.yml:${lineOf('many')}:`)
})

it('of a file with more than twenty mistakes the first twenty are told', async () => {
  const rules = Array.from(
    { length: 21 },
    (_, at) => `  - { name: r${at}, commands: [refund], require: maybe }\n`,
  )
  const broken = `version: 1\npolicies:\n${rules.join('')}`
  const { say } = await openHarness({ reads: () => broken })
  const words = textOf(await say('policy reload', 'fay'))
  expect(words).toMatch(/^The policy file is refused\n[^⏎]*bellhop\.yml:3:46: /)
  expect([...words.matchAll(/bellhop\.yml:(\d+):/g)].map(([, line]) => Number(line))).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 3),
  )
})

it('two versions are compared in words, the order of the rules included', () => {
  const rules = (...names: string[]) =>
    `version: 1\npolicies:\n${names.map((name) => `  - { name: ${name}, commands: [refund], require: confirm }\n`).join('')}`
  expect(differencesOf(rules('a', 'b'), rules('b', 'a'))).toEqual([
    'The order of the rules is "b", "a"; it was "a", "b".',
  ])
  expect(differencesOf(rules('a'), `# a comment\n${rules('a')}`)).toEqual([])
  expect(differencesOf(rules('a'), `${rules('a')}duplicates: { window: 1h }\n`)).toEqual([
    'Duplicates is new: { window: 1h }.',
  ])
  expect(differencesOf(rules('a', 'b'), rules('a'))).toEqual([
    'The rule "b" is gone: it was { name: b, commands: [refund], require: confirm }.',
  ])
})
