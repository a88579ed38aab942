import { expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, openBrowser } from './browser.ts'

test.skipIf(!hasBrowser)('a page whose token is no longer good says how to open a new one', async () => {
  const opened = await openConsoleHarness({
    entry: { kind: 'demo', token: 'a-token-of-another-start' },
  })
  const { openPage } = await openBrowser(opened)
  const { page, say } = await openPage({ query: { token: 'a-token-of-another-start' } })
  await page.context().clearCookies()
  await say('bellhop whoami')
  await page.getByText('Open the console at the address that Bellhop printed when it started.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('bellhop whoami')
})
