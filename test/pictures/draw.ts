import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../../adapters/discord/render/message.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { launchBrowser } from '../harness/browser.ts'
import { discordPage } from './discord-page.ts'
import { dayOfViews } from './views.ts'

/**
 * Draws docs/images/{slack,discord}-*.png from the payloads that the adapters send. Slack's are drawn by
 * slack-blocks-to-jsx, which is not among our packages because it brings React along:
 *
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

const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><rect width="36" height="36" rx="7" fill="#0b5c53"/><path d="M9 22a9 9 0 0 1 18 0z" fill="#f0b44c"/><rect x="7" y="23" width="22" height="3" rx="1.5" fill="#fff"/><circle cx="18" cy="11.500" r="1.800" fill="#fff"/></svg>')}`
const out = 'docs/images'
mkdirSync(out, { recursive: true })
const browser = await launchBrowser({ fonts: 'installed' })
const shoot = async (file: string, html: string, width: number): Promise<void> => {
  const page = await browser.newPage({ viewport: { width, height: 100 }, deviceScaleFactor: 1.5 })
  await page.setContent(html)
  await page.screenshot({ path: join(out, file), fullPage: true })
  await page.close()
}
for (const [name, view] of Object.entries(await dayOfViews())) {
  const { blocks } = renderSlack(view)
  const element = createElement(Message, {
    blocks,
    logo,
    name: 'Bellhop',
    time: new Date('2026-11-15T09:30:00Z'),
  })
  const style = `${css} body { margin: 0; padding: 16px; width: 640px; font-family: 'Liberation Sans', sans-serif }`
  await shoot(
    `slack-${name}.png`,
    `<!doctype html><meta charset="utf-8"><style>${style}</style>${renderToStaticMarkup(element)}`,
    680,
  )
  const { body, files } = await messageOf(view)
  const pictures = Object.fromEntries(
    files.map(({ name: file, data }) => [
      `attachment://${file}`,
      `data:image/png;base64,${Buffer.from(data as Uint8Array).toString('base64')}`,
    ]),
  )
  await shoot(`discord-${name}.png`, discordPage(body, pictures), 680)
}
await browser.close()
