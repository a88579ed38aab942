import { z } from 'zod'
import { orUnread } from '../../packs/billing/loose.ts'
import { answerThing } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { theirs, theirTitle } from '../../src/lib/view/outside.ts'
import { found } from '../billing/reads.ts'
import { pageBlocks, pageIn } from './record.ts'

export const multiplanGet = defineQuery({
  name: 'multiplan get',
  area: 'billing',
  title: 'Look up checkout page',
  summary: 'Show one checkout page: its plans and its address',
  input: z.object({ id: idOf('the multiplan id').describe('Multiplan to show').meta({ kind: 'multiplan' }) }),
  positional: ['id'],
  examples: ['multiplan get mp_desk'],
  uses: ['billing.getMultiplan'],
  async run({ id }, { billing }) {
    const read = await found(
      billing.getMultiplan({ params: { multiplan_id: id } }),
      `multiplan ${theirs(id)}`,
      'multiplan find lists them all.',
    )
    if (!read.ok) return read
    const page = pageIn(read.value.data)
    return answerThing({
      title: page.title ? theirTitle(page.title) : `Multiplan ${theirs(id)}`,
      tone: 'plain',
      blocks: orUnread(page.raw, pageBlocks({ ...page, id: page.id ?? id })),
    })
  },
})
