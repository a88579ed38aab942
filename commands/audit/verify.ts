import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { formatNumber } from '../../src/view/format.ts'
import { facts, note } from '../../src/view/view.ts'

export const auditVerify = defineQuery({
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed or removed',
  area: 'bellhop',
  input: z.object({}),
  examples: ['audit verify'],
  uses: [],
  async run(_, { records }) {
    const verdict = await records.audit.verify()
    if (!verdict.ok) {
      return answer({
        title: 'The audit log has been tampered with',
        tone: 'bad',
        blocks: [
          note('bad', verdict.sentence),
          facts({ 'First bad entry': verdict.seq, Problem: verdict.problem }),
        ],
      })
    }
    return answer({
      title: 'The audit log is complete and unchanged',
      tone: 'good',
      blocks: [
        facts({
          Entries: formatNumber(verdict.entries),
          Checkpoints: formatNumber(verdict.checkpoints),
          Root: verdict.root,
          'Signed by': verdict.keys.at(-1),
        }),
      ],
      footer:
        'Keep the root somewhere else: comparing it later also reveals a log that was rewritten completely.',
    })
  },
})
