import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { tourFor } from '../../adapters/console/tour.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { createApiClient } from '../console/api-client.ts'
import { hasBrowser, sharedBrowser } from '../console/page/browser.ts'
import { openTestApp, textOf } from '../harness/app.ts'
import { entry, newFolder, startBot, startProcess } from '../harness/bot-process.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const tour = read('docs/first-refund.md')
const section = (title: string): string =>
  tour.split(/^###? /m).find((one) => one.startsWith(`${title}\n`)) ?? ''

const console = section('In the console')
const steps = [...console.matchAll(/^\d\. .+$/gm)].map(([step]) => step)
const linesIn = (words: string): string[] => [...words.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line)

describe('the tour in the console', async () => {
  const { app, say, press, sandbox } = await openTestApp()
  const people = app.core.policy.people.map(({ id, name, roles }) => ({ id, name, roles }))

  test('is the one that the console offers', () => {
    const offered = tourFor(people, true).flatMap(({ line }) => line ?? [])
    expect(steps.flatMap(linesIn)).toEqual(offered)
  })

  test('names only what the page has', () => {
    const folder = 'adapters/console/page/'
    const page = globSync(`${folder}**/*.*`, { cwd: root })
      .map((file) => read(file))
      .join('\n')
    const named = [...console.matchAll(/\*\*([^*]+)\*\*/g)]
      .map(([, words = '']) => words)
      .filter((words) => !/^(Ctrl-.|\?)$/.test(words))
    expect(named.length).toBeGreaterThan(2)
    const labels: string[] = Object.values(verbs).map(({ label }) => label)
    for (const words of named) expect(labels.includes(words) || page.includes(words), words).toBe(true)
  })

  test('happens as it says', async () => {
    const [refund = '', refunds = '', verify = '', stats = ''] = steps.flatMap(linesIn)
    const asked = await say(refund, 'p-support')
    if (asked.kind !== 'change') throw new Error(textOf(asked))
    expect(textOf(asked)).toContain('Needs 1 approval from finance')
    expect(textOf(await press('approve', asked.change.id, 'p-support'))).toContain(
      'You asked for this yourself',
    )
    expect(textOf(await press('approve', asked.change.id, 'p-finance'))).toContain('Refunded 120')
    expect(textOf(await say(refunds, 'p-finance'))).toMatch(/120 USD +refund +pay_1001/)
    expect(sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
    expect(await say(verify, 'p-finance')).toMatchObject({ kind: 'answer', view: { tone: 'good' } })
    expect(await say(stats, 'p-support')).toMatchObject({ kind: 'answer' })
    const lines = linesIn(console)
    const [explain = '', freeze = '', unfreeze = ''] = ['policy explain ', 'freeze ', 'unfreeze '].map(
      (start) => lines.find((line) => line.startsWith(start)),
    )
    expect(textOf(await say(explain, 'p-finance'))).toContain('2 approvals from finance')
    const confirmed = async (line: string) => {
      const reply = await say(line, 'p-finance')
      if (reply.kind !== 'change') throw new Error(textOf(reply))
      await press('confirm', reply.change.id, 'p-finance')
    }
    await confirmed(freeze)
    expect(textOf(await say('refund pay_1004 20 --customer cus_1002', 'p-support'))).toContain(
      'closing the books',
    )
    await confirmed(unfreeze)
    expect(textOf(await say('refund pay_1004 20 --customer cus_1002', 'p-support'))).toContain('(pay_1004)')
  })
})

const openAs = async ({ newPage }: Awaited<ReturnType<typeof sharedBrowser>>, base: string, as: string) => {
  const page = await newPage({ viewport: { width: 1180, height: 900 } })
  await page.goto(`${base}/console?as=${as}`)
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  return page
}

const saidOn = async (page: Page, line: string, answered: string) => {
  await page.getByRole('textbox', { name: 'Command' }).fill(line)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  // What others do may be told behind the answer.
  const said = page.locator('#messages > article.said', { hasText: line }).last()
  await said.locator('xpath=following-sibling::article').getByText(answered).first().waitFor()
}

describe.skipIf(!hasBrowser)('the first refund from top to bottom', () => {
  const shellLines = (title: string): string[][] =>
    [...section(title).matchAll(/^npm run (say|agent) -- (.+)$/gm)].map(([, tool = '', rest = '']) => [
      tool,
      ...[...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
    ])

  test('works in the terminal and with an agent after the tour in the console, in one demo', async () => {
    const DATA_DIR = newFolder()
    const { base } = await startBot({ CONSOLE: 'on', DATA_DIR })
    const page = createApiClient({ base })
    const browser = await sharedBrowser()
    const run = ([tool = '', ...args]: string[]) =>
      startProcess({
        args: entry(`src/cli/${tool}.ts`, ...args),
        env: { DATA_DIR, PORT: new URL(base).port },
      })
    const waiting = async () => {
      const { body } = await page.get('changes', { as: 'p-finance' })
      return (JSON.stringify(body).match(/"id":"(\w{10})"/) ?? [])[1] ?? ''
    }
    const sam = await openAs(browser, base, 'p-support')
    const offered = sam.getByRole('list', { name: 'Two-minute tour' }).getByRole('listitem')
    const tour = await offered.evaluateAll((items: { textContent: string }[]) =>
      items.map((one) => one.textContent),
    )
    const [refund = '', refunds = '', verify = '', stats = ''] = steps.flatMap(linesIn)
    for (const [at, words] of [refund, 'Open a second tab', refunds, verify, stats].entries())
      expect(tour[at]).toContain(words)
    await saidOn(sam, refund, 'Needs 1 approval from finance')
    const fay = await openAs(browser, base, 'p-finance')
    await fay.getByRole('button', { name: 'Conversation' }).click()
    const card = fay.getByRole('article', { name: /Refund 120 USD to Ada Lindqvist/ }).first()
    await card.getByText('Details', { exact: true }).click()
    await card.getByRole('button', { name: 'Why this rule' }).click()
    await fay.getByText('Why this needs approval: Refund 120 USD to Ada Lindqvist').first().waitFor()
    await card.getByRole('button', { name: 'Approve 120 USD' }).click()
    await sam.getByText('Refunded 120 USD to Ada Lindqvist').first().waitFor()
    await saidOn(sam, refunds, '120 USD')
    await saidOn(fay, verify, 'The audit log is complete and unchanged')
    await saidOn(sam, stats, 'Subscribers by status')
    await expect.poll(waiting).toBe('')

    const codes: (number | null)[] = []
    const told: string[] = []
    for (const line of shellLines('In the terminal')) {
      const id = await waiting()
      const said = run(line.map((word) => word.replace('<id>', id)))
      codes.push((await said.ended).code)
      told.push(said.out())
    }
    expect(codes).toEqual([0, 3, 0, 0, 0])
    for (const [at, words] of [
      'Ada Lindqvist',
      'Needs 1 approval from finance',
      'Refund 60 USD to Rosa Yamada',
      'Refunded 60 USD to Rosa Yamada',
      'The audit log is complete and unchanged',
    ].entries()) {
      expect(told[at]).toContain(words)
    }

    const [asks = []] = shellLines('With an agent')
    const asked = run(asks)
    const [, id = ''] = await asked.printed(/Waiting for people to decide about (\w+)/)
    // A press before its card was shown counts for nothing, and shows it.
    const approve = async () => {
      await page.press({ verb: 'approve', id }, 'p-finance')
      return waiting()
    }
    await expect.poll(approve, { interval: 500 }).toBe('')
    expect((await asked.ended).code).toBe(0)
    expect(asked.out()).toContain('Refunded')
  })
})
