import { describe, expect, test } from 'vitest'
import type { View } from '../../../src/lib/view/view.ts'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, openBrowser } from './browser.ts'

describe.skipIf(!hasBrowser)('the tour in a real browser', async () => {
  // Nobody but a person looks for what became of a refund here.
  const opened = await openConsoleHarness({ timings: { checksMs: [3_600_000] } })
  const { openPage, expectQuiet } = await openBrowser(opened)

  test('support asks for a refund, finance approves it in another page, both settle, the record is whole', async () => {
    const sam = await openPage()
    expect(await sam.page.getByRole('combobox', { name: 'Acting as' }).inputValue()).toBe('p-support')
    const fay = await openPage({ query: { as: 'p-finance' } })
    await sam.say('refund pay_1001 120 --customer cus_1001')
    const card = (articles: typeof sam.articles) => articles.filter({ hasText: '120 USD to' })
    await card(sam.articles).getByText('Needs 1 approval from finance').waitFor()
    await card(sam.articles).getByText('Waits for Fay Finance or Finn Finance').waitFor()

    await fay.page.locator('#waiting-count').getByText('1').waitFor()
    await fay.goTo('Inbox')
    await fay.page.getByRole('heading', { name: 'Waiting for you (1)' }).waitFor()
    await fay.page.getByRole('button', { name: /^Refund 120 USD/ }).click()
    await fay.page.getByRole('button', { name: 'In the conversation' }).click()
    await card(fay.articles)
      .getByRole('button', { name: /^Approve/ })
      .click()

    for (const { articles, page } of [sam, fay]) {
      await card(articles).first().getByText('Refunded 120 USD to').waitFor()
      await card(page.getByRole('article'))
        .getByRole('button', { name: /^Approve/ })
        .waitFor({ state: 'detached' })
    }
    await card(sam.articles).getByText('Asked by Sam Support, approved by Fay Finance').first().waitFor()
    expect(await card(fay.articles).count()).toBe(1)

    await fay.goTo('Audit')
    await fay.page.getByText(/^Verified: \d+ entries, none changed, none missing\.$/).waitFor()
    const entries = fay.page.getByRole('list', { name: 'Latest entries' })
    await entries.getByText(/Fay Finance agreed to refund 120 USD to/).waitFor()

    await sam.say('transaction refunds cus_1001')
    await sam.articles.last().getByText('120 USD').first().waitFor()
    await fay.say('audit verify')
    await fay.articles
      .last()
      .getByText(/whole|intact|as (it was|they were) written|unchanged|sound/i)
      .first()
      .waitFor()
    expectQuiet()
  })

  test('Reject asks for a reason; without one it stays open, with one every page shows it', async () => {
    const sam = await openPage()
    const finn = await openPage({ query: { as: 'p-finance2' } })
    await sam.say('refund pay_1003 150 --customer cus_1002')
    await finn.articles.getByRole('button', { name: 'Reject' }).click()
    const dialog = finn.page.getByRole('dialog', { name: /^Reject: Refund 150 USD to/ })
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('Write it in a few words.').waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The customer kept the goods')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.waitFor({ state: 'hidden' })
    for (const { articles } of [sam, finn]) {
      await articles.getByText('Rejected by Finn Finance: “The customer kept the goods”.').first().waitFor()
    }
    expectQuiet()
  })

  test('a refund whose answer was lost says so, offers to look, and is settled by what somebody found', async () => {
    opened.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const sam = await openPage()
    const fay = await openPage({ query: { as: 'p-finance' } })
    await sam.say('refund pay_1005 10 --customer cus_1003')
    await sam.articles.last().getByRole('button', { name: 'Confirm' }).click()
    const card = sam.articles.filter({ hasText: 'Nobody knows whether this happened.' })
    await card.getByRole('button', { name: 'Look up' }).waitFor()
    expect(await card.getByRole('button', { name: 'It did not' }).count()).toBe(0)
    await fay.goTo('Inbox')
    const waiting = fay.page.getByRole('list', { name: 'Waiting for you' })
    await waiting.getByText('Nobody knows').waitFor()
    await waiting.getByRole('button', { name: 'It happened' }).click()
    const dialog = fay.page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('It is in the dashboard')
    await dialog.getByRole('button', { name: 'It happened' }).click()
    for (const place of [sam.articles, waiting])
      await place.getByText('Done, according to Fay Finance: “It is in the dashboard”.').first().waitFor()
    expectQuiet()
  })

  test('a connection that breaks comes back, and nothing is missed or shown twice', async () => {
    const { page, articles } = await openPage({ query: { as: 'p-finance2' } })
    const view = (title: string): View => ({ title, tone: 'plain', blocks: [] })
    await opened.console.messenger.direct('p-finance2', view('Before the break'))
    await articles.getByText('Before the break').waitFor()
    await opened.console.stop()
    await opened.console.messenger.direct('p-finance2', view('During the break'))
    await articles.getByText('During the break').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await articles.getByText('Before the break').count()).toBe(1)
    expect(await articles.getByText('During the break').count()).toBe(1)
  })

  test('a bare refund opens a form; a wrong value is told beside its field and nothing typed is lost', async () => {
    const sam = await openPage()
    await sam.say('refund --customer cus_1002')
    const form = sam.page.getByRole('dialog')
    await form.getByRole('button', { name: /^Review/ }).click()
    await form.getByText('This is needed.').waitFor()
    await form.getByLabel('Payment').fill('pay_1004')
    await form.getByLabel('Amount').fill('plenty')
    await form.getByLabel('Reason').fill('Late delivery')
    await form.getByRole('button', { name: /^Review/ }).click()
    await form
      .getByText('“plenty” is no amount: it takes a whole number, such as 20, $20 or 20 USD.')
      .waitFor()
    const amount = form.getByLabel('Amount')
    expect(await amount.getAttribute('aria-invalid')).toBe('true')
    expect(await amount.inputValue()).toBe('plenty')
    expect(await form.getByLabel('Reason').inputValue()).toBe('Late delivery')
    await amount.fill('20')
    await form.getByRole('button', { name: /^Review/ }).click()
    await form.waitFor({ state: 'hidden' })
    const card = sam.articles.filter({ hasText: '20 USD to' })
    await card.getByText('Late delivery', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Confirm' }).click()
    await card.getByText('Refunded 20 USD to').first().waitFor()
    expectQuiet()
  })

  test('a file goes with the line, and into the form when the line lacks something', async () => {
    const sam = await openPage()
    const people = {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email\nada@example.com\nrosa.yamada.1@example.com\n'),
    }
    const picker = sam.page.waitForEvent('filechooser')
    await sam.page.getByRole('button', { name: 'Attach a file' }).click()
    await (await picker).setFiles(people)
    await sam.page.getByText('people.csv', { exact: true }).waitFor()
    await sam.say('campaign send')
    const form = sam.page.getByRole('dialog')
    await form.getByText('people.csv is attached already.').waitFor()
    await form.getByLabel('Campaign').fill('cmp_welcome')
    await form.getByRole('button', { name: /^Review/ }).click()
    await form.waitFor({ state: 'hidden' })
    await sam.articles.getByText('Send Welcome aboard to 2 people').first().waitFor()
    expectQuiet()
  })

  test('an answer is paged in place and shared with everybody', async () => {
    const sam = await openPage()
    const fay = await openPage({ query: { as: 'p-finance' } })
    await sam.say('subscriber find --limit 5')
    const answer = sam.articles.last()
    await answer.getByText('Page 1 of 50').waitFor()
    const before = await sam.articles.count()
    await answer.getByRole('button', { name: 'Next' }).click()
    await answer.getByText('Page 2 of 50').waitFor()
    await answer.getByRole('button', { name: 'Previous' }).click()
    await answer.getByText('Page 1 of 50').waitFor()
    expect(await sam.articles.count()).toBe(before)
    await answer.getByRole('button', { name: 'Share' }).click()
    const shared = fay.articles.last()
    await shared.getByText('Shared').waitFor()
    await shared.getByText('Page 1 of 50').waitFor()
    expect(await shared.getByRole('button', { name: 'Share' }).count()).toBe(0)
    expectQuiet()
  })

  test('any message can be seen as Slack and Discord would be sent it', async () => {
    const sam = await openPage()
    await sam.say('bellhop whoami')
    const answer = sam.articles.filter({ hasText: 'Sam Support' }).last()
    await sam.develop()
    await answer.getByRole('button', { name: 'As others see it' }).click()
    const seen = sam.page.getByRole('complementary', { name: 'As others see it' })
    await seen.getByRole('heading', { name: 'As Slack sees it' }).waitFor()
    const shown = JSON.parse((await seen.locator('pre').first().textContent()) ?? '')
    expect(shown.blocks[0].type).toBe('header')
    await seen.getByRole('heading', { name: 'As Discord sees it' }).waitFor()
    expectQuiet()
  })

  test('the persona is in the address, and changing it changes the whole page', async () => {
    const { page, articles, say } = await openPage()
    await say('bellhop whoami')
    await articles.last().getByText('Only you').waitFor()
    await page.getByRole('combobox', { name: 'Acting as' }).selectOption({ label: 'Finn Finance' })
    await page.waitForURL(/as=p-finance2/)
    await say('bellhop whoami')
    await articles.last().getByText('Finn Finance').first().waitFor()
    expect(await articles.filter({ hasText: 'Sam Support said' }).count()).toBe(0)
    expectQuiet()
  })

  test('an example fills the line, as whoever should say it', async () => {
    const { page, line } = await openPage()
    // It is put away once somebody has begun.
    await page.evaluate('document.getElementById("tour-box").open = true')
    await page
      .getByRole('list', { name: 'Two-minute tour' })
      .getByRole('link', { name: 'audit verify' })
      .click()
    expect(await line.inputValue()).toBe('audit verify')
    expect(await page.getByRole('combobox', { name: 'Acting as' }).inputValue()).toBe('p-finance')
    expectQuiet()
  })
})
