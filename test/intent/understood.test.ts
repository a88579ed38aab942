import { expect, it } from 'vitest'
import { z } from 'zod'
import { createCommands } from '../../commands/index.ts'
import { ownPacks } from '../../commands/own-packs.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import type { CommandWords } from '../../src/kernel/command/language.ts'
import { createReader } from '../../src/kernel/sayings/reader.ts'
import { commandsWith } from '../harness/commands.ts'
import { changedIn, readRecord, recordOf } from './record.ts'

it('what is made of each saying, also with a word too many, is what the record says', () => {
  expect(changedIn(readRecord(), recordOf(commandsWith()))).toEqual([])
})

const query = (name: string, sayings?: CommandWords) =>
  defineQuery({
    name,
    summary: 'Shows something that nobody asked for',
    area: 'bellhop',
    input: z.object({
      list: z.string().describe('A list').meta({ kind: 'list' }),
      level: z.enum(['pending', 'payments', 'zorblax']).optional().describe('A level'),
    }),
    positional: ['list'],
    examples: [`${name} lst_vip`],
    uses: [],
    ...(sayings && { sayings }),
    run: async () => answer({ title: 'Something', tone: 'plain', blocks: [] }),
  })

/** The bot's commands with more in its first pack. */
const withMore = (...more: ReturnType<typeof query>[]) =>
  createCommands(
    ownPacks.map((pack, at) => (at === 0 ? { ...pack, commands: [...pack.commands, ...more] } : pack)),
  )

it('commands without sayings of their own change what no sentence means, whatever their names are made of', () => {
  const names = ['subscriber count', 'payments show', 'refunds today', 'vip all', 'people list']
  expect(changedIn(readRecord(), recordOf(withMore(...names.map((name) => query(name)))))).toEqual([])
})

it('a command is reached by the sayings in its definition', () => {
  const registry = withMore(query('zorb list', { say: ['zorb'], examples: ['zorb of lst_vip'] }))
  const reader = createReader(registry, registry.language)
  expect(reader.read('show the zorb of lst_vip', { mayRun: () => true }).readings[0]).toMatchObject({
    command: { name: 'zorb list' },
    values: { list: 'lst_vip' },
  })
})

it('a changed reading is told with what it was and what it is', () => {
  expect(changedIn('a => one\nb => two\n', ['a => one', 'b => three'])).toEqual([
    '- b => two',
    '+ b => three',
  ])
})
