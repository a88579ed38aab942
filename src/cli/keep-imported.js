// For the image: removes the files of date-fns that none of the functions named in the sources loads.
import { globSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const sources = globSync('{src,adapters,commands,packs}/**/*.ts').map((file) => readFileSync(file, 'utf8'))
const names = new Set(
  sources.flatMap((text) => [...text.matchAll(/\bdate\('(\w+)'\)/g)].map(([, name]) => name)),
)
for (const name of names) require(`date-fns/${name}`)
const about = require.resolve('date-fns/package.json')
const kept = new Set([about, join(dirname(about), 'LICENSE.md'), ...Object.keys(require.cache)])
const there = readdirSync(dirname(about), { recursive: true, withFileTypes: true })
const pathOf = ({ parentPath, name }) => join(parentPath, name)
const files = there.filter((one) => one.isFile()).map(pathOf)
for (const file of files) if (!kept.has(file)) rmSync(file)
const folders = there.filter((one) => one.isDirectory()).map(pathOf)
// The innermost first, which have the longest paths.
for (const folder of folders.toSorted((one, other) => other.length - one.length))
  if (readdirSync(folder).length === 0) rmdirSync(folder)
process.stdout.write(`date-fns: ${kept.size} of ${files.length} files stay, for ${[...names].join(', ')}\n`)
