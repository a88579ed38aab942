import type { ReadContext } from '../../src/command/context.ts'
import type { Pack } from '../../src/command/pack.ts'
import { type Block, list, note, text, type View } from '../../src/view/view.ts'
import type { Looked } from './look.ts'
import { contradictionsIn, endWords, sourceWords } from './who.ts'

/** One view of a person: what is wrong first, then money, then a part for each service, so that every fact shows where it comes from. */
export const personView = async (
  who: string,
  looked: Looked,
  packs: readonly Pack[],
  context: ReadContext,
): Promise<View> => {
  const { known, said } = looked
  const name = [...packs].flatMap((pack) => said.get(pack.name)?.name || [])[0]
  const moneyFirst = packs.toSorted((one, other) => rankOf(one) - rankOf(other))
  const parts = await Promise.all(
    moneyFirst.map(async ({ name: service, title, person }) => {
      if (person === undefined) return []
      const blocks = said.get(service)?.blocks ?? person.absent(known, context)
      return [text(`${title} service`), ...blocks, ...((await person.more?.(known, context)) ?? [])]
    }),
  )
  const all = parts.flat()
  return {
    kind: 'person',
    title: name ? `${name} (${who})` : who,
    tone: packs.flatMap((pack) => said.get(pack.name)?.tone ?? [])[0] ?? 'plain',
    blocks: [
      ...contradictionsIn(known.person).map((words) => note('warn', words)),
      ...all.filter(isWrong),
      ...all.filter((...at) => !isWrong(...at)),
      ...linkBlocks(looked),
    ],
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
    return `${endWords(one)} and ${endWords(other)}: ${sourceWords(link)}`
  })
  return words.length === 0 ? [] : [text('Links'), list(words)]
}
