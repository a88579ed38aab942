import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

// biome-ignore lint/suspicious/noExplicitAny: package.json and the lock file are bent out of shape on purpose here
type Json = any

const copied = [
  'biome.json',
  'tsconfig.json',
  '.gitignore',
  'src/cli/run.js',
  'tools/check.ts',
  'tools/complete-lock.ts',
  'tools/without.ts',
  'tools/gate',
  'test/changed.ts',
  'test/dearest.ts',
  'test/run.ts',
  'test/harness/chromium.ts',
  'test/harness/programs.ts',
]

export type Project = ReturnType<typeof createProject>

/** A small sound project under this repository's own gate, in a folder of its own, to plant faults in. */
export function createProject() {
  const root = mkdtempSync(join(tmpdir(), 'bellhop-gate-'))
  for (const path of copied) cpSync(path, join(root, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  // What the project itself remembers of its last compilation is not this one's to write over.
  const config = join(root, 'tsconfig.json')
  writeFileSync(config, readFileSync(config, 'utf8').replace('node_modules/.cache/types', 'types'))

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const edit = (path: string, change: (json: Json) => void) => {
    const json = JSON.parse(readFileSync(join(root, path), 'utf8'))
    change(json)
    write(path, `${JSON.stringify(json, null, 2)}\n`)
  }
  const run = (args: string[], env: NodeJS.ProcessEnv = process.env) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
    return { code: status, out: `${stdout}${stderr}` }
  }

  write('tools/gate/linear-patterns.json', '[]\n')
  for (const path of ['package.json', 'package-lock.json']) {
    cpSync(path, join(root, path))
    edit(path, (json) => trim(json.packages?.[''] ?? json))
  }
  write('knip.json', knip)
  write('src/main.ts', "import { z } from 'zod'\n\nexport const name = z.string()\n")
  write('bench/app.ts', "import '../src/main.ts'\n")

  return {
    root,
    write,
    edit,
    run,
    check: (...names: string[]) => run(['src/cli/run.js', 'tools/check.ts', ...names]),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Every entry that finds no file is a fault to knip, and the planted project has few. */
const knip = `{
  "entry": ["src/main.ts", "src/cli/*.ts", "tools/*.ts", "test/run.ts", "bench/app.ts"],
  "project": ["{src,tools,adapters,commands,test,bench}/**/*.ts"],
  "ignoreBinaries": ["apt-get"],
  "ignoreExportsUsedInFile": { "interface": true, "type": true, "function": true }
}
`

/** The planted project uses little, and its gate would call every other dependency dead. */
function trim(manifest: Json): void {
  const { zod } = manifest.dependencies
  const kept = ['@biomejs/biome', '@types/node', 'acorn', 'knip', 'recheck', 'typescript']
  manifest.dependencies = { zod }
  manifest.devDependencies = Object.fromEntries(kept.map((name) => [name, manifest.devDependencies[name]]))
  if (manifest.scripts) manifest.scripts = { check: manifest.scripts.check, format: manifest.scripts.format }
}
