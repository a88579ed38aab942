import { z } from 'zod'
import { cardOf } from '../../src/approvals/card.ts'
import { receiptPage } from '../../src/audit/receipt.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { no } from '../../src/model/result.ts'
import { absolute } from '../../src/view/format.ts'
import { noSuchChange } from '../../src/view/refusals.ts'
import { textOfView } from '../../src/view/text.ts'
import { facts, note } from '../../src/view/view.ts'
import { changeId } from './id.ts'

export const approvalReceipt = defineQuery({
  name: 'approval receipt',
  title: 'Get receipt',
  summary: 'Get a file that proves what was asked, who decided, and what came of it',
  area: 'bellhop',
  input: z.object({ id: changeId }),
  positional: ['id'],
  examples: ['approval receipt 7k2m9qwx4p'],
  uses: [],
  async run({ id }, { records, now }) {
    const change = await records.change(id)
    const proved = change === undefined ? undefined : await records.audit.prove(id)
    if (change === undefined || proved === undefined) {
      return no(noSuchChange(id))
    }
    const { proof, signer } = proved
    const { actions: _, ...card } = cardOf(change, now)
    const words = textOfView({
      ...card,
      blocks: [...card.blocks, facts({ State: change.state, Line: change.line })],
    })
    const at = absolute(now)
    const content = receiptPage({ title: change.preview.title, words, proof, at }, signer)
    return answer(
      {
        title: `Receipt: ${change.preview.title}`,
        tone: 'good',
        blocks: [
          facts({ Change: id, 'Entries proved': String(proof.entries.length), 'Signed by': proof.key }),
          note(
            'plain',
            'Anybody can check it offline, without Bellhop: node verify.mjs with the file and --key with the key that you gave them.',
          ),
        ],
      },
      { file: { name: `receipt-${id}.html`, type: 'text/html', content } },
    )
  },
})
