import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from '../harness.ts'
import { axeFindings } from './axe.ts'
import { hasBrowser, sharedBrowser } from './browser.ts'

const policy = `version: 1
people: [{ id: sam, name: Sam Support, slack: U0SAM, roles: [support] }]
roles: { support: { run: ["*"] } }
`

describe.skipIf(!hasBrowser)('the page of a link', async () => {
  const opened = await openConsoleHarness({
    policy,
    entry: { kind: 'sign-in', publicUrl: 'http://localhost', isGiven: true },
  })
  const browser = await sharedBrowser()
  const linkOf = async () => {
    const reply = await opened.handle({
      from: { platform: 'slack', account: 'U0SAM', name: 'sam', groups: [] },
      intent: { kind: 'line', line: 'bellhop console' },
    })
    const [, secret = ''] = /#([\w-]{43})/.exec(JSON.stringify(reply)) ?? []
    return `${opened.base}/console/sign-in#${secret}`
  }

  test('signs its person in with a press, and the secret leaves the address and its history', async () => {
    const page = await browser.newPage({ viewport: { width: 900, height: 600 } })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const link = await linkOf()
    await page.goto(link)
    expect(page.url()).toBe(`${opened.base}/console/sign-in`)
    // What belongs together stands together, and not at the edge.
    const heading = await page.getByRole('heading').boundingBox()
    const button = await page.getByRole('button').first().boundingBox()
    expect(heading?.x).toBeGreaterThan(12)
    expect((button?.y ?? 9_999) - (heading?.y ?? 0)).toBeLessThan(250)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sign-in.png` })
    await page.getByRole('button').first().click()
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    expect(new URL(page.url()).pathname).toBe('/console')
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.getByRole('textbox', { name: 'Command' }).fill('bellhop whoami')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('log', { name: 'Conversation' }).getByText('Sam Support').first().waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/signed-in.png` })
    expect(complaints).toEqual([])
  })

  test('whoever opens the printed address without a link is told how to get one', async () => {
    const page = await browser.newPage()
    await page.goto(opened.base)
    await page.getByText('Run bellhop console in Slack or Discord').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('says what to do when its link was used before', async () => {
    const link = await linkOf()
    for (const isFirst of [true, false]) {
      const page = await browser.newPage()
      await page.goto(link)
      await page.getByRole('button').first().click()
      if (isFirst) await page.waitForURL(`${opened.base}/console`)
      else await page.getByText('Run bellhop console for a new one.').waitFor()
    }
  })
})
