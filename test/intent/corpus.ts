import { readFileSync } from 'node:fs'
import { commandLineOf } from '../../src/kernel/command/line/print.ts'
import { createReader } from '../../src/kernel/sayings/reader.ts'
import type { Surroundings, Understanding } from '../../src/kernel/sayings/understanding.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { commandsWith } from '../harness/commands.ts'

/** What was said, and what it means: the headings of corpus.txt. */
export const corpus: readonly (readonly [saying: string, meaning: string])[] = (() => {
  let meaning = ''
  return readFileSync(new URL('corpus.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('= ')) meaning = line.slice(2)
      return line === '' || line.startsWith('#') || line.startsWith('= ') ? [] : [[line, meaning] as const]
    })
})()

const names = new Map([
  ['spring sale', [thing('campaign', 'cmp_spring_sale', { name: 'Spring sale' })]],
  ['welcome aboard', [thing('campaign', 'cmp_welcome', { name: 'Welcome aboard' })]],
  ['vip customers', [thing('list', 'lst_vip', { name: 'VIP customers' })]],
])

export const surroundings: Surroundings = {
  mayRun: () => true,
  named: (words) => (names.get(words.toLowerCase()) ?? []).flatMap((one) => one ?? []),
}

const registry = commandsWith()

export const reader = createReader(registry, registry.language)

/** The meaning as corpus.txt would say it. */
export const meaningOf = ({ readings, isClear, social, move }: Understanding): string => {
  if (social !== undefined) return social
  if (move !== undefined) return move
  const [first] = readings
  if (first === undefined) return 'nothing'
  const { command, values, unread, missing } = first
  const line = commandLineOf(command.name, command.params, values)
  const rest = unread.length > 0 ? ` (not read: ${unread.join(', ')})` : ''
  if (command.kind !== 'query')
    return `${unread.length + missing.filter((p) => p.positional).length > 0 ? 'ask back' : isClear ? 'offer' : 'choice'} ${line}${rest}`
  return `${isClear ? 'run' : 'choice'} ${line}${rest}`
}
