import { z } from 'zod'
import { stateNames } from '../../src/approvals/card.ts'
import { answer, pastTheEnd } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { states } from '../../src/model/change.ts'
import { text } from '../../src/view/view.ts'
import { changesTable } from './summary.ts'

const pageSize = 10

export const approvalList = defineQuery({
  name: 'approval list',
  summary: 'List changes that are waiting for a decision, or changes in another state',
  area: 'bellhop',
  input: z.object({
    state: z.enum(states).optional().describe('Only changes in this state; pending if not given'),
    page: z.int().min(1).optional().describe('Which page to show'),
  }),
  examples: ['approval list', 'approval list --state applied'],
  uses: [],
  async run({ state = 'pending', page = 1 }, reads) {
    const found = await reads.records.changes({ states: [state], limit: pageSize, page })
    const shown = found.slice(0, pageSize)
    const isWaiting = state === 'pending'
    if (shown.length === 0 && page > 1) return pastTheEnd(page)
    if (shown.length === 0) {
      return answer({
        title: isWaiting ? 'Nothing is waiting for approval' : `No changes: ${stateNames[state]}`,
        tone: 'plain',
        blocks: [text('Other states: approval list --state applied, --state unknown, --state rejected.')],
      })
    }
    return answer(
      {
        title: isWaiting ? 'Waiting for a decision' : `Changes: ${stateNames[state]}`,
        tone: 'plain',
        blocks: [await changesTable(shown, reads)],
        footer: `Page ${page}. Show one with approval get and its id.`,
      },
      { pages: { previous: page > 1, next: found.length > pageSize } },
    )
  },
})
