import { z } from 'zod'
import { nameOf, readSubscriber, subscriberFacts, who } from '../../packs/email/subscriber.ts'
import { answerThing } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { theirTitle } from '../../src/lib/view/outside.ts'

export const subscriberGet = defineQuery({
  name: 'subscriber get',
  summary: 'Show a subscriber: status, score, tags, lists and mail figures',
  area: 'email',
  input: z.object({ who: who.describe('Email address or subscriber id') }),
  positional: ['who'],
  examples: ['subscriber get ada@example.com'],
  uses: ['email.getSubscriber', 'email.getSubscriberById'],
  async run({ who: wanted }, context) {
    const found = await readSubscriber(wanted, context)
    if (!found.ok) return found
    const one = found.value
    return answerThing({
      title: theirTitle(nameOf(one) || one.email || wanted),
      tone: one.status === 'bounced' || one.status === 'complaint' ? 'warn' : 'plain',
      blocks: [subscriberFacts(one)],
    })
  },
})
