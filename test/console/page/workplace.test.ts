import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { openConsoleHarness } from '../harness.ts'
import { axeFindings } from './axe.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** The page's own policy forbids what waiting inside it would need. */
const comes = (page: Page, expression: string) =>
  until(async () => expect(await page.evaluate(expression), expression).toBe(true))

const everybody = { channel: null, handle: null, onlyFor: null }

describe.skipIf(!hasBrowser)('a page to work with all day', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)
  const ask = async (line: string, account = 'p-support') => {
    await opened.handle({
      from: { platform: 'console', account, name: '', groups: [] },
      place: { channel: 'console', handle: null, direct: true },
      intent: { kind: 'line', line },
    })
    await opened.app.drain()
  }

  test('a link to a change opens it', async () => {
    await ask('refund pay_1003 130')
    const [change] = await opened.app.core.store.changes.list({ limit: 1 })
    const { page } = await openPage({
      query: { as: 'p-finance', change: change?.id ?? '' },
      at: 'as it comes',
    })
    await comes(page, '/payment pay_1003/.test(document.activeElement.getAttribute("aria-label"))')
    expectQuiet()
  })

  test('Ctrl-K finds commands, people and what waits, and takes the first with Enter', async () => {
    await ask('refund pay_1001 120')
    const { page, line, articles } = await openPage({ query: { as: 'p-finance' } })
    const { keyboard } = page
    const palette = page.getByRole('dialog', { name: 'Find' })
    const chosen = palette.getByRole('option', { selected: true })

    await keyboard.press('Control+k')
    await palette.getByRole('option', { name: /payment pay_1001 Your turn/ }).waitFor()
    await keyboard.press('Enter')
    await palette.waitFor({ state: 'hidden' })
    await comes(page, '/payment pay_1001/.test(document.activeElement.getAttribute("aria-label"))')

    await keyboard.press('Control+k')
    await keyboard.type('lindqvist')
    await palette.getByRole('group', { name: 'People' }).getByRole('option').first().waitFor()
    await chosen.getByText('ada@example.com').waitFor()
    await keyboard.press('Enter')
    await articles.last().getByText('Northwind Cycles').first().waitFor()

    await keyboard.press('Control+k')
    await keyboard.type('audit ver')
    await chosen.getByText('audit verify').waitFor()
    await keyboard.press('Enter')
    await articles
      .last()
      .getByText(/as (it was|they were) written|whole|unchanged/i)
      .first()
      .waitFor()

    await keyboard.press('Control+k')
    await keyboard.type('upgrade')
    await chosen.getByText('upgrade', { exact: true }).waitFor()
    await keyboard.press('Enter')
    expect(await line.inputValue()).toBe('upgrade ')

    await keyboard.press('Control+k')
    await keyboard.type('zzz nothing')
    await chosen.getByText('zzz nothing').waitFor()
    await keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    expectQuiet()
  })

  test('the title and the badge count what waits for this person, and for nobody else', async () => {
    const fay = await openPage({ query: { as: 'p-finance' } })
    const sam = await openPage()
    await comes(fay.page, '/^\\(\\d+\\) Fay Finance · Bellhop$/.test(document.title)')
    const waits = Number(/\d+/.exec(await fay.page.title())?.[0])
    await ask('refund pay_1003 150')
    await comes(fay.page, `document.title.startsWith('(${waits + 1}) ')`)
    expect(await fay.page.locator('#waiting-count').textContent()).toBe(`${waits + 1} for you`)
    await sam.goTo('Inbox')
    await sam.page.getByRole('heading', { name: /^Waiting for others/ }).waitFor()
    expect(await sam.page.title()).toBe('Sam Support · Bellhop')
    expect(await sam.page.locator('#waiting-count').isVisible()).toBe(false)
    expectQuiet()
  })

  test('what becomes somebody’s turn is told by the browser, once, if they allow it', async () => {
    const { page } = await openPage({ query: { as: 'p-finance' } })
    await page.evaluate(`
      window.told = []
      window.Notification = class { constructor(title, { body }) { told.push(title + ' / ' + body) } close() {} static permission = 'granted' }
      document.hasFocus = () => false`)
    await comes(page, '/^\\(/.test(document.title)')
    await ask('refund pay_1004 200')
    await comes(page, 'told.length > 0')
    await ask('bellhop whoami')
    expect(await page.evaluate('told')).toEqual([
      'Your turn: Refund 200 of payment pay_1004 / Sam Support asks.',
    ])
    expectQuiet()
  })

  test('what waits is the first that an approver sees, a line each, and stays there when it is decided', async () => {
    await ask('refund pay_1004 60')
    const { page } = await openPage({ query: { as: 'p-finance' }, height: 900, at: 'as it comes' })
    await page.getByRole('heading', { name: /^Waiting for you \(\d+\)$/ }).waitFor()
    const inbox = page.getByRole('list', { name: 'Waiting for you' })
    const row = inbox.getByRole('listitem').filter({ hasText: 'Refund 60 of payment pay_1004' })
    expect(await row.count()).toBe(1)
    await row.getByText('Needs 1 approval from finance').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await row.getByRole('button', { name: 'Refund 60 of payment pay_1004', exact: true }).press('Enter')
    await row.getByText('You can approve this').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await row
      .getByRole('button', { name: /^Approve/ })
      .first()
      .press('Enter')
    await inbox.getByText('Refunded 60').first().waitFor()
    const sam = await openPage({ at: 'as it comes' })
    await sam.goTo('Inbox')
    expect(await sam.page.getByRole('list', { name: 'Waiting for you' }).isVisible()).toBe(false)
    expectQuiet()
  })

  test('several are selected in the inbox and approved with one press, which says what they sum up to', async () => {
    for (const payment of ['pay_1007', 'pay_1008']) await ask(`refund ${payment} 80`)
    const { page, goTo } = await openPage({ query: { as: 'p-finance' } })
    await goTo('Inbox')
    const inbox = page.getByRole('list', { name: 'Waiting for you' })
    for (const payment of ['pay_1007', 'pay_1008'])
      await inbox.getByRole('checkbox', { name: `Select Refund 80 of payment ${payment}` }).check()
    await page.getByRole('button', { name: /^Approve 2 (?:selected )?\(.+\)$/ }).click()
    // Of a budget that is used up by now, one may need one more.
    await page
      .getByRole('status')
      .filter({ hasText: /^(?:Approved 2 of 2|2 votes given)/ })
      .waitFor()
    expectQuiet()
  })

  test('the inbox goes by keys: the next one, details in place, selected, rejected', async () => {
    await ask('refund pay_1009 70')
    const { page } = await openPage({ query: { as: 'p-finance' }, at: 'as it comes' })
    await page.getByRole('heading', { name: /^Waiting for you/ }).waitFor()
    await comes(page, 'document.activeElement.id === "inbox-title"')
    // Nothing is decided before somebody is in a row: the letter is typed.
    await page.keyboard.press('j')
    const inRow = 'document.activeElement.closest(".inbox-row")'
    await comes(page, `${inRow}?.textContent.includes("pay_1009")`)
    await page.keyboard.press('x')
    await comes(page, `${inRow}.querySelector("input").checked`)
    await page.keyboard.press('Enter')
    await comes(page, `${inRow}.querySelector(".card") !== null`)
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Paid in cash')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Waiting for you' }).getByText('Rejected').first().waitFor()
    expectQuiet()
  })

  test('ten requests fit on a screen and a bit; on a phone there is one at a time, with its buttons', async () => {
    for (let at = 10; at < 20; at++) await ask(`refund pay_10${at} 6${at % 10}`, 'p-support')
    const wide = await openPage({ query: { as: 'p-finance' }, width: 1440, height: 900, at: 'as it comes' })
    const rows = wide.page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBeGreaterThan(3)
    const heightOf = (id: string) => `document.getElementById('${id}').getBoundingClientRect().height`
    const each = Number(await wide.page.evaluate(heightOf('inbox-list'))) / (await rows.count())
    expect(each).toBeLessThan(90)
    const phone = await openPage({ query: { as: 'p-finance' }, width: 390, height: 844, at: 'as it comes' })
    const shown = phone.page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem')
    await expect.poll(() => shown.filter({ visible: true }).count()).toBe(1)
    const place = phone.page.getByText(/^\d+ of \d+$/)
    expect(await place.textContent()).toMatch(/^1 of /)
    await phone.page.getByRole('button', { name: 'Next', exact: true }).click()
    expect(await place.textContent()).toMatch(/^2 of /)
    const button = shown.filter({ visible: true }).getByRole('button', { name: /^Approve/ })
    expect((await button.boundingBox())?.y).toBeLessThan(700)
    expectQuiet()
  })

  test('what somebody asked for comes into view, wherever they were reading', async () => {
    const { page, say, articles } = await openPage({ height: 600 })
    for (const line of ['subscriber stats', 'subscriber find lindqvist']) await say(line)
    await articles.last().getByText('Ada Lindqvist').first().waitFor()
    await page.evaluate('document.getElementById("page-conversation").scrollTop = 0')
    await say('refund pay_1003 140 --customer cus_1002')
    const card = articles.filter({ hasText: 'Refund 140 USD to' }).last()
    await card.waitFor()
    await comes(
      page,
      `(() => {
      const at = document.querySelector('#messages > article:last-child').getBoundingClientRect()
      const log = document.getElementById('page-conversation').getBoundingClientRect()
      return at.top >= log.top && at.top < log.bottom
    })()`,
    )
    expectQuiet()
  })

  test('a long answer starts at its title', async () => {
    const { page, say, articles } = await openPage({ height: 600 })
    await say('bellhop help all')
    await articles.last().getByRole('heading').first().waitFor()
    await comes(
      page,
      `(() => {
      const at = document.querySelector('#messages > article:last-child').getBoundingClientRect().top
      const log = document.getElementById('page-conversation').getBoundingClientRect()
      return at >= log.top && at < log.top + 40
    })()`,
    )
    expectQuiet()
  })

  test('a question mark in an empty line shows the keys, and is typed after a command', async () => {
    const { page, line } = await openPage()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('refund ?')
    expect(await line.inputValue()).toBe('refund ?')
    expectQuiet()
  })

  test('a table on a phone is read from top to bottom and scrolls nowhere; each has a label of its own', async () => {
    const columns = ['Payment', 'Amount', 'When', 'Customer', 'Status'].map((label) => ({
      label,
      align: 'left' as const,
    }))
    const table = (rows: string[][]) => ({ kind: 'table' as const, columns, rows })
    const wide = ['pay_1001', '120 USD', '15 November 2026, 09:30 UTC', 'somebody@example.com', 'success']
    await opened.console.messenger.post(everybody, {
      title: 'Two tables',
      tone: 'plain',
      blocks: [table([wide]), table([wide])],
    })
    const { page, articles } = await openPage({ width: 390, height: 844 })
    const tables = articles.last().getByRole('table')
    await tables.first().waitFor()
    const labels = await tables.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    expect(labels).toEqual([
      'Two tables, table 1 of 2: Payment, Amount, When, Customer, Status',
      'Two tables, table 2 of 2: Payment, Amount, When, Customer, Status',
    ])
    // No part of a table scrolls, and on a phone a row is read from top to bottom.
    const scrolling = await page.evaluate(
      '[...document.querySelectorAll(".table-place, .table-place :is(table, tbody, tbody tr, td)")].filter((one) => one.scrollWidth > one.clientWidth + 1 || /auto|scroll/.test(getComputedStyle(one).overflow)).length',
    )
    expect(scrolling).toBe(0)
    expect(await tables.first().getByRole('columnheader').count()).toBe(5)
    expect(await tables.first().getByRole('cell').count()).toBe(5)
    expectQuiet()
  })

  test('a card names ten of those whose turn it is, and counts the others', async () => {
    const mentions = Array.from({ length: 25 }, (_, at) => ({
      name: `Person ${at + 1}`,
      accounts: {},
      isGroup: false,
    }))
    await opened.console.messenger.post(everybody, { title: 'Many', tone: 'plain', blocks: [], mentions })
    const { articles } = await openPage()
    const turn = articles.last().getByText('Your turn')
    await turn.getByText('Person 10').waitFor()
    expect(await turn.textContent()).toMatch(/Person 10 and 15 others$/)
    expectQuiet()
  })

  test('a message is drawn as Slack and Discord show it, with the JSON beside it', async () => {
    await ask('refund pay_1006 300')
    const { page, articles, develop } = await openPage()
    await develop()
    await articles.filter({ hasText: 'pay_1006' }).getByRole('button', { name: 'As others see it' }).click()
    const slack = page.getByRole('region', { name: 'As Slack sees it' })
    const discord = page.getByRole('region', { name: 'As Discord sees it' })
    for (const seen of [slack, discord]) {
      const drawn = seen.locator('.drawn')
      await drawn.getByText('payment pay_1006').waitFor()
      await drawn.getByText('Approve 300', { exact: true }).waitFor()
      await drawn.getByText(/Needs \d approvals? from finance/).waitFor()
      expect(await drawn.getByRole('button').count()).toBe(0)
      expect(JSON.parse((await seen.locator('pre').textContent()) ?? '')).toBeTypeOf('object')
    }
    for (const seen of [slack, discord]) await seen.locator('.drawn').getByText('Asked by').waitFor()
    const edge = `getComputedStyle(document.querySelector('.as-discord .is-container')).borderLeftColor`
    expect(await page.evaluate(edge)).toBe('rgb(217, 154, 28)')
    expectQuiet()
  })
})
