import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, openBrowser } from './browser.ts'

describe.skipIf(!hasBrowser)('a row of an answer', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)

  test('has a menu that works by keyboard alone, and runs what is chosen', async () => {
    const { page, say, articles } = await openPage()
    await say('subscriber find lindqvist')
    const button = articles
      .last()
      .getByRole('button', { name: 'Actions for Ada Lindqvist (ada@example.com)' })
    await button.waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu', { name: 'Actions for Ada Lindqvist (ada@example.com)' })
    await menu.waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('menuitem')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    expect(await menu.count()).toBe(0)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Actions for Ada Lindqvist (ada@example.com)',
    )
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /^subscriber get/ }).press('Enter')
    await articles.last().getByText('Lead score').first().waitFor()
    expectQuiet()
  })

  test('opens the form of a change with the thing filled in, and pickers in it', async () => {
    const { page, say, articles } = await openPage()
    await say('subscriber get ada@example.com')
    await articles.last().getByRole('button', { name: 'Actions for Ada Lindqvist (ada@example.com)' }).click()
    await page.getByRole('menuitem', { name: /^list add/ }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Who').inputValue()).toBe('Ada Lindqvist (ada@example.com)')
    await dialog.getByLabel('Lists').fill('news')
    await page.locator('datalist option[label^="Newsletter"]').first().waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    expectQuiet()
  })

  test('is marked with others in a list, which are read and decided on together', async () => {
    const asking = await openPage()
    for (const payment of ['pay_1002', 'pay_1003', 'pay_1004', 'pay_1005']) {
      await asking.say(`refund ${payment} 120`)
      await asking.articles.last().getByText(payment).first().waitFor()
    }
    const { page, say, articles } = await openPage({ query: { as: 'p-finance' } })
    const titled = (name: string) =>
      articles.filter({ has: page.getByRole('heading', { name, exact: true }) })
    await say('approval list --state pending')
    const list = titled('Waiting for a decision')
    await list.getByRole('group', { name: 'Decide on several together' }).waitFor()
    await list.getByRole('checkbox', { name: /pay_1002/ }).check()
    await list.getByRole('checkbox', { name: /pay_1003/ }).check()
    await list.getByRole('button', { name: 'Decide 2 marked' }).click()
    await titled('Decide on 2 changes?')
      .getByRole('button', { name: /^Approve 2/ })
      .click()
    await page.getByRole('heading', { name: /^(?:Approved 2 of 2|2 votes given)/ }).waitFor()
    await say('approval list --state pending')
    await list
      .last()
      .getByRole('checkbox', { name: /pay_1004/ })
      .check()
    await list.last().getByRole('button', { name: 'Decide 1 marked' }).click()
    await titled('Decide on 1 change?').getByRole('button', { name: 'Reject 1' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Paid back in cash')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Reject/ })
      .click()
    await titled('Rejected 1 of 1').waitFor()
    expectQuiet()
  })
})
