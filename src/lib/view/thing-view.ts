import { type Block, type Fact, maxAtOnce, type View } from './view.ts'

/**
 * One thing as people look it up: its name, what is to be known of it, and the five facts that it is looked up for. Everything
 * else is behind it. What can be done with it needs the fact that names it, so that one stays in any case.
 */
export const thingView = ({ blocks, ...view }: View): View => {
  const all = blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : []))
  const own = blocks.find((block) => block.kind === 'facts')
  const lead = leadFactsOf(own?.kind === 'facts' ? own.facts : [], all)
  const stays = (block: Block) => block.kind === 'note' || block.kind === 'chart'
  const isStatement = (block: Block) => block.kind === 'note' && block.tone !== 'plain'
  const details = blocks.flatMap((block): Block[] => {
    if (stays(block)) return []
    if (block.kind !== 'facts') return [block]
    const rest = block.facts.filter((fact) => !lead.includes(fact))
    return rest.length === 0 ? [] : [{ ...block, facts: rest }]
  })
  return {
    ...view,
    kind: 'thing',
    blocks: [
      ...blocks.filter(isStatement),
      ...(lead.length === 0 ? [] : [{ kind: 'facts' as const, facts: lead }]),
      ...blocks.filter((block) => stays(block) && !isStatement(block)),
    ],
    ...(details.length === 0 ? {} : { details }),
  }
}

const leadFactsOf = (own: readonly Fact[], all: readonly Fact[]): Fact[] => {
  const first = own.slice(0, maxAtOnce.ofThing)
  const named = all.find(({ thing }) => thing !== undefined)
  if (named === undefined || first.includes(named)) return first
  return [...first.slice(0, maxAtOnce.ofThing - 1), named]
}
