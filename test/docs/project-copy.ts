import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const copied = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'biome.json',
  '.gitignore',
  'src',
  'commands',
  'adapters',
  'sandbox',
  'verify.mjs',
  'test/harness/app.ts',
  'test/harness/database.ts',
  'test/harness/platforms.ts',
  'test/harness/postgres.ts',
  'test/commands/bot.ts',
]

/** This project in a folder of its own, to change as a page tells its reader to. */
export const copyProject = () => {
  const root = mkdtempSync(join(tmpdir(), 'bellhop-docs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const path of copied) cpSync(path, join(root, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  return {
    write: (path: string, text: string) => writeFileSync(join(root, path), text),
    edit: (path: string, change: (text: string) => string) =>
      writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8'))),
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
