import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { axeFindings } from './axe.ts'
import { hasBrowser, openBrowser, type TestPage } from './browser.ts'

/** The accessible name of whatever has the focus, near enough. */
const focused = `(() => {
  const { activeElement: at } = document
  return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent.trim() ?? at.textContent.trim()
})()`

/** Somebody with a keyboard: what they type is counted, and what they copy cannot be, because they copy nothing. */
const handsOf = ({ page }: TestPage) => {
  let typed = ''
  const { keyboard } = page
  const press = (key: string) => keyboard.press(key)
  const reach = async (name: RegExp, key: 'Tab' | 'Shift+Tab') => {
    for (let presses = 0; presses < 80; presses++) {
      if (name.test(String(await page.evaluate(focused)))) return
      await press(key)
    }
    throw new Error(`${key} does not lead to ${name}`)
  }
  return {
    press,
    reach,
    type: async (words: string) => {
      typed += words
      await keyboard.type(words)
    },
    /** Types the beginning, and takes the first suggestion. */
    complete: async (words: string, first: RegExp) => {
      typed += words
      await keyboard.type(words)
      await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: first }).waitFor()
      await press('Tab')
    },
    /** The first that the palette finds. */
    find: async (words: string, found: RegExp) => {
      typed += words
      await press('Control+k')
      await keyboard.type(words)
      await page.getByRole('option', { name: found, selected: true }).waitFor()
      await press('Enter')
    },
    /** Opens the menu of a thing that is on the page, and takes one of its actions. */
    act: async (thing: RegExp, action: string) => {
      await reach(thing, 'Shift+Tab')
      await press('Enter')
      await page.getByRole('menu').waitFor()
      expect(await axeFindings(page)).toEqual([])
      for (let presses = 0; presses < 40; presses++) {
        if (String(await page.evaluate('document.activeElement.firstChild.textContent')) === action) break
        await press('ArrowDown')
      }
      await press('Enter')
    },
    characters: () => typed.length,
    expectNoId: () => expect(typed).not.toMatch(/pay_|cus_|sub_|cmp_|lst_|[0-9a-f]{24}|\d{8,}/),
  }
}

/** As docs/screenshots.md counts them. */
describe.skipIf(!hasBrowser)('an everyday job, by keyboard alone and without copying an id', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)

  test('a double charge is refunded', async () => {
    const sam = await openPage()
    const hands = handsOf(sam)
    await hands.find('ada', /^Ada Lindqvist/)
    await sam.articles.last().getByText('49 USD was charged twice').waitFor()
    await hands.act(/^Actions for 49 USD · .*INV-513/, 'refund')
    await sam.page.getByRole('dialog').getByLabel('Payment').waitFor()
    await hands.press('Enter')
    const card = sam.articles.filter({ hasText: /Refund(ed)? 49 USD to Ada Lindqvist/ })
    await card
      .getByText(/charged twice/)
      .first()
      .waitFor()
    await card.getByRole('button', { name: /^Confirm/ }).waitFor()
    expect(await axeFindings(sam.page)).toEqual([])
    await hands.reach(/^Confirm/, 'Tab')
    await hands.press('Enter')
    await card.getByText('Refunded 49 USD').first().waitFor()
    expect(opened.sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
    hands.expectNoId()
    expect(hands.characters()).toBe(3)
    expectQuiet()
  })

  test('a customer is answered by message', async () => {
    const sam = await openPage()
    const hands = handsOf(sam)
    await hands.find('ada', /^Ada Lindqvist/)
    await sam.articles.last().getByText('Messaging', { exact: true }).waitFor()
    await hands.act(/^Actions for Ada Lindqvist, contact/, 'message text')
    await sam.page.getByRole('dialog').waitFor()
    await hands.reach(/^Body/, 'Tab')
    await hands.type('Your refund is on its way.')
    expect(await axeFindings(sam.page)).toEqual([])
    await hands.reach(/^Review/, 'Tab')
    await hands.press('Enter')
    const card = sam.articles.last()
    await card.getByRole('button', { name: /^Confirm/ }).waitFor()
    await hands.reach(/^Confirm/, 'Tab')
    await hands.press('Enter')
    await card.getByText(/sent/i).first().waitFor()
    expect(opened.sandbox.wire.filter(({ row }) => row === 'sendText')).toHaveLength(1)
    hands.expectNoId()
    expect(hands.characters()).toBe(29)
    expectQuiet()
  })

  test('a campaign goes to those who bought, and its end is one card', async () => {
    const sam = await openPage()
    const hands = handsOf(sam)
    await hands.type('campaign send "Spring sale" --tags customer')
    await hands.press('Enter')
    const card = sam.articles.filter({ hasText: /^.*Send Spring sale to \d+ / })
    await card.getByRole('button', { name: /^Confirm/ }).waitFor()
    expect(await axeFindings(sam.page)).toEqual([])
    await hands.reach(/^Confirm$/, 'Shift+Tab')
    await hands.press('Enter')
    await sam.articles.getByText('Done, without errors.').waitFor()
    await opened.app.drain()
    expect(await sam.articles.getByText('Done, without errors.').count()).toBe(1)
    expect(await sam.articles.getByRole('progressbar').count()).toBe(1)
    hands.expectNoId()
    expect(hands.characters()).toBe(43)
    expectQuiet()
  })

  test('what is stuck is found and nudged', async () => {
    await opened.handle({
      from: { platform: 'console', account: 'p-support', name: '', groups: [] },
      place: { channel: 'console', handle: null, direct: true },
      intent: { kind: 'line', line: 'refund pay_1004 200' },
    })
    await opened.app.drain()
    const fay = await openPage({ query: { as: 'p-finance' } })
    const sam = await openPage()
    const hands = handsOf(sam)
    await hands.find('approval list', /^approval list/)
    await sam.articles.last().getByText('Waiting for a decision').waitFor()
    await hands.act(/^Actions for .*pay_1004/, 'approval remind')
    await fay.articles.getByText('Sam Support asks again: Refund 200 of payment pay_1004').waitFor()
    expect(await axeFindings(fay.page)).toEqual([])
    hands.expectNoId()
    expect(hands.characters()).toBe(13)
    expectQuiet()
  })

  test('what was refunded this month is seen, by whom and why', async () => {
    const asked = await opened.say('refund pay_1008 12 --customer cus_1006 --reason "Goodwill"')
    if (asked.kind !== 'change') throw new Error(`not asked: ${asked.kind}`)
    await opened.press('confirm', asked.change.id)
    const fay = await openPage({ query: { as: 'p-finance' } })
    const hands = handsOf(fay)
    await hands.complete('report r', /^report refunds/)
    await hands.complete('--b', /^--by/)
    await hands.complete('req', /^requester/)
    await hands.press('Enter')
    await fay.articles.last().getByRole('cell', { name: 'Sam Support' }).waitFor()
    await hands.press('ArrowUp')
    await expect.poll(() => fay.line.inputValue()).toMatch(/--by requester ?$/)
    await hands.press('Control+Backspace')
    await expect.poll(() => fay.line.inputValue()).toMatch(/--by $/)
    await hands.complete('reas', /^reason/)
    await expect.poll(() => fay.line.inputValue()).toMatch(/--by reason ?$/)
    await hands.press('Enter')
    await fay.articles.last().getByRole('cell', { name: 'Goodwill' }).waitFor()
    expect(await axeFindings(fay.page)).toEqual([])
    hands.expectNoId()
    expect(hands.characters()).toBe(18)
    expectQuiet()
  })
})
