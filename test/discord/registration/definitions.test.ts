import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { formModalOf } from '../../../adapters/discord/forms/modal.ts'
import { discordCommandsOf } from '../../../adapters/discord/registration/definitions.ts'
import { defineQuery } from '../../../src/kernel/command/define.ts'
import type { InputSchema } from '../../../src/kernel/command/params.ts'
import { createRegistry } from '../../../src/kernel/command/registry.ts'
import { formFor } from '../../../src/kernel/messenger/form.ts'
import { commandsWith } from '../../harness/commands.ts'
import { commandFaults, modalFaults } from '../fake/rules.ts'
import type { Json } from '../fake/state.ts'

const registry = commandsWith()
const commands = discordCommandsOf(registry)

describe('the commands as Discord takes them', () => {
  it('are all there, as commands and subcommands', () => {
    const names = commands.flatMap(({ name, options = [] }) => {
      const subs = options.filter(({ type }) => type === 1)
      return subs.length === 0 ? [name] : subs.map((sub) => `${name} ${sub.name}`)
    })
    expect(names.toSorted()).toEqual(registry.all.map(({ name }) => name).toSorted())
  })

  it('pass the outside schema and what it misses', () => {
    expect(commandFaults(commands as unknown as Json[])).toEqual([])
  })

  it('are for servers and for the conversation with the bot, and hidden from nobody', () => {
    for (const command of commands) {
      expect(command).toMatchObject({
        contexts: [0, 1],
        integration_types: [0],
        default_member_permissions: null,
      })
    }
  })

  it('have typed options with their choices, ranges and completion', () => {
    const refund = commands.find(({ name }) => name === 'refund')
    expect(refund?.options?.[0]).toMatchObject({ name: 'payment-id', type: 3, required: true })
    expect(refund?.options?.[1]).toMatchObject({ name: 'amount', type: 3, required: false })
    const subscriber = commands.find(({ name }) => name === 'subscriber') as unknown as Json
    const find = (subscriber.options as Json[]).find(({ name }) => name === 'find')
    const limit = (find?.options as Json[] | undefined)?.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ type: 4, min_value: 1, required: false })
    const upgrade = commands.find(({ name }) => name === 'upgrade')
    const mode = upgrade?.options?.find(({ name }) => name === 'payment-mode')
    expect(mode).toMatchObject({
      required: true,
      choices: [
        { name: 'offline', value: 'offline' },
        { name: 'by credit card', value: 'credit_card' },
      ],
    })
    expect(upgrade?.options?.[0]).toMatchObject({ name: 'subscription-id', autocomplete: true })
  })

  it('make forms that Discord takes, empty and filled to the brim', () => {
    for (const command of registry.all.filter((one) => one.params.length > 0)) {
      for (const value of [undefined, 'x', '<@1> `'.repeat(500), 'y'.repeat(9_000)]) {
        const values =
          value === undefined ? {} : Object.fromEntries(command.params.map((param) => [param.name, value]))
        const modal = formModalOf(
          formFor(command, values, { usual: ['Charged twice', 'x'] }),
          'abcdefghij',
        ) as unknown as Json
        if ((modal.components as unknown[]).length > 0) expect(modalFaults(modal), command.name).toEqual([])
      }
    }
  })

  it.each([
    [
      'over 25 options',
      {
        ...Object.fromEntries(
          Array.from({ length: 26 }, (_, at) => [`p${at}`, z.string().optional().describe('P')]),
        ),
      },
      'has 26 options',
    ],
    [
      'a choice over 100 characters',
      { p: z.enum(['x'.repeat(101)]).describe('P') },
      'choice of more than 100',
    ],
    [
      'a name over 32 characters',
      { ['p'.repeat(33)]: z.string().optional().describe('P') },
      'a name that Discord does not take',
    ],
    [
      'over 8000 characters',
      {
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, at) => [
            `p${at}`,
            z
              .enum(Array.from({ length: 25 }, (_, n) => `choice-number-${n}-of-many`) as [string])
              .optional()
              .describe('P'),
          ]),
        ),
      },
      'characters in all',
    ],
  ])('fail at the start with %s', (_, shape, problem) => {
    const query = defineQuery({
      name: 'too much',
      summary: 'A command that passes a limit',
      area: 'bellhop',
      input: z.object(shape as Record<string, z.ZodType>) as InputSchema,
      examples: ['too much'],
      uses: [],
      run: async () => {
        throw new Error('never run')
      },
    })
    expect(() => discordCommandsOf(createRegistry([query]))).toThrow(problem)
  })
})
