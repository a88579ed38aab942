import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { pageWords, when } from '../../src/lib/view/format.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { list, note, table } from '../../src/lib/view/view.ts'
import { type Campaign, toCampaign, typeOf } from './record.ts'

const { campaignType } = email.rows.findCampaigns.query.shape
const workflow = 'API / Workflow Campaign'

export const campaignFind = defineQuery({
  name: 'campaign find',
  summary: 'List campaigns with their type, status, subject and id',
  area: 'email',
  input: z.object({
    type: campaignType.describe('Only campaigns of this type').meta({
      aliases: {
        api: workflow,
        workflow,
        'api / workflow': workflow,
        'api workflow': workflow,
        'api/workflow': workflow,
      },
    }),
    page: z.int().min(1, 'pages start at 1').optional().describe('Page number, from 1'),
    limit: z
      .int()
      .min(1, 'a page has at least 1 campaign')
      .optional()
      .describe('Campaigns per page (10 if not given); the service gives at most 100'),
  }),
  examples: ['campaign find --type regular', 'campaign find --limit 5 --page 2'],
  uses: ['email.findCampaigns'],
  async run({ type, ...paging }, context) {
    const { data } = await context.email.findCampaigns({ query: { ...paging, campaignType: type } })
    const found = (data?.campaigns ?? []).map(toCampaign)
    const { page: shownPage, totalCount, totalPages, hasNextPage, hasPrevPage } = data?.pagination ?? {}
    const page = shownPage ?? paging.page ?? 1
    const isCounted = typeof totalCount === 'number'
    return answer(
      {
        title: isCounted ? plural(totalCount, 'campaign') : 'Campaigns',
        tone: 'plain',
        blocks: found.length === 0 ? none(page, totalPages) : [toTable(found)],
        ...(isCounted && found.length > 0
          ? { footer: pageWords(page, totalPages ?? page, totalCount, 'campaign') }
          : {}),
      },
      { pages: { previous: hasPrevPage ?? page > 1, next: hasNextPage ?? page < (totalPages ?? page) } },
    )
  },
})

const toTable = (found: Campaign[]) =>
  table(
    ['Name', 'Status', 'Subject', 'Updated', 'Type+', 'Id+'],
    found.map((one) => [one.name, one.status, one.subject, when(one.updatedAt) ?? '', typeOf(one), one.id]),
    found.map(({ id, name }) => thing('campaign', id, { name })),
  )

const none = (page: number, pages: number | null | undefined) =>
  pages && page > pages
    ? [note('plain', `There is nothing on page ${page}: the last one is ${pages}.`)]
    : [note('plain', 'There are no such campaigns. Try all of them:'), list(['campaign find --type all'])]
