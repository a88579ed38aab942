import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { formModalOf } from '../../adapters/discord/forms/modal.ts'
import { messageOf } from '../../adapters/discord/render/message.ts'
import { newerBlocks } from '../../adapters/slack/api/block-kit.ts'
import { formModal } from '../../adapters/slack/forms/command-form.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { launchBrowser, type PageSettings } from '../../test/harness/browser.ts'
import { discordPage } from './discord-page.ts'
import { discordModalPage, discordPickerPage, slackModalPage } from './modal-page.ts'
import { terminalPage } from './terminal-page.ts'
import { openDay } from './views.ts'

/**
 * Draws docs/images/*.png at real size: every kind of view from the payloads that the adapters send, in the console itself, and
 * as the terminal prints it. Slack's messages are drawn by slack-blocks-to-jsx, which is not among our packages because it brings
 * React along; its type is Lato, and Noto Sans is what Discord falls back on:
 *
 *   apt install fonts-lato fonts-noto-core
 *   npm install --prefix /tmp/renderers slack-blocks-to-jsx@1.1.1 react react-dom
 *   npm run pictures -- /tmp/renderers/node_modules
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say where slack-blocks-to-jsx, react and react-dom are installed.')
const load = async (path: string) =>
  (await import(pathToFileURL(resolve(folder, path)).href)) as Record<string, never>
const { createElement } = (await load('react/index.js')) as unknown as {
  createElement(...args: unknown[]): unknown
}
const { renderToStaticMarkup } = (await load('react-dom/server.node.js')) as unknown as {
  renderToStaticMarkup(element: unknown): string
}
const { Message } = await load('slack-blocks-to-jsx/dist/index.mjs')
const css = readFileSync(join(folder, 'slack-blocks-to-jsx/dist/style.css'), 'utf8')
const slackStyle = `${css} body { margin: 0; padding: 16px; width: 640px } * { font-family: Lato, 'Noto Color Emoji', sans-serif !important }`
const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><rect width="36" height="36" rx="7" fill="#0b5c53"/><path d="M9 22a9 9 0 0 1 18 0z" fill="#f0b44c"/><rect x="7" y="23" width="22" height="3" rx="1.5" fill="#fff"/><circle cx="18" cy="11.500" r="1.800" fill="#fff"/></svg>')}`

/** Slack reads dates in such text too; what draws it here does not. */
const withoutVerbatim = (blocks: unknown): unknown =>
  JSON.parse(JSON.stringify(blocks, (key, value) => (key === 'verbatim' ? undefined : value)))

const out = 'docs/images'
mkdirSync(out, { recursive: true })
const day = await openDay()
const browser = await launchBrowser({ fonts: 'installed' })
const english = { locale: 'en-GB', timezoneId: 'UTC', notifications: 'denied' } as const

const keep = async (name: string, png: Buffer): Promise<void> => {
  await sharp(png)
    .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
    .toFile(join(out, `${name}.png`))
}
const drawPage = async (name: string, html: string, width = 680): Promise<void> => {
  const page = await browser.newPage({ ...english, viewport: { width, height: 100 } })
  await page.setContent(html)
  await keep(name, await page.screenshot({ fullPage: true }))
  await page.context().close()
}

for (const [kind, view] of Object.entries(day.views)) {
  // What draws it knows the tables of before.
  const { blocks } = renderSlack(view, { refused: new Set(newerBlocks) })
  const element = createElement(Message, {
    blocks: withoutVerbatim(blocks),
    logo,
    name: 'Bellhop',
    time: new Date(),
  })
  await drawPage(
    `slack-${kind}`,
    `<!doctype html><meta charset="utf-8"><style>${slackStyle}</style>${renderToStaticMarkup(element)}`,
  )
  const { body, files } = await messageOf(view)
  const pictures = Object.fromEntries(
    files.map(({ name, data }) => [
      `attachment://${name}`,
      `data:image/png;base64,${Buffer.from(data as Uint8Array).toString('base64')}`,
    ]),
  )
  await drawPage(`discord-${kind}`, discordPage(body, pictures))
  await drawPage(`terminal-${kind}`, terminalPage(textOfView(view, { zone: 'UTC', now: Date.now() })), 760)
}
await drawPage('slack-form', slackModalPage(formModal(day.form, { channel: null, handle: null })), 520)
await drawPage('discord-form', discordModalPage(formModalOf(day.form, 'draft')), 480)
await drawPage(
  'slack-picker',
  slackModalPage(formModal(day.form, { channel: null, handle: null }), day.payments),
  520,
)
await drawPage(
  'discord-picker',
  discordPickerPage('/refund', ['customer: cus_1001'], 'payment-id', day.choices),
  560,
)

/** The console itself, which is shown the same views. */
const open = async (as: string, settings: PageSettings): Promise<Page> => {
  const page = await browser.newPage({ ...english, ...settings })
  await page.goto(`${day.page}?as=${as}`)
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  return page
}
const say = async (page: Page, line: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Command' }).fill(line)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}
const still = (page: Page) => page.waitForTimeout(700)
const take = async (name: string, of: Page | Locator): Promise<void> => keep(name, await of.screenshot())

const lines = {
  outcome: ['p-finance', `approval get ${day.done}`],
  person: ['p-support', 'person get ada@example.com'],
  thing: ['p-finance', 'transaction get pay_1001'],
  list: ['p-finance', 'approval list'],
  report: ['p-finance', 'report refunds --by reason'],
  refusal: ['p-support', 'refund pay_1013 49 --customer cus_1001'],
} as const
const sizes = {
  console: { width: 1180, height: 900 },
  'console-phone': { width: 390, height: 844 },
} as const
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const prefix = `${size}${colorScheme === 'dark' ? '-dark' : ''}`
    const fay = await open('p-finance', { viewport, colorScheme })
    await fay.getByRole('heading', { name: /^Waiting for you/ }).waitFor()
    await still(fay)
    await take(`${prefix}-request`, fay)
    await fay.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Conversation' }).click()
    const unknown = fay.getByRole('article', { name: /\b20 USD/ }).last()
    await fay.setViewportSize({ ...viewport, height: 2600 })
    await unknown.scrollIntoViewIfNeeded()
    await take(`${prefix}-unknown`, unknown)
    await fay.setViewportSize(viewport)
    for (const [kind, [as, line]] of Object.entries(lines)) {
      const page = as === 'p-finance' ? fay : await open(as, { viewport, colorScheme })
      await say(page, line)
      const article = page.locator('#messages > article:not(.said)').last()
      await page.locator('#messages > article.said').last().waitFor()
      await article.waitFor()
      await page.setViewportSize({ ...viewport, height: 2600 })
      await still(page)
      await take(`${prefix}-${kind}`, article)
      await page.setViewportSize(viewport)
      if (kind === 'person') {
        await article
          .getByRole('button', { name: /^Actions for 49 USD .*INV-502/ })
          .first()
          .click()
        if (prefix === 'console') await take('console-row-menu', page)
        await page.getByRole('menuitem', { name: /^refund/ }).click()
        await page.getByRole('dialog').waitFor()
        await still(page)
        await take(`${prefix}-form`, page.getByRole('dialog'))
      }
      if (page !== fay) await page.context().close()
    }
    await fay.context().close()
  }
}
const find = await open('p-support', { viewport: sizes.console, colorScheme: 'light' })
await find.keyboard.press('Control+k')
await find.keyboard.type('ada')
await find
  .getByRole('option', { name: /^Ada Lindqvist/ })
  .first()
  .waitFor()
await take('console-find', find)
await find.keyboard.press('Escape')
await find.getByRole('textbox', { name: 'Command' }).fill('refund --customer cus_1001 --payment-id ')
await find.getByRole('listbox', { name: 'Suggestions' }).waitFor()
await still(find)
await take('console-picker', find)
await browser.close()
await day.close()
