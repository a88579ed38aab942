import { z } from 'zod'
import { receipts } from '../../src/features/receipts/index.ts'
import { cardOf } from '../../src/kernel/cards/card.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { no } from '../../src/lib/result.ts'
import { absolute } from '../../src/lib/view/format.ts'
import { noSuchChange } from '../../src/lib/view/refusals.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { facts, note } from '../../src/lib/view/view.ts'
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
  async run({ id }, { records, of, now }) {
    const change = await records.change(id)
    const proved = change === undefined ? undefined : await of(receipts).prove(id)
    if (change === undefined || proved === undefined) {
      return no(noSuchChange(id))
    }
    const { proof, page } = proved
    const { actions: _, ...card } = cardOf(change, now).view
    const words = textOfView({
      ...card,
      blocks: [...card.blocks, facts({ State: change.state, Line: change.line })],
    })
    const at = absolute(now)
    const content = page({ title: change.preview.title, words, at })
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
