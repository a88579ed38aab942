import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mutateText, mutateValue } from '../../prove/fuzz/mutate.ts'
import { createRandom } from '../../prove/random.ts'
import { markdownTable, writeSection } from '../../prove/report.ts'

it('a command replaces its own part of the page and leaves the others', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'bellhop-report-')), 'page.md')
  writeSection(file, '# Page\n', { name: 'one', title: 'One', text: 'first' })
  writeSection(file, '# Page\n', { name: 'two', title: 'Two', text: 'second' })
  writeSection(file, '# Page\n', { name: 'one', title: 'One', text: 'third' })
  const page = readFileSync(file, 'utf8')
  expect(page).not.toContain('first')
  expect(page.indexOf('third')).toBeLessThan(page.indexOf('second'))
  expect(page.startsWith('# Page\n')).toBe(true)
})

it('a cell cannot break out of its table', () => {
  expect(markdownTable({ head: ['a'], rows: [['x | y']] })).toContain('x \\| y')
})

it('the same seed makes the same cases', () => {
  const made = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({ length: 50 }, () => [
      mutateText(random, 'refund pay_1001 20'),
      mutateValue(random, { a: [1, { b: 'c' }] }),
    ])
  }
  expect(made(7)).toEqual(made(7))
  expect(made(7)).not.toEqual(made(8))
})
