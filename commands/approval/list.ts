import { z } from 'zod'
import { stateNames } from '../../src/kernel/cards/card.ts'
import { listMark } from '../../src/kernel/cards/list-mark.ts'
import { answer, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { openStates, states } from '../../src/kernel/model/change.ts'
import { freezeNotes, unfreezeActions } from '../../src/kernel/model/freeze.ts'
import { text } from '../../src/lib/view/view.ts'
import { sectionBlocks } from './sections.ts'
import { changesTable } from './summary.ts'

const pageSize = 10

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
    const freezes = state === undefined || state === 'pending' ? await reads.records.freezes() : []
    const found = await reads.records.changes({
      ...(mine && state === undefined ? {} : { states: state === undefined ? openStates : [state] }),
      ...(mine ? { requester: reads.actor.person } : {}),
      limit: pageSize,
      page,
    })
    const shown = found.items
    const isWaiting = state === undefined || state === 'pending'
    if (shown.length === 0 && page > 1) return pastTheEnd(page)
    if (shown.length === 0) {
      return answer({
        title: isWaiting
          ? 'Nothing is waiting for approval'
          : `Nothing is in the state “${stateNames[state ?? 'pending']}”`,
        tone: 'plain',
        blocks: [
          ...freezeNotes(freezes),
          text(
            'Other states: approval list --state applied, --state unknown, --state accepted, --state rejected.',
          ),
        ],
        actions: unfreezeActions(freezes),
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
        blocks: [
          ...freezeNotes(freezes),
          ...(mine || state !== undefined
            ? [await changesTable(shown, reads)]
            : await sectionBlocks(shown, reads, listMark(page), page === 1 && !found.isCut)),
        ],
        actions: [...(mine ? [] : [{ verb: 'mine' as const, id: 'mine' }]), ...unfreezeActions(freezes)],
        footer: `Page ${page}`,
      },
      { pages: { previous: page > 1, next: found.next !== undefined } },
    )
  },
})
