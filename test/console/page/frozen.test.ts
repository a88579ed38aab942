import { describe, expect, test } from 'vitest'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'

const sizes = [
  { width: 1440, height: 900, area: 'billing' },
  { width: 390, height: 844, area: 'all' },
]

describe.skipIf(!hasBrowser)('the console while something is frozen', async () => {
  const harness = await openConsoleHarness({ reads: () => demoPolicy })
  const browser = await sharedBrowser()
  const say = (account: string, line: string) =>
    harness.handle({
      from: { platform: 'console', account, name: account, groups: [] },
      intent: { kind: 'line', line },
    })

  test.each(sizes)(
    'says so above everything at $width, and ends it with one button',
    async ({ area, ...viewport }) => {
      const page = await browser.newPage({ viewport })
      await page.goto(harness.page({ as: 'p-finance' }))
      await page.waitForSelector('text=Live')
      const bar = page.locator('#frozen')
      expect(await bar.isVisible()).toBe(false)
      await say('p-support', 'refund pay_1001 120 --customer cus_1001')
      await page.locator('[data-verb=approve]:visible').first().waitFor()
      await page.locator('#to-conversation').click()
      await page.locator('.card [data-verb=approve]:visible').first().waitFor()
      await say('p-finance', `freeze ${area} --reason "Closing the books of the quarter"`)
      await bar.waitFor()
      expect(await bar.textContent()).toMatch(
        /changes are frozen by .+ since .+: “Closing the books of the quarter”\./,
      )
      await page.locator('.card [data-verb=unfreeze]:visible').first().waitFor()
      expect(await page.locator('.card [data-verb=approve]').count()).toBe(0)
      // Nothing of the page lies beside it.
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      if (process.env.PICTURES !== undefined)
        await page.screenshot({ path: `${process.env.PICTURES}/frozen-${viewport.width}.png` })
      await bar.getByRole('button', { name: 'Unfreeze' }).click()
      await page.locator('.card [data-verb=confirm]').last().click()
      await bar.waitFor({ state: 'hidden' })
      await page.locator('.card [data-verb=approve]:visible').first().waitFor()
      await page.close()
    },
  )
})
