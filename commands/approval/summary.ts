import { stateNames, statusOf } from '../../src/approvals/card.ts'
import type { Change } from '../../src/model/change.ts'
import { ago } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, table } from '../../src/view/view.ts'

export const changesTable = (changes: readonly Change[], now: number): Block =>
  table(
    ['Id', 'What', 'Asked by', 'When', 'State'],
    changes.map((change) => [
      change.id,
      change.preview.title,
      change.requester.name,
      ago(change.createdAt, now),
      change.state === 'pending' ? statusOf(change) : stateNames[change.state],
    ]),
    changes.map(({ id, preview }) => thing('change', id, { name: preview.title })),
  )
