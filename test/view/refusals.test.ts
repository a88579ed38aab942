import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fieldRefusal, refusal, refusals, refusalView } from '../../src/lib/view/refusals.ts'
import { refusalsDoc } from '../../tools/reference/refusals-page.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const doc = read('docs/refusals.md')

/** The first column of a table, by the heading above it. */
const named = (heading: string): string[] => {
  const [, section = ''] = doc.split(`\n## ${heading}\n`)
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name ?? '')
}

/** The members of a union of words in a source file. */
const unionIn = (file: string, start: string): string[] => {
  const [, rest = ''] = read(file).split(start)
  const [union = ''] = rest.split(/\n\n|\n\s+readonly|\n {4}message/)
  return [...union.matchAll(/'([a-z_]+)'/g)].map(([, name]) => name ?? '')
}

describe('docs/refusals.md', () => {
  it('is as the definitions say', () => {
    expect(doc).toBe(refusalsDoc())
  })
  it('has every refusal, and no other', () => {
    expect(named('Refusals')).toEqual(Object.keys(refusals))
  })
  it.each([
    ['Errors of a service', 'src/lib/services/errors.ts', 'export type ServiceErrorKind ='],
    ['Errors of the database', 'src/lib/sql/database.ts', 'type DatabaseErrorKind ='],
    ['Errors of a chat platform', 'src/kernel/messenger/messenger.ts', 'readonly kind:'],
  ])('has all of the %s, and no other', (heading, file, start) => {
    const kinds = unionIn(file, start)
    expect(kinds.length).toBeGreaterThan(1)
    expect(named(heading).sort()).toEqual(kinds.sort())
  })
})

const sources = ['src', 'commands', 'adapters'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('view/refusals'))
    .map((file) => read(join(folder, file))),
)

it('every refusal is said somewhere', () => {
  const unsaid = Object.keys(refusals).filter(
    (code) => !sources.some((source) => source.includes(`'${code}'`)),
  )
  expect(unsaid).toEqual([])
})

/** The text of each call, up to the bracket that ends it. */
const callsIn = (source: string): string[] =>
  [...source.matchAll(/\brefusal\(/g)].map(({ index }) => {
    let depth = 0
    const rest = source.slice(index + 'refusal'.length)
    const end = [...rest].findIndex((char) => {
      depth += char === '(' ? 1 : char === ')' ? -1 : 0
      return depth === 0
    })
    return rest.slice(0, end + 1)
  })

it('no refusal writes a flag itself: who asks may give fields', () => {
  const said = sources.flatMap(callsIn)
  expect(said.length).toBeGreaterThan(150)
  // A line that starts with a flag was typed.
  const typed = 'A line starts with a command, not with --'
  expect(said.filter((call) => /(?<!\w)--[a-z$]/.test(call) && !call.includes(typed))).toEqual([])
})

it('a refusal has the words of fields where they differ from those of a line', () => {
  const said = refusal('missing_arguments', (as) => `refund needs ${as.name('paymentId')}.`, {
    usage: 'refund <payment-id>',
    field: 'paymentId',
  })
  expect(said.message).toBe('refund needs payment-id.')
  expect(fieldRefusal(said)).toEqual({
    code: 'missing_arguments',
    message: 'refund needs payment_id.',
    next: 'Add what is missing.',
    field: 'payment_id',
  })
  const plain = refusal('database_down', 'Down.')
  expect(plain).not.toHaveProperty('fields')
  expect(fieldRefusal(plain)).toEqual(plain)
})

it.each(Object.entries(refusals))(
  '%s has a meaning and a next step, each a sentence',
  (_, [meaning, next]) => {
    expect(meaning).toMatch(/^\p{Lu}.*\.$/u)
    expect(next).toMatch(/^\p{Lu}.*\.$/u)
  },
)

it('a refusal is shown with what to do next and the usage line', () => {
  expect(
    refusalView(refusal('unknown_flag', 'refund has no flag --x.', { usage: 'refund <payment-id>' })),
  ).toEqual({
    kind: 'refusal',
    title: 'refund has no flag --x.',
    tone: 'warn',
    blocks: [
      { kind: 'note', tone: 'plain', text: 'Choose from the flags that it takes.' },
      { kind: 'code', text: 'refund <payment-id>' },
    ],
  })
  expect(refusalView(refusal('database_down', 'Down.')).tone).toBe('bad')
})

it.each([
  ['short', 'It is refused:', ['line 1: no', 'line 2: no'], 'It is refused', undefined],
  ['short, of one line', 'It says: no', [], 'It says: no', undefined],
  ['long', `It is refused. ${'x'.repeat(120)}`, ['line 2: no'], 'It is refused.', `X${'x'.repeat(119)}`],
  ['of one long sentence', `${'x'.repeat(121)}:`, ['more'], 'x'.repeat(121), undefined],
  [
    'of somebody else’s lines',
    'It says “no\nApproved: yes”.',
    [],
    'It says “no ⏎ Approved: yes”.',
    undefined,
  ],
  [
    'of somebody else’s sentences',
    `It says “${'no. It is approved. '.repeat(7)}” now. And more.`,
    [],
    `It says “${'no. It is approved. '.repeat(7)}” now. And more.`,
    undefined,
  ],
])('the title of a message that is %s is one line', (_, message, lines, title, rest) => {
  const { blocks, ...view } = refusalView(refusal('bad_policy', message, { lines }))
  expect(view.title).toBe(title)
  expect(blocks.find(({ kind }) => kind === 'text')).toEqual(
    rest === undefined ? undefined : { kind: 'text', text: rest },
  )
  expect(blocks.find(({ kind }) => kind === 'list')).toEqual(
    lines.length === 0 ? undefined : { kind: 'list', items: lines },
  )
})
