import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { cardOf } from '../../src/kernel/cards/card.ts'
import type { Command } from '../../src/kernel/command/define.ts'
import { besideParams, type Param } from '../../src/kernel/command/params.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { rowById } from '../../src/lib/services/endpoints/tables.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { openTeamBot } from '../commands/team-bot.ts'
import { widest } from '../commands/widest-lines.ts'

const bot = await openTeamBot()

/** The first screen of a card, without what tells one request from the next. */
const firstScreenOf = (change: Change): string => {
  const fixed = { id: 'c', warnings: [], createdAt: 0, updatedAt: 0, expiresAt: 9e15 }
  return textOfView({ ...cardOf({ ...change, ...fixed }, 1).view, actions: [] })
}

const asked = async (line: string): Promise<Change | undefined> => {
  const reply = await bot.say(line, 'fay')
  if (reply.kind !== 'change') return undefined
  await bot.press('cancel', reply.change.id, 'fay')
  return reply.change
}

/** A word of a line: what stands in quotes is one. */
const wordsOf = (line: string): string[] => line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []

/** Another value that the parameter takes, as far as its type says. */
const otherThan = (written: string, { type, choices = [] }: Param): string => {
  const plain = written.replace(/^['"]|['"]$/g, '')
  if (choices.length > 0 && type !== 'list') return choices.find((one) => one !== plain) ?? plain
  if (type === 'boolean') return plain === 'yes' ? 'no' : 'yes'
  if (/^\d+(\.\d+)?$/.test(plain)) return String(Number(plain) + 1)
  // The first word or number that it holds.
  const other = plain.replace(/[A-Za-z]{3,}(?![A-Za-z]*":)(?=[^A-Za-z]*$)/, (word) => `${word}zq`)
  return `'${other === plain ? `${plain}zq` : other}'`
}

/** The line without the flag, and with another value of it; of what stands in its place, with another value. */
const variantsOf = ({ name, positional = [] }: Command, line: string, param: Param): string[] => {
  const words = wordsOf(line)
  const place = positional.indexOf(param.name)
  const there = words[name.split(' ').length + place]
  if (place !== -1 && there !== undefined && !there.startsWith('--')) {
    return [words.with(name.split(' ').length + place, otherThan(there, param)).join(' ')]
  }
  const at = words.indexOf(`--${param.flag}`)
  const value = words[at + 1]
  if (at === -1 || value === undefined) return []
  return [words.toSpliced(at, 2), words.with(at + 1, otherThan(value, param))].map((all) => all.join(' '))
}

const commandOf = (line: string) =>
  bot.registry.all
    .filter(({ name }) => line.startsWith(`${name} `))
    .toSorted((one, other) => other.name.length - one.name.length)[0]

/** What is not sent itself: by which somebody looks, and who is sent to all the same. */
const isSent = (command: Command, { name, flag }: Param): boolean =>
  !besideParams.some((one) => one.flag === flag) &&
  flag !== 'include' &&
  !(command.kind === 'change' && command.lookedUpBy?.param === name)

describe('every field of a request that is decided', () => {
  test.each(Object.values(widest).flat())('is on the first screen of the card: %s', async (line) => {
    const command = commandOf(line)
    const whole = await asked(line)
    if (command?.kind !== 'change' || whole === undefined) throw new Error(`nothing was asked by ${line}`)
    const details = command.uses.flatMap((id) => rowById(id).row.details ?? [])
    const screen = firstScreenOf(whole)
    const unseen: string[] = []
    for (const param of command.params.filter((one) => isSent(command, one))) {
      const variants = await Promise.all(variantsOf(command, line, param).map(asked))
      const without = variants.filter((one) => one !== undefined)
      const same = without.filter(
        (one) => firstScreenOf(one) === screen && !isDeepStrictEqual(one.plan, whole.plan),
      )
      if (same.length > 0 && !details.includes(param.name)) unseen.push(param.flag)
    }
    expect(unseen).toEqual([])
  })

  test('or one line counts what stands in the details, which no field of money, recipients, numbers and times may', async () => {
    const change = await asked(widest['message carousel']?.[0] ?? '')
    if (change === undefined) throw new Error('nothing was asked')
    expect(firstScreenOf(change)).toMatch(/more values? of the request stands? in the details: /)
  })
})
