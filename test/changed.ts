import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What every change of a folder should be tried with: all commands in all messengers, in one process each. */
const always = ['test/messenger/every-command.test.ts', 'test/messenger/contract.test.ts']

/**
 * For `npm test -- --changed`: the tests of the folders that were changed since a commit, HEAD if none is named. Nearly every
 * test imports nearly every file, so who imports what tells nothing; test/ mirrors the tree, so folders do.
 */
export const testsOfChanges = (since = 'HEAD'): string[] => {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n')
  const files = [
    ...git('diff', '--name-only', '--diff-filter=d', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter((file) => file !== '')
  const own = [...new Set(files.flatMap((file) => nearestTest(file) ?? []))]
  const product = files.some((file) => /^(?:src|adapters|commands)\//.test(file))
  return product ? [...new Set([...own, ...always])] : own
}

/** The test file or folder that is nearest to a file by its place. */
const nearestTest = (file: string): string | undefined => {
  if (file.endsWith('.test.ts')) return file
  const place = file.replace(/^(?:src|adapters|test)\//, '').replace(/\.\w+$/, '')
  for (let at = place; at !== '.'; at = dirname(at)) {
    const found = [join('test', `${at}.test.ts`), join('test', at)].find((path) => existsSync(path))
    if (found) return found
  }
  return undefined
}
