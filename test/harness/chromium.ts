import { join } from 'node:path'
import { foldersOnPath, isProgram } from './programs.ts'

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
const outOfTheWay = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
export const chromiumPackages = ['chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji']

export const chromiumAdvice = `apt-get install -y ${chromiumPackages.join(' ')}, or set CHROMIUM_PATH to a Chromium or Chrome`

/** A Chromium of this machine, the one that CHROMIUM_PATH names before any other. */
export const findChromium = (): string | undefined => findChromiums()[0]

/** One of each kind that is here: the headless shell, which a bare machine gets, and a whole browser. */
export function findChromiums(): string[] {
  const named = process.env.CHROMIUM_PATH
  if (named) return [named].filter(isProgram)
  const onPath = names.flatMap((name) => foldersOnPath().map((folder) => join(folder, name)))
  const found = [...onPath, ...outOfTheWay].filter(isProgram)
  return [found.find(isShell), found.find((path) => !isShell(path))].filter((path) => path !== undefined)
}

const isShell = (path: string): boolean => path.endsWith('chromium-headless-shell')
