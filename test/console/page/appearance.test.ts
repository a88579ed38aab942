import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { fillConversation, hasBrowser, openBrowser, type TestPage } from './browser.ts'

/** Every piece of text that can be seen, with how far its colour is from what lies behind it (WCAG 2). */
const contrasts = `(() => {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number)
    return [r, g, b, a]
  }
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor)
      if (colour[3] === 1) return colour
      if (colour[3] !== 0) throw new Error('a see-through background: ' + at.outerHTML.slice(0, 80))
    }
    return [255, 255, 255, 1]
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    const words = walker.currentNode.textContent.trim()
    if (words === '' || !element.checkVisibility({ visibilityProperty: true }) || element.closest('.unseen, .skip, option, noscript')) continue
    const style = getComputedStyle(element)
    const colour = parse(element.closest('svg') ? style.fill : style.color)
    const [one, other] = [light(colour), light(behind(element))].sort((a, b) => b - a)
    found.push({ words: words.slice(0, 40), ratio: (one + 0.05) / (other + 0.05) })
  }
  return found
})()`

/** Things to use without a name, images without words, ids that stand twice, fields without labels. */
const nameless = `(() => {
  const problems = []
  const nameOf = (element) => element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.[0]?.textContent.trim() || ''
  for (const element of document.querySelectorAll('button, a, input, select, textarea, summary')) {
    if (nameOf(element) === '') problems.push('no name: ' + element.outerHTML.slice(0, 100))
  }
  for (const element of document.querySelectorAll('input, select, textarea')) {
    if (!element.labels?.length && !element.hasAttribute('aria-label')) problems.push('no label: ' + element.outerHTML.slice(0, 100))
  }
  for (const image of document.querySelectorAll('img:not([alt]), svg:not([aria-hidden]):not([aria-label])')) problems.push('no words: ' + image.outerHTML.slice(0, 100))
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('twice: ' + id)
  for (const attribute of ['aria-labelledby', 'aria-controls', 'aria-describedby']) {
    for (const element of document.querySelectorAll('[' + attribute + ']')) {
      for (const id of element.getAttribute(attribute).split(' ')) {
        if (!document.getElementById(id) && element.id !== 'dialog') problems.push('points nowhere: ' + id)
      }
    }
  }
  return problems
})()`

describe.skipIf(!hasBrowser)('how the page looks and reads', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)
  await fillConversation(opened)

  /** Everything that can be open, opened once. */
  const scenes = async ({ page, say, goTo, develop }: TestPage, look: () => Promise<void>) => {
    await look()
    for (const name of ['Inbox', 'People', 'Scheduled', 'Reports', 'Audit', 'Conversation']) {
      await goTo(name)
      await page.waitForTimeout(150)
      await look()
    }
    await develop()
    await page.getByText('Figures').first().click()
    await page.getByRole('button', { name: 'As others see it' }).first().click()
    await page.getByText('As Slack sees it').waitFor()
    await look()
    await say('refund')
    await page.getByRole('button', { name: /^Review/ }).click()
    await page.getByText('This is needed.').waitFor()
    await look()
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Command' }).fill('sub')
    await page.getByRole('listbox').waitFor()
    await look()
  }

  test.each(['light', 'dark'] as const)(
    'every text of the %s theme stands out from its background',
    async (colorScheme) => {
      const opening = await openPage({ colorScheme, query: { as: 'p-finance' } })
      let seen = 0
      await scenes(opening, async () => {
        const found = (await opening.page.evaluate(contrasts)) as { words: string; ratio: number }[]
        seen += found.length
        expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([])
      })
      expect(seen).toBeGreaterThan(400)
      expectQuiet()
    },
  )

  test('everything that can be used has a name, every field a label', async () => {
    const opening = await openPage({ query: { as: 'p-finance' } })
    await scenes(opening, async () => expect(await opening.page.evaluate(nameless)).toEqual([]))
    expectQuiet()
  })

  test('the names that people and tests rely on are there once', async () => {
    const { page } = await openPage({ query: { as: 'p-finance' } })
    const once = [
      page.getByRole('textbox', { name: 'Command' }),
      page.getByRole('button', { name: 'Send' }),
      page.getByRole('combobox', { name: 'Acting as' }),
      page.getByRole('log', { name: 'Conversation' }),
      page.getByRole('button', { name: /^Approve/ }),
      page.getByRole('button', { name: 'Reject' }),
      page.getByRole('heading', { level: 1, name: 'Bellhop' }),
      page.getByRole('main'),
    ]
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    for (const locator of once) expect(await locator.count(), String(locator)).toBe(1)
    expect(await page.getByRole('article').count()).toBe(await page.locator('#messages > *').count())
    expectQuiet()
  })

  test('the theme follows the system until somebody chooses, and the choice stays', async () => {
    const { page } = await openPage({ colorScheme: 'dark' })
    const paper = 'getComputedStyle(document.body).backgroundColor'
    const dark = await page.evaluate(paper)
    await page.getByRole('button', { name: 'Dark theme', pressed: true }).click()
    const light = await page.evaluate(paper)
    expect(light).not.toBe(dark)
    await page.reload()
    await page.getByRole('button', { name: 'Dark theme', pressed: false }).waitFor()
    expect(await page.evaluate(paper)).toBe(light)
    expectQuiet()
  })

  test.each([320, 390, 768, 1024])('at %i pixels nothing scrolls sideways', async (width) => {
    const opening = await openPage({ width, height: 800, query: { as: 'p-finance' } })
    const { page, goTo } = opening
    const wide = `Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('.page')].map((one) => one.scrollWidth)) - innerWidth`
    expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
    for (const name of ['Inbox', 'People', 'Scheduled', 'Reports', 'Audit']) {
      await goTo(name)
      await page.waitForTimeout(150)
      expect(await page.evaluate(wide), name).toBeLessThanOrEqual(0)
    }
    expect(await page.evaluate(wide)).toBeLessThanOrEqual(0)
    expectQuiet()
  })
})
