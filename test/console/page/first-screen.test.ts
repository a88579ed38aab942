import { readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../harness/app.ts'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { openConsoleHarness } from '../harness.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

const keyPolicy = `version: 1
unseen: pass
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
roles:
  support: { run: [refund, "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: large, commands: [refund], require: { approvals: 1, from: [finance], sign: passkey } }
`

type Seen = {
  above: string[]
  primary: { words: string; isSeen: boolean }[]
  hidden: string[]
  isScrolling: boolean
}

/** What lies above or beside the page where nobody can scroll to, whether the first button to press can be pressed at once, and which of the named parts are not whole in sight. */
const seenOn = (page: Page, parts: readonly string[]): Promise<Seen> =>
  page.evaluate(`(() => {
    const shown = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility() && !one.closest('.unseen'))
    const isSeen = (one) => {
      const { top, bottom, left, width } = one.getBoundingClientRect()
      const at = (y) => document.elementFromPoint(left + Math.min(width / 2, 10), y)
      return top >= 0 && bottom <= innerHeight && [at(top + 2), at(bottom - 2)].every((hit) => hit && (one.contains(hit) || hit.contains(one)))
    }
    return {
      above: shown
        .filter((one) => { const box = one.getBoundingClientRect(); return box.height > 0 && (box.top + scrollY < 0 || box.left + scrollX < 0) })
        .map((one) => one.tagName + ' ' + one.textContent.slice(0, 40)),
      primary: shown
        .filter((one) => one.matches('button.primary') && !one.closest('article'))
        .slice(0, 1)
        .map((one) => ({ words: one.textContent, isSeen: isSeen(one) })),
      hidden: ${JSON.stringify(parts)}.filter((part) => { const one = document.querySelector(part); return !one || !isSeen(one) }),
      isScrolling: getComputedStyle(document.body).overflowY !== 'hidden',
    }
  })()`)

describe.skipIf(!hasBrowser)('the first screen of every page', async () => {
  const demo = await openConsoleHarness({ reads: () => demoPolicy })
  const signing = await openConsoleHarness({ policy: keyPolicy })
  const entry = { kind: 'sign-in' as const, publicUrl: 'http://localhost', isGiven: true }
  const entrance = await openConsoleHarness({ entry })
  const browser = await sharedBrowser()
  const words = 'The customer wrote three times that the second charge was not theirs. '
  const reply = await signing.handle({
    from: { platform: 'console', account: 'sam', name: 'Sam', groups: [] },
    intent: { kind: 'line', line: `refund pay_1007 1100 --reason "${words.repeat(6)}"` },
  })
  if (reply.kind !== 'change') throw new Error(textOf(reply))

  /** Each page as its reader meets it, with as much on it as it can be given; the parts that must be whole in the first screen. */
  const pages: Record<string, { address: string; ready: string; parts: string[] }> = {
    'index.html': { address: demo.page({ as: 'p-finance' }), ready: 'text=Live', parts: [] },
    'sign.html': {
      address: `${signing.base}/console/sign?change=${reply.change.id}&as=fay`,
      ready: '#sign',
      parts: ['h1', '#card h2', '#card blockquote', '#card .facts', '#sign'],
    },
    'passkey.html': { address: `${demo.base}/console/passkey#one`, ready: '#make', parts: ['h1', '#name'] },
    'policy.html': { address: `${demo.base}/console/policy?as=p-finance`, ready: '#compare', parts: ['h1'] },
    'sign-in.html': {
      address: `${entrance.base}/console/sign-in#one`,
      ready: '#sign-in',
      parts: ['h1', '#about'],
    },
  }

  test('no page is left out', () => {
    const files = readdirSync('adapters/console/page').filter((name) => name.endsWith('.html'))
    expect(Object.keys(pages).toSorted()).toEqual(files.toSorted())
  })

  test.for(Object.entries(pages))('%s', async ([name, { address, ready, parts }]) => {
    const page = await browser.newPage()
    const found: Record<string, Seen> = {}
    for (const size of sizes) {
      await page.setViewportSize(size)
      // What follows the # differs in nothing else, so the page is left in between.
      await page.goto('about:blank')
      await page.goto(address)
      await page.locator(ready).first().waitFor()
      if (name === 'policy.html') await expect.poll(() => page.locator('#draft').inputValue()).not.toBe('')
      const key = `${size.width}x${size.height}`
      found[key] = await seenOn(page, parts)
      if (process.env.SHOTS) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.screenshot({ path: `${process.env.SHOTS}/${name}-${key}-${colorScheme}.png` })
        }
        await page.emulateMedia({ colorScheme: 'light' })
      }
    }
    const isOwn = name !== 'index.html'
    for (const [key, { above, primary, hidden, isScrolling }] of Object.entries(found)) {
      expect({ key, above, hidden, primary: primary.map(({ isSeen }) => isSeen) }).toEqual({
        key,
        above: [],
        hidden: [],
        primary: [true],
      })
      expect(isScrolling).toBe(isOwn)
    }
  })
})
