import { expect, it } from 'vitest'
import { z } from 'zod'
import { commandLineOf } from '../../../src/kernel/command/line/print.ts'
import { paramsOf } from '../../../src/kernel/command/params.ts'

const params = paramsOf(
  z.object({
    first: z.string().optional().describe('First'),
    second: z.string().optional().describe('Second'),
    count: z.int().optional().describe('Count'),
    tags: z.array(z.string()).optional().describe('Tags'),
    body: z.json().optional().describe('Body').meta({ json: true }),
  }),
  ['first', 'second'],
)

it.each<[Record<string, unknown>, string]>([
  [{}, 'tea brew'],
  [{ first: 'a', second: 'b' }, 'tea brew a b'],
  [{ second: 'b' }, 'tea brew --second b'],
  [{ first: 'two words', count: -5 }, 'tea brew "two words" --count -5'],
  [{ first: '--flag' }, 'tea brew "--flag"'],
  [{ first: '' }, 'tea brew ""'],
  [{ first: 'say "hi" <b>' }, 'tea brew "say \\"hi\\" \\<b>"'],
  [{ first: 'ada@example.com' }, 'tea brew ada@example.com'],
  [{ tags: ['a', 'b c'] }, 'tea brew --tags "a,b c"'],
  [{ tags: ['a,b', 'c'] }, 'tea brew --tags "a\\\\,b,c"'],
  [{ body: { a: 1 } }, 'tea brew --body "{\\"a\\":1}"'],
])('%j is the line %s', (input, line) => {
  expect(commandLineOf('tea brew', params, input)).toBe(line)
})
