import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'

const copied = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'biome.json',
  '.gitignore',
  'src',
  'commands',
  'adapters',
  'packs',
  'sandbox',
  'tools',
  'verify.mjs',
  'test/dearest.ts',
  'test/harness',
  'test/commands/bot.ts',
]

/** This project in a folder of its own, to change as a page tells its reader to. */
export const copyProject = () => {
  const root = mkdtempSync(join(tmpdir(), 'bellhop-docs-'))
  for (const path of copied) cpSync(path, join(root, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  // What the project itself remembers of its last compilation is not the copy's to write over.
  const config = join(root, 'tsconfig.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('node_modules/.cache/types', 'types'))
  return {
    root,
    remove: () => rmSync(root, { recursive: true, force: true }),
    write: (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    /** Each pair: the lines as they are, and as they are to be. */
    apply: (path: string, differences: readonly [string, string][]) => {
      let text = readFileSync(join(root, path), 'utf8')
      for (const [before, after] of differences) {
        expect([before, text.includes(before)]).toEqual([before, true])
        text = text.replace(before, after)
      }
      writeFileSync(join(root, path), text)
    },
    /** A tool of the project, in the copy. */
    run: (script: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join('node_modules', script), ...args],
        { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
      )
      return { code: status, out: `${stdout}${stderr}` }
    },
  }
}
