import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumAdvice, findChromium } from './chromium.ts'

/** What the person has said about notifications; a browser without a window has no answer of its own that two of them share. */
export type NotificationPermission = 'default' | 'granted' | 'denied'

export type PageSettings = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'deviceScaleFactor' | 'locale' | 'timezoneId'
> & {
  notifications?: NotificationPermission
}

export type TestBrowser = { newPage(settings?: PageSettings): Promise<Page>; close(): Promise<void> }

/**
 * The one place where a browser is opened. Whatever a page could take from the machine or from the kind of browser is
 * set here, so that a page is the same in every Chromium. Pictures for people take the fonts that are installed.
 */
export const launchBrowser = async ({
  fonts = 'bundled' as 'bundled' | 'installed',
} = {}): Promise<TestBrowser> => {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(`no Chromium was found: ${chromiumAdvice}`)
  const browser: Browser = await chromium.launch({
    executablePath,
    ...(fonts === 'bundled' && { env: { ...process.env, FONTCONFIG_FILE: bundledFonts() } }),
  })
  return {
    newPage: async ({ notifications = 'default', ...settings } = {}) => {
      const context = await browser.newContext({ ...everySetting, ...settings })
      await context.addInitScript(notificationsAre(notifications))
      return context.newPage()
    },
    close: () => browser.close(),
  }
}

/** Neither the language nor the zone of the machines that tests run on, so that a page that takes theirs is found. */
const everySetting = {
  locale: 'cs-CZ',
  timezoneId: 'Europe/Prague',
  viewport: { width: 1280, height: 860 },
  deviceScaleFactor: 1,
  colorScheme: 'light',
  contrast: 'no-preference',
  forcedColors: 'none',
  reducedMotion: 'no-preference',
  hasTouch: false,
  isMobile: false,
} as const satisfies BrowserContextOptions

/** Who is asked allows it. The headless shell denies everything whatever it is told, so this is said in the page. */
const notificationsAre = (permission: NotificationPermission): string => `{
  let permission = '${permission}'
  Object.defineProperty(Notification, 'permission', { get: () => permission })
  Notification.requestPermission = async () => (permission = permission === 'default' ? 'granted' : permission)
}`

/** No other font than the one in assets/: widths and heights are the same on every machine with fontconfig. */
const bundledFonts = (): string => {
  const file = join(tmpdir(), `bellhop-fonts-${process.pid}.conf`)
  const folders = `<dir>${resolve('assets/fonts')}</dir><cachedir>${join(tmpdir(), 'bellhop-fonts')}</cachedir>`
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>\n`)
  return file
}
