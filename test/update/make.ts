/**
 * Makes the databases beside this file anew: `node test/update/make.ts` in a clone that has the commits. In the tree of each
 * commit it runs `open-requests.ts`, and keeps the database and the list of what is open in it.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A version of each of three days: before requests could be changed, with passkeys, and before requests were bound by facts. */
const commits = ['5ff154e8', 'cbc1ef6f', 'df41e8db']

const run = (command: string, options: object = {}) =>
  spawnSync('sh', ['-c', command], { stdio: 'inherit', ...options })

for (const commit of commits) {
  const tree = mkdtempSync(join(tmpdir(), `bellhop-${commit}-`))
  run(`git archive ${commit} | tar x -C ${tree}`)
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'))
  copyFileSync('test/update/open-requests.ts', join(tree, 'test/pipeline/open-requests.test.ts'))
  run('npx vitest run test/pipeline/open-requests.test.ts --maxWorkers=1', {
    cwd: tree,
    env: { ...process.env, OPEN_REQUESTS: tree },
  })
  writeFileSync(
    `test/update/${commit}.sqlite.gz`,
    gzipSync(readFileSync(join(tree, 'open.sqlite')), { level: 9 }),
  )
  copyFileSync(join(tree, 'made.json'), `test/update/${commit}.json`)
  rmSync(tree, { recursive: true })
}
