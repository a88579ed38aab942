import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

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
const packages = ['chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji']

export const chromiumAdvice = `apt-get install -y ${packages.join(' ')}, or set CHROMIUM_PATH to a Chromium or Chrome`

/** A Chromium of this machine, the one that CHROMIUM_PATH names before any other. */
export const findChromium = (): string | undefined => findChromiums()[0]

/** One of each kind that is here: the headless shell, which a bare machine gets, and a whole browser. */
export function findChromiums(): string[] {
  const named = process.env.CHROMIUM_PATH
  if (named) return [named].filter(isProgram)
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = [...onPath, ...outOfTheWay].filter(isProgram)
  return [found.find(isShell), found.find((path) => !isShell(path))].filter((path) => path !== undefined)
}

const isShell = (path: string): boolean => path.endsWith('chromium-headless-shell')

/** Installs Debian's own where that is possible without asking anybody: as root, with apt. */
export function installChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH || process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get'))
    return undefined
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  return findChromium()
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
