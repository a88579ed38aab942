import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { launchBrowser, type PageSettings, type TestBrowser } from '../../harness/browser.ts'
import { findChromium } from '../../harness/chromium.ts'
import { kept } from '../../harness/kept.ts'
import type { ConsoleHarness } from '../harness.ts'
import { everyBlock } from '../sample-views.ts'

/** Without a Chromium the tests that need one are skipped, and `npm test` says so. */
export const hasBrowser = findChromium() !== undefined

type PageOptions = Omit<PageSettings, 'viewport'> & {
  width?: number
  height?: number
  /** Where to look first; as it comes, the inbox is there for whoever is waited for. */
  at?: 'Conversation' | 'as it comes'
  query?: Record<string, string>
}

export type TestPage = {
  page: Page
  line: Locator
  articles: Locator
  say(words: string): Promise<void>
  /** Goes to a page of the rail. */
  goTo(name: string): Promise<void>
  /** Shows what is for developers. */
  develop(): Promise<void>
  /** Waits until the live connection stands. */
  live(): Promise<void>
}

let shared: Promise<TestBrowser> | undefined

/** One browser for all files of a process, which ends with it. What a test opened is closed after the test. */
export const sharedBrowser = async (): Promise<Pick<TestBrowser, 'newPage'>> => {
  if (shared === undefined) {
    kept.children += 1
    shared = launchBrowser()
  }
  const browser = await shared
  return {
    newPage: async (settings) => {
      const page = await browser.newPage(settings)
      // As long as all tests wait: a busy machine is no failure.
      page.setDefaultTimeout(180_000)
      onTestFinished(() => page.context().close())
      return page
    },
  }
}

/** A real browser whose pages must not complain, and must not ask anybody but the console for anything. */
export const openBrowser = async (opened: ConsoleHarness) => {
  const browser = await sharedBrowser()
  const complaints: string[] = []
  const openPage = async ({
    width = 1280,
    height = 860,
    query,
    at = 'Conversation',
    ...settings
  }: PageOptions = {}): Promise<TestPage> => {
    const page = await browser.newPage({ viewport: { width, height }, ...settings })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${opened.base}/console`)) complaints.push(`asked ${request.url()}`)
    })
    await page.goto(opened.page(query))
    const line = page.getByRole('textbox', { name: 'Command' })
    const live = () => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    await live()
    const goTo = (name: string) =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name }).click()
    if (at === 'Conversation') {
      await goTo(at)
      await line.focus()
    }
    return {
      goTo,
      develop: () => page.evaluate('document.getElementById("developer").click()'),
      page,
      line,
      articles: page.getByRole('log', { name: 'Conversation' }).getByRole('article'),
      say: async (words) => {
        await line.fill(words)
        await page.getByRole('button', { name: 'Send', exact: true }).click()
      },
      live,
    }
  }
  return { openPage, complaints, expectQuiet: () => expect(complaints).toEqual([]) }
}

/** A message of every kind of block, and a refund that waits. */
export const fillConversation = async (
  { console, handle, app }: ConsoleHarness,
  line = 'refund pay_1001 120 --customer cus_1001',
): Promise<void> => {
  await console.messenger.post({ channel: null, handle: null, onlyFor: null }, everyBlock)
  await handle({
    from: { platform: 'console', account: 'p-support', name: '', groups: [] },
    place: { channel: 'console', handle: null, direct: true },
    intent: { kind: 'line', line },
  })
  await app.drain()
}
