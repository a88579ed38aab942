import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools } from '../../src/cli/bellhop/tools.ts'
import { newFolder, startProcess, stopProcess } from '../harness/bot-process.ts'
import { type InstalledPackage, installPackage } from './installed.ts'

let installed: InstalledPackage
beforeAll(() => {
  installed = installPackage()
})
afterAll(() => installed.remove())

const bellhop = async (cwd: string, ...args: string[]) => {
  const ran = startProcess({ command: installed.command, args, cwd })
  const { code } = await ran.ended
  return { code, out: ran.out(), err: ran.err() }
}

test('the package holds what runs, and nothing else', () => {
  const folders = new Set(installed.files.map((path) => path.split('/')[0]))
  for (const other of ['test', 'prove', 'bench', 'docs', 'node_modules']) expect(folders).not.toContain(other)
  expect(installed.files).toEqual(expect.arrayContaining(['bin/bellhop', 'src/main.ts', 'verify.mjs']))
})

test('bellhop version, and bellhop help with everything that it can do', async () => {
  const folder = newFolder()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(await bellhop(folder, 'version')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`bellhop ${version}`),
    err: '',
  })
  const { out } = await bellhop(folder, 'help')
  for (const name of Object.keys(tools)) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test('bellhop say, in an empty folder, answers from the demo and keeps its data there', async () => {
  const folder = newFolder()
  const said = await bellhop(folder, 'say', 'subscriber get ada@example.com')
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('Ada Lindqvist'), err: '' })
  expect(existsSync(join(folder, 'data/bellhop.sqlite'))).toBe(true)
  expect(await bellhop(folder, 'say', 'refund')).toMatchObject({ code: 2 })
})

test('bellhop alone is the demo, in the process that was started', async () => {
  const bot = startProcess({ command: installed.command, args: [], env: { PORT: '0' }, cwd: newFolder() })
  const [, address = ''] = await bot.printed(/Open (http:\S+) and try: refund/)
  expect(await (await fetch(address)).text()).toContain('<title>')
  expect((await stopProcess(bot)).code).toBe(0)
  const said = bot.err().split('\n')
  expect(said.filter((line) => line !== '' && !line.includes('stood still'))).toEqual([])
})
