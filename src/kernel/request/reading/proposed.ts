import { ok, type Result } from '../../../lib/result.ts'
import { theirs } from '../../../lib/view/outside.ts'
import { note, type View } from '../../../lib/view/view.ts'
import { joinWords } from '../../../lib/view/words.ts'
import { ownNamesOf } from '../../change/asking/prepare.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { parseLine, readValues } from '../../command/line/parse.ts'
import type { Core } from '../../core.ts'
import { allFeatures, type Proposal } from '../../feature.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import { mayRun } from '../../policy/people.ts'
import type { Reading } from '../../sayings/understanding.ts'
import type { Interpretation } from './interpret.ts'
import { settle } from './settle.ts'

type Proposed = Proposal & { by: string }

/**
 * What a source outside makes of a sentence that was not read. Its line is read strictly, and can be nothing but a draft: nothing
 * is looked up, asked for or decided by it.
 */
export const proposedFor = async (
  core: Core,
  actor: Actor,
  { intent }: Inbound,
  said: string,
  heard: Interpretation,
  allowed: ReadonlySet<Command>,
): Promise<{ reading: Reading; by: string } | { question: View } | undefined> => {
  if (actor.agent !== undefined || intent.kind !== 'line') return undefined
  const commands = [...allowed].filter((command) => command.kind !== 'decision')
  const recognised = heard.things.map(({ kinds, said: name }) => ({ kinds, name }))
  for (const { proposes } of allFeatures()) {
    const proposed: Proposed | undefined = await proposes?.(core, { said, commands, recognised })
    if (proposed === undefined) continue
    if ('question' in proposed) return { question: questionOf(proposed.question, proposed.by) }
    const reading = readStrictly(core, actor, proposed.line, said, heard)
    if (!reading.ok) return undefined
    const settled = await settle(core, actor, reading.value)
    const found = settled.ok && settled.value.kind === 'settled' ? settled.value.reading : reading.value
    return { reading: found, by: proposed.by }
  }
  return undefined
}

/** The draft says whose words it is. */
export const withProposer = (view: View, by: string): View => ({
  ...view,
  footer: joinWords(
    [`Proposed by ${theirs(by)}`, ...(view.footer === undefined ? [] : [view.footer])],
    ' · ',
  ),
})

const questionOf = (question: string, by: string): View => ({
  title: theirs(question.replace(/\s+/g, ' '), maxQuestion),
  tone: 'plain',
  blocks: [note('plain', 'Say it again with that, or look at bellhop help.')],
  footer: `Asked by ${theirs(by)}`,
})

const maxQuestion = 200

/** As a line that somebody typed, with nothing in it that the sentence did not name. */
const readStrictly = (
  { registry, policy }: Core,
  actor: Actor,
  line: string,
  said: string,
  heard: Interpretation,
): Result<Reading> => {
  const parsed = /[\r\n]/.test(line) ? undefined : parseLine(registry, line)
  if (parsed?.ok !== true) return parsed ?? notProposed
  const { command, given, missing } = parsed.value
  const isOwn =
    command.kind !== 'decision' && (command.aboutOwn === true || mayRun(policy, actor, ownNamesOf(command)))
  const isRead = readValues(command, given).ok
  const isNamed = command.params.every((param) => {
    const values = [given[param.name] ?? []].flat()
    if (param.kinds.length > 0) return values.every((value) => isInSentence(String(value), said, heard))
    return param.type !== 'amount' || values.every((value) => isSumOf(String(value), said))
  })
  return isOwn && isRead && isNamed
    ? ok({ command, values: given, missing: missing ?? [], unread: [], score: 0 })
    : notProposed
}

const notProposed: Result<never> = { ok: false, refusal: { code: 'bad_value', message: '', next: '' } }

/** Written in it, or recognised in it: what was not named is not meant. */
const isInSentence = (value: string, said: string, { things }: Interpretation): boolean =>
  said.toLowerCase().includes(value.toLowerCase()) ||
  things.some((one) => [one.value, one.said].some((known) => known.toLowerCase() === value.toLowerCase()))

/** A sum that was written in figures stands in the sentence; one in words has no figures to compare. */
const isSumOf = (value: string, said: string): boolean => {
  const figures = value.match(/\d+/g) ?? []
  const others = new Set(said.match(/\d+/g) ?? [])
  return figures.every((one) => others.has(one)) || (others.size === 0 && /\p{L}{3}/u.test(said))
}
