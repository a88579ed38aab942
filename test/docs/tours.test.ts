import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tourFor } from '../../adapters/console/tour.ts'
import { buttonLabelOf } from '../../src/view/button-labels.ts'
import { openTestApp, textOf } from '../harness/app.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const readme = read('README.md')
const section = (title: string): string =>
  readme.split(/^###? /m).find((one) => one.startsWith(`${title}\n`)) ?? ''

const console = section('In the console')
const steps = [...console.matchAll(/^\d\. .+$/gm)].map(([step]) => step)
const linesIn = (words: string): string[] => [...words.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line)

describe('the tour of the README in the console', async () => {
  const { app, say, press, sandbox } = await openTestApp()
  const people = app.core.policy.people.map(({ id, name, roles }) => ({ id, name, roles }))

  test('is the one that the console offers', () => {
    const offered = tourFor(people, true).flatMap(({ line }) => line ?? [])
    expect(steps.flatMap(linesIn)).toEqual(offered)
  })

  test('names only what the page has', () => {
    const folder = 'adapters/console/page/'
    const page = readdirSync(new URL(folder, root))
      .map((file) => read(`${folder}${file}`))
      .join('\n')
    const named = [...console.matchAll(/\*\*([^*]+)\*\*/g)]
      .map(([, words = '']) => words)
      .filter((words) => !/^(Ctrl-.|\?)$/.test(words))
    expect(named.length).toBeGreaterThan(2)
    const labels: string[] = Object.values(buttonLabelOf)
    for (const words of named) expect(labels.includes(words) || page.includes(words), words).toBe(true)
  })

  test('happens as it says', async () => {
    const [refund = '', refunds = '', verify = '', stats = ''] = steps.flatMap(linesIn)
    const asked = await say(refund, 'p-support')
    if (asked.kind !== 'change') throw new Error(textOf(asked))
    expect(textOf(asked)).toContain('Waiting for 1 approval from finance.')
    expect(textOf(await press('approve', asked.change.id, 'p-support'))).toContain(
      'You asked for this yourself',
    )
    expect(textOf(await press('approve', asked.change.id, 'p-finance'))).toContain('was refunded: 120')
    expect(textOf(await say(refunds, 'p-finance'))).toMatch(/pay_1001 +120 USD/)
    expect(sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
    expect(await say(verify, 'p-finance')).toMatchObject({ kind: 'answer', view: { tone: 'good' } })
    expect(await say(stats, 'p-support')).toMatchObject({ kind: 'answer' })
    expect(console).toContain('`refund pay_1003 600` would need two people from finance')
    expect(textOf(await say('refund pay_1003 600', 'p-support'))).toContain('2 approvals from finance')
    const freeze = linesIn(console).find((line) => line.startsWith('freeze ')) ?? ''
    const frozen = await say(freeze, 'p-finance')
    if (frozen.kind !== 'change') throw new Error(textOf(frozen))
    await press('confirm', frozen.change.id, 'p-finance')
    expect(textOf(await say('refund pay_1004 20', 'p-support'))).toContain('closing the books')
  })
})
