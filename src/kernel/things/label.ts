import { traitsOf } from '../../lib/things/kinds.ts'
import type { Candidate } from '../command/pack.ts'

/** What people choose from: two that would read alike are told apart by what they are, or else by their ids. */
export const thingLabels = (things: readonly Candidate[]): string[] => {
  const labels = things.map((one) => {
    const label = labelOf(one)
    const isShared = things.some(({ name, kind }) => name === label && kind !== one.kind)
    return isShared ? `${label}, ${one.kind}` : label
  })
  return labels.map((label, at) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (${things[at]?.id})`,
  )
}

/** "49 USD · 1 Nov 09:14 · INV-513", "Ada Lindqvist (ada@example.com)", "Spring sale (live)", or the id of what has no name. */
const labelOf = ({ kind, id, name = id, beside }: Candidate): string => {
  const told = name !== id && traitsOf(kind).showsId ? id : beside
  return told === undefined || told === name ? name : `${name} (${told})`
}
