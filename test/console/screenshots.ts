import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, type PageSettings } from '../harness/browser.ts'

/** Draws the README's pictures from the real thing: node test/console/screenshots.ts [folder] */
const [folder = 'docs/images'] = process.argv.slice(2)
const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-pictures-'))
const { PATH = '', HOME = '' } = process.env
const bot = spawn(process.execPath, ['src/cli/run.js', 'src/main.ts'], {
  env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await launchBrowser({ fonts: 'installed' })
try {
  const address = await printed(/Console +(http:\S+)/)
  mkdirSync(folder, { recursive: true })
  const open = async (as: string, settings: PageSettings): Promise<Page> => {
    const page = await browser.newPage({ notifications: 'denied', ...settings })
    await page.goto(`${address}?as=${as}`)
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    return page
  }
  const sam = await open('p-support', { colorScheme: 'light' })
  await say(sam, 'subscriber get ada@example.com')
  await sam.getByRole('button', { name: 'Share' }).waitFor()
  await say(sam, 'refund pay_1001 120 --description "Charged twice in March"')
  await sam.getByRole('button', { name: /^Approve/ }).waitFor()
  await sam.getByRole('tab', { name: 'Waiting' }).click()
  await sam.getByText('Go to the card').waitFor()
  await take(sam, 'console-light.png')
  await sam.getByRole('button', { name: 'As others see it' }).last().click()
  await sam.getByText('As Discord sees it').waitFor()
  await take(sam, 'console-as-seen.png')

  const fay = await open('p-finance', { colorScheme: 'dark' })
  const phone = await open('p-finance', {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    colorScheme: 'light',
  })
  await phone.getByRole('button', { name: /^Approve/ }).scrollIntoViewIfNeeded()
  await take(phone, 'console-phone.png')

  await fay.getByRole('tab', { name: 'Audit log' }).click()
  await fay.getByRole('button', { name: /^Approve/ }).click()
  await fay.getByText('Bellhop applied refund').waitFor()
  await say(fay, 'transaction refunds cus_1001')
  await fay.getByRole('button', { name: 'Share' }).waitFor()
  await take(fay, 'console-dark.png')

  const twice = await open('p-support', { colorScheme: 'light' })
  await twice.keyboard.press('Control+k')
  await twice.keyboard.type('ada')
  await twice.getByRole('option', { name: /^Ada Lindqvist/, selected: true }).waitFor()
  await take(twice, 'console-find.png')
  await twice.keyboard.press('Enter')
  await twice.getByText('49 USD was charged twice').last().waitFor()
  await twice.getByRole('button', { name: 'Actions for pay_1013' }).last().click()
  await take(twice, 'console-row-menu.png')
  await twice.getByRole('menuitem', { name: /^refund/ }).click()
  await twice
    .getByRole('dialog')
    .getByRole('button', { name: /^Review/ })
    .click()
  await twice.getByRole('button', { name: 'Confirm' }).last().waitFor()
  await take(twice, 'console-double-charge.png')

  const fresh = await open('p-finance2', { colorScheme: 'light' })
  await say(fresh, 'hi')
  await fresh.getByText('Hello Finn Finance.').waitFor()
  await say(fresh, 'who is ada@example.com')
  await fresh.getByText('Understood as: ').last().waitFor()
  await fresh.getByRole('textbox', { name: 'Command' }).pressSequentially('what waits?')
  await fresh.getByText('Understood as: approval list').last().waitFor()
  await take(fresh, 'console-said.png')
} finally {
  await browser.close()
  bot.kill('SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
}

async function say(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Command' }).fill(line)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** Once nothing moves any more. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(folder, name) })
}

function printed(pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    bot.stdout.on('data', (chunk: Buffer) => {
      out += chunk
      const found = pattern.exec(out)
      if (found?.[1] !== undefined) resolve(found[1])
    })
    bot.on('exit', () => reject(new Error(`the bot ended: ${out}`)))
  })
}
