import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { axeFindings } from './axe.ts'
import { fillConversation, hasBrowser, openBrowser } from './browser.ts'

describe.skipIf(!hasBrowser)('axe finds nothing', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)
  await fillConversation(opened)

  test.each([
    ['wide, light and dark', {}],
    ['a phone', { width: 390, height: 844 }],
  ] as const)('in any state of the page: %s', async (_, options) => {
    const { page, say, articles, line, goTo, develop } = await openPage({
      ...options,
      query: { as: 'p-finance' },
    })
    const isPhone = 'width' in options
    const clean = async (state: string) => {
      expect(await axeFindings(page), state).toEqual([])
      if (isPhone) return
      // The dark page is the same with other colours.
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await axeFindings(page, ['color-contrast']), `${state}, dark`).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    }

    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .waitFor()
    await clean('cards')

    await goTo('Inbox')
    await page.getByRole('heading', { name: /^Waiting for you/ }).waitFor()
    await clean('what waits')
    await page
      .getByRole('button', { name: /^More for/ })
      .first()
      .click()
    await page.getByRole('menu').waitFor()
    await clean('what can be done with a row')
    await page.keyboard.press('Escape')
    await page
      .getByRole('list', { name: 'Waiting for you' })
      .getByRole('button', { name: /^Refund/ })
      .first()
      .click()
    await page.getByText('You can approve this').first().waitFor()
    await clean('a request that is open in the inbox')
    for (const name of ['People', 'Scheduled', 'Reports']) {
      await goTo(name)
      await page.getByRole('heading', { name, exact: true }).first().waitFor()
      await clean(name)
    }
    await goTo('Audit')
    await page.getByRole('list', { name: 'Latest entries' }).waitFor()
    await clean('the audit log')
    await goTo('Conversation')

    await develop()
    await page.getByRole('button', { name: 'As others see it' }).first().click()
    await page.getByText('As Discord sees it').waitFor()
    await clean('as others see it')
    await page.keyboard.press('Escape')

    const details = articles
      .filter({ has: page.getByRole('button', { name: /^Approve/ }) })
      .filter({ has: page.locator('details.more-of-it') })
      .first()
    await details.getByText('Details', { exact: true }).click()
    await details.getByRole('button', { name: 'Why this rule' }).waitFor()
    await clean('the details of a card')
    await details.getByRole('button', { name: 'Why this rule' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Why this needs approval').last().waitFor()
    await clean('why this rule')

    await fillConversation(opened, 'refund pay_1003 130 --customer cus_1002')
    await say('approval list')
    await articles
      .last()
      .getByRole('button', { name: /^Approve all \d/ })
      .waitFor()
    await clean('a list of what waits')
    await say('approval list --state pending')
    const mark = page
      .getByRole('group', { name: 'Decide on several together' })
      .last()
      .getByRole('checkbox')
      .first()
    await mark.focus()
    await page.keyboard.press('Space')
    await clean('marks in a list')
    await page.getByRole('button', { name: 'Decide 1 marked' }).last().focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: /^Approve \d/ })
      .last()
      .waitFor()
    await clean('what is decided on together')

    await say('subscriber find lindqvist')
    await articles
      .last()
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menu').waitFor()
    await clean('a menu')
    await page.getByRole('menuitem', { name: /^list add/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Review/ })
      .click()
    await page.getByText('This is needed.').first().waitFor()
    await clean('a form')
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('ada')
    await page
      .getByRole('option', { name: /^Ada Lindqvist/ })
      .first()
      .waitFor()
    await clean('the palette')
    await page.keyboard.press('Escape')

    await line.fill('sub')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
    await clean('suggestions')
    await line.fill('')
    await line.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await clean('the keys')
    expectQuiet()
  })
})
