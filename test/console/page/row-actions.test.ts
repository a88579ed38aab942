import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, openBrowser } from './browser.ts'

describe.skipIf(!hasBrowser)('a row of an answer', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)

  test('has a menu that works by keyboard alone, and runs what is chosen', async () => {
    const { page, say, articles } = await openPage()
    await say('subscriber find lindqvist')
    const button = articles.last().getByRole('button', { name: 'Actions for Ada Lindqvist' })
    await button.waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu', { name: 'Actions for Ada Lindqvist' })
    await menu.waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('menuitem')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    expect(await menu.count()).toBe(0)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Actions for Ada Lindqvist',
    )
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /^subscriber get/ }).press('Enter')
    await articles.last().getByText('Lead score').first().waitFor()
    expectQuiet()
  })

  test('opens the form of a change with the thing filled in, and pickers in it', async () => {
    const { page, say, articles } = await openPage()
    await say('subscriber get ada@example.com')
    await articles.last().getByRole('button', { name: 'Actions for Ada Lindqvist' }).click()
    await page.getByRole('menuitem', { name: /^list add/ }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Who').inputValue()).toBe('ada@example.com')
    await dialog.getByLabel('List ids').fill('news')
    await page.locator('datalist option[label^="Newsletter"]').first().waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    expectQuiet()
  })
})
