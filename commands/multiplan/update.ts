import { z } from 'zod'
import { textIn } from '../../packs/billing/loose.ts'
import {
  differences,
  differencesBlock,
  differing,
  valuesBefore,
} from '../../src/kernel/command/differences.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts } from '../../src/lib/view/view.ts'
import { found, ifShown } from '../billing/reads.ts'
import { pageFields } from './fields.ts'
import { multiplanGet } from './get.ts'
import { pageBlocks, pageIn } from './record.ts'

const fields = z.object(pageFields).partial()

export const multiplanUpdate = defineServiceChange({
  name: 'multiplan update',
  area: 'billing',
  title: 'Change checkout page',
  summary: 'Change the title, the plans or the choice of a checkout page',
  input: z.object({
    id: idOf('the multiplan id').describe('Multiplan to change').meta({ kind: 'multiplan' }),
    ...fields.shape,
  }),
  positional: ['id'],
  examples: ['multiplan update mp_desk --page-title "Desk, all plans"'],
  uses: ['billing.updateMultiplan', 'billing.getMultiplan'],
  plan: z.object({
    id: z.string(),
    title: z.string().nullable(),
    changes: differences,
    was: valuesBefore,
    body: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
  async prepare({ id, pageTitle, plans, multiplanList, preferredPlanId }, { billing }) {
    const read = await found(
      ifShown(billing.getMultiplan({ params: { multiplan_id: id } })),
      `multiplan ${theirs(id)}`,
      'multiplan find lists them all.',
    )
    if (!read.ok) return read
    const page = pageIn(read.value?.data)
    const before = page.plans.flatMap((plan) => plan.id ?? [])
    const { changes, was, sent } = differing({
      page_title: ['Title', page.title, pageTitle],
      plans: ['Plans', before.join(', '), plans?.join(', ')],
      multiplan_list: ['Choice', textIn(page.raw, 'multiplan_list'), multiplanList],
      preferred_plan_id: ['Preferred', page.preferred, preferredPlanId],
    })
    if (changes.length === 0) {
      return no(refusal('nothing_to_change', `The page ${page.title ?? id} would stay as it is.`))
    }
    const body = { ...sent, ...(sent.plans === undefined || plans === undefined ? {} : { plans }) }
    return ok({ id, title: page.title ?? null, changes, was, body })
  },
  preview: ({ id, title, changes }) => ({
    title: `Change the page ${theirs(title ?? id)}`,
    tone: 'warn',
    blocks: [facts({ Multiplan: id }), differencesBlock(changes)],
  }),
  row: 'billing.updateMultiplan',
  request: ({ id, body }) => ({ params: { multiplan_id: id }, body }),
  done: ({ id, title }, { data }) => ({
    message: `The page ${theirs(title ?? id)} was changed.`,
    view:
      data === undefined ? undefined : { title: title ?? id, tone: 'good', blocks: pageBlocks(pageIn(data)) },
  }),
  lookUps: ({ id }) => [lineFor(multiplanGet, { id })],
})
