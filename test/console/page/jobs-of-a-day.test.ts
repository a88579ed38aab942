import { describe, expect, test } from 'vitest'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { openConsoleHarness } from '../harness.ts'
import { axeFindings } from './axe.ts'
import { hasBrowser, openBrowser, type TestPage } from './browser.ts'

/** Lines typed and presses, where a form counts one with the press that opens it. */
const handsOf = ({ page, line }: TestPage) => {
  let steps = 0
  return {
    steps: () => {
      const taken = steps
      steps = 0
      return taken
    },
    say: async (words: string) => {
      steps += 1
      await line.fill(words)
      await line.press('Enter')
    },
    press: async (name: RegExp, within: { getByRole: TestPage['page']['getByRole'] } = page) => {
      steps += 1
      await within.getByRole('button', { name }).last().click()
    },
  }
}

describe.skipIf(!hasBrowser)('a job of a day in the console takes no more steps than it may', async () => {
  const opened = await openConsoleHarness({ policy: `${demoPolicy}\nunseen: pass\n` })
  const { openPage, expectQuiet } = await openBrowser(opened)
  const changes = () => opened.store.changes.list({ limit: 20 })

  test('asking, scheduling, finding and help, as support', async () => {
    const sam = await openPage()
    const hands = handsOf(sam)
    const last = sam.articles.last()

    // A double charge, from its person to asked; the button stands right below what is wrong.
    await hands.say('ada@example.com')
    await sam.articles.getByText('49 USD was charged twice').first().waitFor()
    await hands.press(/^Refund the second, 49 USD$/)
    const dialog = sam.page.getByRole('dialog')
    await dialog.getByLabel('Payment').waitFor()
    await dialog.getByRole('button', { name: /^Review/ }).click()
    await sam.articles.filter({ hasText: 'Refund 49 USD to Ada Lindqvist' }).last().waitFor()
    expect(hands.steps()).toBe(2)

    await hands.say('49 USD on 1 Nov')
    await last.getByText('2 payments like that').waitFor()
    expect(hands.steps()).toBe(1)

    await hands.say('send Spring sale to Newsletter tomorrow at 9')
    await last.getByRole('button', { name: /^Schedule for \d+ \w+ 09:00$/ }).waitFor()
    await hands.press(/^Schedule for/, last)
    await expect.poll(async () => (await changes()).some(({ state }) => state === 'approved')).toBe(true)
    expect(hands.steps()).toBe(2)

    await hands.say('upgrade Ada to Business at the end of the term, coupon SPRING20')
    await last.getByRole('button', { name: /upgrade$/ }).waitFor()
    await hands.press(/upgrade$/, last)
    await dialog.getByLabel('Payment mode').selectOption({ label: 'by credit card' })
    await dialog.getByRole('button', { name: /^Review/ }).click()
    const card = sam.articles.filter({ hasText: 'Move Ada Lindqvist to Desk Business' }).last()
    await card.getByText('at the end of the term').waitFor()
    expect(hands.steps()).toBe(2)
    expect(await axeFindings(sam.page)).toEqual([])

    await hands.say('what can I do here')
    await last.getByRole('button', { name: 'Write to somebody' }).waitFor()
    expect(hands.steps()).toBe(1)
    expectQuiet()
  })

  test('approving one on a phone without scrolling', async () => {
    const reply = await opened.say('refund pay_1003 120')
    if (reply.kind !== 'change') throw new Error(reply.kind)
    await opened.app.drain()
    const fay = await openPage({ query: { as: 'p-finance' }, at: 'as it comes', width: 390, height: 844 })
    const hands = handsOf(fay)
    const approve = fay.page.getByRole('button', { name: /^Approve \d+/ }).first()
    await approve.waitFor()
    const { y = 0, height = 0 } = (await approve.boundingBox()) ?? {}
    expect(y + height).toBeLessThan(844)
    await hands.press(/^Approve \d+/)
    const byFay = ({ votes }: { votes: readonly { by: { person: string } }[] }) =>
      votes.some(({ by }) => by.person === 'p-finance')
    await expect.poll(async () => (await changes()).some(byFay)).toBe(true)
    expect(hands.steps()).toBe(1)

    expect(await axeFindings(fay.page)).toEqual([])
    expectQuiet()
  })
})
