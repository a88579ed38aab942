import { z } from 'zod'
import { stateNames } from '../../src/kernel/cards/card.ts'
import { cardFor, viewerOf } from '../../src/kernel/cards/pressable.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { no } from '../../src/lib/result.ts'
import { noSuchChange } from '../../src/lib/view/refusals.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { facts } from '../../src/lib/view/view.ts'
import { changeId } from './id.ts'

export const approvalGet = defineQuery({
  name: 'approval get',
  title: 'Look up request',
  summary: 'Show one change: what was asked for, by whom, and its current state',
  area: 'bellhop',
  input: z.object({ id: changeId }),
  positional: ['id'],
  examples: ['approval get 7k2m9qwx4p'],
  uses: [],
  async run({ id }, reads) {
    const { records, now } = reads
    const change = await records.change(id)
    if (change === undefined) return no(noSuchChange(id))
    const card = cardFor(change, await viewerOf(reads, change), now)
    const known = facts({
      State: stateNames[change.state],
      Id: thing('change', id, { name: change.preview.title }),
    })
    return answer({ ...card, details: [known, ...(card.details ?? [])] })
  },
})
