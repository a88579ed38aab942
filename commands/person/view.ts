import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { Pack, PersonSaid } from '../../src/kernel/command/pack.ts'
import { endWords, sourceWords } from '../../src/kernel/things/link-words.ts'
import { defined } from '../../src/lib/defined.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { type Block, type Fact, list, note, text, type View } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'
import type { Looked } from './look.ts'
import { contradictionsIn } from './who.ts'

/**
 * One view of a person: what is wrong, then money, then a line for each service. The whole record of each is behind it, and
 * where each link comes from.
 */
export const personView = async (
  who: string,
  looked: Looked,
  packs: readonly Pack[],
  context: ReadContext,
): Promise<View> => {
  const { known, said } = looked
  const all = packs.flatMap((pack) => said.get(pack.name) ?? [])
  const name = all.flatMap((one) => one.name || [])[0]
  const about = all.flatMap((one) => one.about || [])[0]
  const moneyFirst = packs.toSorted((one, other) => rankOf(one) - rankOf(other))
  const parts = await Promise.all(
    moneyFirst.flatMap(({ name: service, title, person }) => {
      if (person === undefined) return []
      const found = said.get(service)
      const blocks = found === undefined ? person.absent(known, context) : (found.blocks ?? [])
      return partOf(title, blocks, found, person.more?.(known, context))
    }),
  )
  const blocks = parts.flatMap((part) => part.blocks)
  const lines = parts.flatMap(({ line }) => line ?? [])
  const offers = moneyFirst.flatMap(({ name: service }) => said.get(service)?.offers ?? [])
  const details = [...parts.flatMap((part) => part.details), ...linkBlocks(looked)]
  return {
    kind: 'person',
    title: name ? `${theirs(name)} (${theirs(who)})` : theirs(who),
    tone: all.flatMap((one) => one.tone ?? [])[0] ?? 'plain',
    blocks: [
      ...contradictionsIn(known.person).map((words) => note('warn', words)),
      ...blocks.filter(isWrong),
      ...(about === undefined ? [] : [text(about)]),
      ...blocks.filter((...at) => !isWrong(...at)),
      ...(lines.length === 0 ? [] : [{ kind: 'facts' as const, facts: lines }]),
    ],
    ...(details.length === 0 ? {} : { details }),
    ...(offers.length === 0 ? {} : { offers: [...offers] }),
  }
}

type Part = { line?: Fact | undefined; blocks: Block[]; details: Block[] }

/** A single sentence is a line beside the others. */
const partOf = async (
  title: string,
  blocks: Block[],
  { line, details = [] }: Pick<PersonSaid, 'line' | 'details'> = {},
  more: Promise<Block[]> | undefined,
): Promise<Part> => {
  const behind = [...details, ...((await more) ?? [])]
  const [only] = blocks
  const isSentence = blocks.length === 1 && only?.kind === 'note' && only.tone === 'plain'
  const words = line?.words ?? (isSentence ? only.text : undefined)
  return {
    line:
      words === undefined ? undefined : { label: title, value: words, ...defined({ thing: line?.thing }) },
    blocks: isSentence ? [] : blocks,
    details: behind.length === 0 ? [] : [text(`${title} service`), ...behind],
  }
}

const rankOf = ({ links }: Pack): number => (links?.trust === 'money' ? 0 : 1)

/** What leads to a list stays with it. */
const isWrong = (block: Block, at: number, all: readonly Block[]): boolean =>
  block.kind === 'note' && (block.tone === 'warn' || block.tone === 'bad') && all[at + 1]?.kind !== 'list'

const linkBlocks = ({ known: { person } }: Looked): Block[] => {
  const linked = person.ends.flatMap(({ link }) => link ?? [])
  const words = [...new Set(linked)].map((link) => {
    const [one, other] = link.ends
    return sentence`${endWords(one)} and ${endWords(other)}: ${sourceWords(link)}`
  })
  return words.length === 0 ? [] : [text('Links'), list(words)]
}
