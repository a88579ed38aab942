import { describe, expect, test } from 'vitest'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** These tests are not about payments that nobody looked at. */
const inForce = `${demoPolicy}\nunseen: pass\n`

describe.skipIf(!hasBrowser)('the page that compares a policy', async () => {
  const opened = await openConsoleHarness({ policy: inForce, reads: () => inForce })
  const { openPage, expectQuiet } = await openBrowser(opened)

  test('starts from the policy in force, and shows what a draft would have meant', async () => {
    await opened.say('refund pay_1001 20 --customer cus_1001')
    await opened.say('refund pay_1003 120 --customer cus_1002')
    const { page } = await openPage()
    await page.goto(`${opened.base}/console/policy?as=p-finance`)
    const draft = page.getByRole('textbox', { name: 'Draft of the policy file' })
    await expect.poll(() => draft.inputValue()).toBe(inForce)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('It says the same as the policy in force.').waitFor()

    await draft.fill(inForce.replace('amount: { upTo: 50 }', 'amount: { upTo: 10 }'))
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Amount.upTo of the rule "small refund" is 10; it was 50.').waitFor()
    await page.getByRole('row', { name: 'stricter 1 20' }).waitFor()
    await page.getByRole('row', { name: 'the same 1 120' }).waitFor()
    await page.getByText('an approval instead of a confirmation').first().waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/policy.png`, fullPage: true })

    await draft.fill(inForce.replace('require: confirm', 'require: <b>maybe</b>'))
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText(/wrong value <b>maybe<\/b>/).waitFor()
    expect(opened.app.core.policy.policies[0]?.require).toEqual([{ kind: 'confirm' }])
    expectQuiet()
  })

  test('shows nothing to somebody who may read neither the policy nor the audit log', async () => {
    const { page } = await openPage()
    await page.goto(`${opened.base}/console/policy?as=p-support`)
    await page.getByText('You may not read the policy in force').waitFor()
    await page.getByRole('textbox', { name: 'Draft of the policy file' }).fill(demoPolicy)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page
      .getByText('To compare a draft one must be allowed to run policy show and audit find.')
      .waitFor()
    expectQuiet()
  })
})
