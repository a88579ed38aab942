import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

test.for(pages)('every link in %s leads somewhere', (page) => {
  const text = readFileSync(page, 'utf8').replaceAll(/```[\s\S]*?```/g, '')
  const links = [
    ...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
    ...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g),
  ].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !anchorsIn(target).has(anchor)
  })
  expect(broken).toEqual([])
})

test('every script that the docs name can be run', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/npm run ([a-z-]+)/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
})

test('the index names every page', () => {
  const index = readFileSync('docs/README.md', 'utf8')
  const named = pages.filter((page) => /^docs\/[\w-]+\.md$/.test(page) && page !== 'docs/README.md')
  expect(named.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([])
  const decisions = readFileSync('docs/decisions/README.md', 'utf8')
  const decided = readdirSync('docs/decisions').filter((name) => name !== 'README.md')
  expect(decided.filter((name) => !decisions.includes(`(${name})`))).toEqual([])
})

/** As GitHub makes them from headings. */
const anchorsIn = (file: string): Set<string> =>
  new Set(
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
