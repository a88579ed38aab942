import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, openBrowser } from './browser.ts'

describe.skipIf(!hasBrowser)('by keyboard alone', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet, complaints } = await openBrowser(opened)
  const focused =
    'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()'

  test('the line has the focus at the start, completes with Tab, sends with Enter, recalls with the arrows', async () => {
    const { page, line, articles, live } = await openPage({ at: 'as it comes' })
    const { keyboard } = page
    expect(await page.evaluate(focused)).toBe('Command')
    await keyboard.type('bellh')
    await page.getByRole('option', { name: /^bellhop help/ }).waitFor()
    // console, help, passkey, passkeys, sessions, status, whoami
    for (let press = 0; press < 6; press++) await keyboard.press('ArrowDown')
    expect(await page.getByRole('listbox').getByRole('option', { selected: true }).textContent()).toMatch(
      /^bellhop status/,
    )
    await keyboard.press('ArrowDown')
    await keyboard.press('Tab')
    expect(await line.inputValue()).toBe('bellhop whoami')
    await keyboard.press('Enter')
    await articles.last().getByText('Sam Support').first().waitFor()
    expect(await line.inputValue()).toBe('')
    await keyboard.type('subscriber get ada@example.com')
    await keyboard.press('Enter')
    await articles.last().getByText('ada@example.com').first().waitFor()
    await keyboard.type('draft')
    await keyboard.press('ArrowUp')
    expect(await line.inputValue()).toBe('subscriber get ada@example.com')
    await keyboard.press('ArrowUp')
    expect(await line.inputValue()).toBe('bellhop whoami')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    expect(await line.inputValue()).toBe('draft')
    await page.reload()
    await live()
    await keyboard.press('ArrowUp')
    expect(await line.inputValue()).toBe('subscriber get ada@example.com')
    expectQuiet()
  })

  test('nobody can send a line before the page can take it', async () => {
    const { page, line, articles, say, live } = await openPage()
    const start = Promise.withResolvers<void>()
    await page.route(/api.start/, async (route) => {
      await start.promise
      await route.continue()
    })
    await page.reload()
    expect(await line.isDisabled()).toBe(true)
    start.resolve()
    await live()
    await say('bellhop whoami')
    await articles.last().getByText('Sam Support').first().waitFor()
    expectQuiet()
  })

  test('Tab takes what is still on its way, with what is typed and sent meanwhile', async () => {
    const { page, line, articles } = await openPage({ query: { as: 'p-finance' } })
    const hold = async (typed: string) => {
      const held = Promise.withResolvers<void>()
      await page.route(
        (url) => url.pathname.endsWith('/complete') && url.searchParams.get('typed') === typed,
        async (route) => {
          await held.promise
          await route.continue()
        },
      )
      return held.resolve
    }
    const first = await hold('report r')
    await page.keyboard.type('report ')
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await options.filter({ hasText: /^report refunds/ }).waitFor()
    await page.keyboard.type('r')
    await page.keyboard.press('Tab')
    await page.keyboard.type('--b')
    first()
    await expect.poll(() => line.inputValue()).toBe('report refunds --b')
    await line.fill('')
    const second = await hold('bellhop whoa')
    await page.keyboard.type('bellhop who')
    await options.filter({ hasText: /^bellhop whoami/ }).waitFor()
    await page.keyboard.type('a')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    second()
    await articles.last().getByText('Fay Finance').first().waitFor()
    expect(await line.inputValue()).toBe('')
    expectQuiet()
  })

  test('suggestions that could not be fetched are not offered, and nothing keeps the line from being sent', async () => {
    const { page, articles } = await openPage()
    await page.route(
      (url) => url.searchParams.get('typed') === 'bellhop whoa',
      (route) => route.abort(),
    )
    await page.keyboard.type('bellhop who')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.waitFor()
    await page.keyboard.type('a')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.type('mi')
    await page.keyboard.press('Enter')
    await articles.last().getByText('Sam Support').first().waitFor()
    expect(complaints.splice(0).join()).toContain('ERR_FAILED')
  })

  test('Escape closes the suggestions, and Tab then leaves the line', async () => {
    const { page } = await openPage()
    await page.keyboard.type('sub')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focused)).toBe('Send')
    expectQuiet()
  })

  test('the focus goes through the page in reading order, and is always visible', async () => {
    const { page } = await openPage()
    await page.evaluate('document.querySelector(".skip").focus()')
    const order: string[] = []
    while (order.length < 60 && order.at(-1) !== 'Send') {
      await page.keyboard.press('Tab')
      order.push(String(await page.evaluate(`document.activeElement.id || (${focused})`)))
      const outline = await page.evaluate(
        `(() => { const own = getComputedStyle(document.activeElement); const box = getComputedStyle(document.activeElement.parentElement)
          return own.outlineStyle !== 'none' || box.boxShadow !== 'none' })()`,
      )
      expect(outline, `the focus on ${order.at(-1)} is visible`).toBe(true)
    }
    const wanted = [
      'as',
      'theme',
      'to-inbox',
      'to-audit',
      'page-conversation',
      'Two-minute tour',
      'line',
      'Send',
    ]
    const places = wanted.map((name) => order.indexOf(name))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expectQuiet()
  })

  test('a refund is asked for, read, rejected with a reason and seen, without a mouse', async () => {
    const sam = await openPage()
    await sam.page.keyboard.type('refund pay_1001 120 --customer cus_1001')
    await sam.page.keyboard.press('Enter')
    await sam.page.getByRole('button', { name: 'Withdraw' }).waitFor()
    const fay = await openPage({ query: { as: 'p-finance' }, at: 'as it comes' })
    const { keyboard } = fay.page
    // What waits has the focus, and Tab goes through its buttons.
    await until(async () => expect(await fay.page.evaluate(focused)).toMatch(/^Waiting for you/))
    await keyboard.press('j')
    expect(await fay.page.evaluate(focused)).toMatch(/^Refund/)
    for (const name of [/^Approve/, /^More for/]) {
      await keyboard.press('Tab')
      expect(await fay.page.evaluate(focused)).toMatch(name)
    }
    await keyboard.press('Enter')
    await fay.page.getByRole('menu').waitFor()
    await keyboard.press('Escape')
    await keyboard.press('r')
    await fay.page.getByRole('dialog').waitFor()
    await keyboard.press('Escape')
    await fay.page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await fay.page.evaluate(focused)).toMatch(/^More for/)
    await keyboard.press('r')
    await fay.page.getByRole('dialog').waitFor()
    await keyboard.type('Not by key')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await sam.articles.getByText('Rejected by Fay Finance: “Not by key”.').first().waitFor()
    expectQuiet()
  })

  test('/ goes to the line, ? lists the keys', async () => {
    const { page, line } = await openPage()
    await page.getByRole('button', { name: 'Audit' }).focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    expect(await page.evaluate(focused)).toBe('Command')
    expect(await line.inputValue()).toBe('')
    expectQuiet()
  })
})
