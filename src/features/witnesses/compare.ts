import { isSignedBy, openNote } from '../../../verify.mjs'
import type { Disagreement, WitnessReport } from '../../kernel/log/verify.ts'
import type { Store } from '../../kernel/store/store.ts'
import { createAnchors } from './store.ts'
import { type Witness, whyAway } from './witness.ts'

type Claim = { witness: string; note: string; isCopy: boolean }

const pageSize = 500

/** Compares what every witness says with the log. Of those that disagree, the one about the fewest entries comes first. */
export const compareWitnesses = async (
  { auditTree, of }: Pick<Store, 'auditTree' | 'of'>,
  keys: readonly string[],
  witnesses: readonly Witness[],
): Promise<{ reports: WitnessReport[]; first: Disagreement | undefined }> => {
  const anchors = of(createAnchors)
  let first: Disagreement | undefined
  const disagree = (
    witness: string,
    size: number,
    words: string,
    fault: Disagreement['fault'] = 'changed',
  ): void => {
    if (first === undefined || size < first.size) {
      first = { witness, size, fault, sentence: `The witness "${witness}" disagrees: ${words}` }
    }
  }
  const check = async (claims: readonly Claim[]): Promise<void> => {
    const opened = claims.map((claim) => ({ ...claim, open: openNote(claim.note) }))
    const roots = await auditTree.rootsAt(opened.flatMap(({ open }) => open?.size ?? []))
    // Read last: whatever a witness was given before this is in the log by now.
    const { origin, frontier } = await auditTree.state()
    for (const { witness, open, isCopy } of opened) {
      const whose = isCopy ? 'the copy of a checkpoint that it was given' : 'a checkpoint that it holds'
      if (open === undefined) disagree(witness, 0, `${whose} cannot be read.`)
      else if (open.origin !== origin) {
        disagree(
          witness,
          open.size,
          `${whose} is of another log, ${open.origin}; this one is ${origin}.`,
          'cut',
        )
      } else if (!keys.some((key) => isSignedBy(open, key))) {
        disagree(
          witness,
          open.size,
          `${whose}, of ${open.size} entries, is not signed by a key of this log.`,
          'unknownKey',
        )
      } else if (open.size > frontier.size) {
        disagree(
          witness,
          open.size,
          `${whose} is of ${open.size} entries, and the log has ${frontier.size}: its end is gone.`,
          'cut',
        )
      } else if (!roots.get(open.size)?.equals(open.root)) {
        disagree(
          witness,
          open.size,
          `${whose}, of ${open.size} entries, is of other entries than the log has.`,
        )
      }
    }
  }

  const latest = new Map((await anchors.latest()).map(({ witness, ...rest }) => [witness, rest]))
  const reports: WitnessReport[] = []
  for (const witness of witnesses) {
    const { name } = witness
    const report: WitnessReport = {
      name,
      copies: 0,
      held: undefined,
      lost: 0,
      away: undefined,
      latest: latest.get(name),
    }
    reports.push(report)
    const given: number[] = []
    for (let at = 0; ; ) {
      const page = await anchors.after(name, at, pageSize)
      await check(page.map(({ note }) => ({ witness: name, note, isCopy: true })))
      for (const { size, note, proof } of page) {
        given.push(size)
        const wrong = whyWrong(() => witness.check?.(note, proof))
        if (wrong !== undefined)
          disagree(name, size, `what it gave for the checkpoint of ${size} entries is not good: ${wrong}.`)
      }
      report.copies += page.length
      at = page.at(-1)?.size ?? at
      if (page.length < pageSize) break
    }
    if (witness.held === undefined) continue
    try {
      const there = new Set<number>()
      let oldest = Number.POSITIVE_INFINITY
      let waiting: Claim[] = []
      for await (const { note } of witness.held()) {
        const open = openNote(note)
        if (open !== undefined) {
          there.add(open.size)
          oldest = Math.min(oldest, open.size)
        }
        waiting.push({ witness: name, note, isCopy: false })
        if (waiting.length < pageSize) continue
        await check(waiting)
        waiting = []
      }
      await check(waiting)
      // How far back it can be read is the witness's own affair, as long as it holds anything.
      const isTooOld = (size: number) => there.size > 0 && size < oldest
      report.held = there.size
      report.lost = given.filter((size) => !there.has(size) && !isTooOld(size)).length
    } catch (error) {
      report.away = whyAway(error)
    }
  }
  return { reports, first }
}

const whyWrong = (check: () => void): string | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
