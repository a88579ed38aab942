import { importsOf } from './gate/imports.ts'
import { copyWithout, featureNames, goneWith, outcomeOf, typesIn } from './gate/without.ts'

/** `npm run without -- <feature>`, or `--all`: what is left of the project when a feature is deleted, checked and tested. */
const tsc = 'node_modules/typescript/bin/tsc'
const known = featureNames()
const asked = process.argv.slice(2)
const wanted = asked.includes('--all') ? known : asked
const unknown = wanted.filter((name) => !known.includes(name))
if (wanted.length === 0 || unknown.length > 0) {
  console.error(
    `${unknown.length > 0 ? `There is no feature ${unknown.join(', ')}. ` : ''}Name features of src/features/: ${known.join(', ')}; or --all, one after the other.`,
  )
  process.exit(2)
}

const imports = await importsOf(tsc)
const importsBy = Map.groupBy(imports, ({ from }) => from)

/** Everything that a file of the tests imports, and the tests behind it. */
const behind = (file: string, seen = new Set<string>()): string[] => {
  if (seen.has(file)) return []
  seen.add(file)
  return (importsBy.get(file) ?? []).flatMap(({ to }) => [
    to,
    ...(to.startsWith('test/') ? behind(to, seen) : []),
  ])
}

const isAbove = /^(adapters|bench|commands|examples|packs|prove|sandbox|src\/(cli|features|main))\b/

/** Tests of the kernel that know nothing above it. */
const kernelTests = [...importsBy.keys()].filter((file) => {
  if (!/^test\/.*\.test\.ts$/.test(file)) return false
  const all = behind(file)
  return all.some((one) => one.startsWith('src/kernel/')) && !all.some((one) => isAbove.test(one))
})

const checksOf = (root: string): [name: string, faults: () => Promise<string[]>][] => [
  ['types', () => typesIn(root, tsc)],
  ['imports', () => outcomeOf('tools/check.ts', ['imports'], root)],
  // Packages that it alone used stay in package.json; exports were looked at as the gate does.
  [
    'dead-code',
    () =>
      outcomeOf(
        'node_modules/knip/bin/knip.js',
        ['--no-progress', '--exclude', 'dependencies,unlisted,exports,types'],
        root,
      ),
  ],
  ['tests of the kernel', () => outcomeOf('node_modules/vitest/vitest.mjs', ['run', ...kernelTests], root)],
]

for (const feature of wanted) {
  const { commands, others } = goneWith([feature], imports)
  const { root, remove } = copyWithout([feature], imports)
  console.log(
    `${feature}: also gone are ${[...commands, ...others.map((one) => `the feature ${one}`)].join(', ') || 'no commands'}`,
  )
  for (const [name, faults] of checksOf(root)) {
    const lines = await faults()
    console.log(
      lines.length === 0
        ? `ok      ${name}`
        : `FAILED  ${name}\n${lines.join('\n').replace(/^/gm, '        ')}`,
    )
    if (lines.length > 0) process.exitCode = 1
  }
  remove()
}
