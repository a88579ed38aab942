import { z } from 'zod'
import { answerThing } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { when } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirTitle } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { facts } from '../../src/lib/view/view.ts'
import { campaignId, readCampaign } from './record.ts'

export const campaignGet = defineQuery({
  name: 'campaign get',
  summary: 'Show one campaign: status, subject, sender and template',
  area: 'email',
  input: z.object({
    campaignId: campaignId.describe('Campaign id, as campaign find shows it').meta({ kind: 'campaign' }),
  }),
  positional: ['campaignId'],
  examples: ['campaign get cmp_welcome'],
  uses: ['email.getCampaign', 'email.findCampaigns'],
  async run({ campaignId: id }, context) {
    const found = await readCampaign(id, context)
    if (!found.ok) return found
    const one = found.value
    return answerThing(
      {
        title: theirTitle(one.name || id),
        tone: 'plain',
        blocks: [
          facts({
            Status: one.status,
            Type: one.type,
            Subject: one.subject,
            'Preview text': one.preheader,
            'From name': one.senderName,
            Template: one.template,
            'Made with': one.builder,
            Content: one.html && `${formatNumber(one.html.length)} characters of HTML`,
            Created: when(one.createdAt),
            Updated: when(one.updatedAt),
            Id: thing('campaign', one.id, { name: one.name }),
          }),
        ],
        ...(one.status === 'live' ? {} : { footer: 'Only a live campaign can be sent.' }),
      },
      one.html ? { file: { name: `${id}.html`, type: 'text/html', content: one.html } } : {},
    )
  },
})
