import { z } from 'zod'
import { stateNames } from '../../src/approvals/card.ts'
import { listMark } from '../../src/approvals/list-mark.ts'
import { answer, pastTheEnd } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { states } from '../../src/model/change.ts'
import { text } from '../../src/view/view.ts'
import { sectionBlocks } from './sections.ts'
import { changesTable } from './summary.ts'

const pageSize = 10
const open = ['pending', 'approved', 'applying', 'unknown'] as const

export const approvalList = defineQuery({
  name: 'approval list',
  title: 'List requests',
  summary: 'List changes that are waiting for a decision, or changes in another state',
  area: 'bellhop',
  input: z.object({
    state: z.enum(states).optional().describe('Only changes in this state; all that are open if not given'),
    mine: z
      .boolean()
      .optional()
      .describe('Only what you asked for yourself, whatever became of it')
      .meta({ isSwitch: true }),
    page: z.int().min(1).optional().describe('Which page to show'),
  }),
  examples: ['approval list', 'approval list --mine', 'approval list --state applied'],
  uses: [],
  async run({ state, mine = false, page = 1 }, reads) {
    const found = await reads.records.changes({
      ...(mine && state === undefined ? {} : { states: state === undefined ? open : [state] }),
      ...(mine ? { requester: reads.asker.person } : {}),
      limit: pageSize,
      page,
    })
    const shown = found.slice(0, pageSize)
    const isWaiting = state === undefined || state === 'pending'
    if (shown.length === 0 && page > 1) return pastTheEnd(page)
    if (shown.length === 0) {
      return answer({
        title: isWaiting
          ? 'Nothing is waiting for approval'
          : `No changes: ${stateNames[state ?? 'pending']}`,
        tone: 'plain',
        blocks: [text('Other states: approval list --state applied, --state unknown, --state rejected.')],
      })
    }
    return answer(
      {
        kind: 'list',
        title: mine
          ? 'What you asked for'
          : isWaiting
            ? 'Waiting for a decision'
            : `Changes: ${stateNames[state ?? 'pending']}`,
        tone: 'plain',
        blocks:
          mine || state !== undefined
            ? [await changesTable(shown, reads)]
            : await sectionBlocks(shown, reads, listMark(page)),
        ...(mine ? {} : { actions: [{ verb: 'mine' as const, id: 'mine' }] }),
        footer: `Page ${page}`,
      },
      { pages: { previous: page > 1, next: found.length > pageSize } },
    )
  },
})
