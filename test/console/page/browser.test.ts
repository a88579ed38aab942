import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { fillConversation, hasBrowser, openBrowser } from './browser.ts'

/** All that a page can take from the machine and from the kind of browser, as one value. */
const surroundings = `(() => {
  const prefers = (...choices) => choices.filter((choice) => matchMedia('(' + choice + ')').matches)
  const ruler = document.createElement('span')
  const width = (family) => {
    ruler.style.cssText = 'position: absolute; white-space: pre; font: 100px ' + family
    ruler.textContent = 'Waiting for 1 approval'
    document.body.append(ruler)
    const { width } = ruler.getBoundingClientRect()
    ruler.remove()
    return Math.round(width)
  }
  const scroller = document.createElement('div')
  scroller.style.cssText = 'overflow: scroll; width: 100px'
  document.body.append(scroller)
  const bar = scroller.offsetWidth - scroller.clientWidth
  scroller.remove()
  return {
    languages: navigator.languages,
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    prefers: prefers('prefers-color-scheme: light', 'prefers-color-scheme: dark', 'prefers-reduced-motion: no-preference',
      'prefers-contrast: no-preference', 'forced-colors: none', 'hover: hover', 'pointer: fine'),
    pixels: devicePixelRatio,
    size: [innerWidth, innerHeight],
    scrollbar: bar,
    widths: ['sans-serif', 'system-ui', 'monospace', 'Arial'].map(width),
    focus: document.hasFocus(),
    notifications: Notification.permission,
  }
})()`

describe.skipIf(!hasBrowser)('a browser of the tests', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)
  await fillConversation(opened)

  test('shows a page the same surroundings on every machine', async () => {
    const { page } = await openPage({ colorScheme: 'dark' })
    expect(await page.evaluate(surroundings)).toEqual({
      languages: ['cs-CZ'],
      zone: 'Europe/Prague',
      prefers: [
        'prefers-color-scheme: dark',
        'prefers-reduced-motion: no-preference',
        'prefers-contrast: no-preference',
        'forced-colors: none',
        'hover: hover',
        'pointer: fine',
      ],
      pixels: 1,
      size: [1280, 860],
      scrollbar: 0,
      // One font for every family. Where fonts are not looked up by fontconfig, they are the machine's own.
      widths: process.platform === 'linux' ? [1107, 1107, 1107, 1107] : expect.anything(),
      focus: true,
      notifications: 'default',
    })
  })

  test.each([
    ['default', 1],
    ['granted', 0],
    ['denied', 0],
  ] as const)('whose answer about notifications is %s', async (notifications, asks) => {
    const { page, goTo } = await openPage({ notifications, query: { as: 'p-finance' } })
    await goTo('Inbox')
    await page.getByRole('heading', { name: /^Waiting for you/ }).waitFor()
    const ask = page.getByRole('button', { name: 'Tell me' })
    expect(await ask.count()).toBe(asks)
    if (asks > 0) await ask.click()
    await ask.waitFor({ state: 'detached' })
    expect(await page.evaluate('Notification.permission')).toBe(asks > 0 ? 'granted' : notifications)
    expectQuiet()
  })
})
