import { z } from 'zod'
import { orUnread } from '../../packs/billing/loose.ts'
import { answerThing } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { theirs, theirTitle } from '../../src/lib/view/outside.ts'
import { found } from '../billing/reads.ts'
import { addonBlocks, addonIn } from './record.ts'

export const addonGet = defineQuery({
  name: 'addon get',
  area: 'billing',
  title: 'Look up add-on',
  summary: 'Show one add-on: price, period and plans',
  input: z.object({ addonId: idOf('the add-on id').describe('Add-on to show').meta({ kind: 'add-on' }) }),
  positional: ['addonId'],
  examples: ['addon get addon_priority'],
  uses: ['billing.getAddon'],
  async run({ addonId }, { billing }) {
    const read = await found(
      billing.getAddon({ params: { addon_id: addonId } }),
      `add-on ${theirs(addonId)}`,
      'addon find with a product id lists them.',
    )
    if (!read.ok) return read
    const record = addonIn(read.value.data)
    return answerThing({
      title: record.name ? theirTitle(record.name) : `Add-on ${theirs(addonId)}`,
      tone: 'plain',
      blocks: orUnread(record, addonBlocks({ ...record, id: record.id || addonId })),
    })
  },
})
