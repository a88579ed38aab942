import { expect, it } from 'vitest'
import { labelsOf, textOf } from '../../discord/fake/person.ts'
import { channels as rooms } from '../../discord/harness.ts'
import { until } from '../../harness/until.ts'
import { openBoth } from '../../messenger/both-harness.ts'
import { dmOf } from '../../slack/fake/state.ts'
import { channels } from '../../slack/harness.ts'

it('a question that is asked in Discord is answered in a thread in Slack, and a yes written there is no vote', async () => {
  const { inSlack, inDiscord, discordFake, store } = await openBoth()
  await inSlack.sam.types('/refund pay_1003 120', channels.general)
  const card = await until(() => inSlack.sam.finds('[Approve]', channels.general))
  const there = await until(() => {
    const found = discordFake.seen(inDiscord.fay.id, rooms.approvals).at(-1)
    if (found === undefined) throw new Error('no card')
    return found
  })
  expect(labelsOf(there)).toEqual(['Approve', 'Ask', 'Reject'])

  const opened = await inDiscord.fay.press(there, 'Ask')
  await inDiscord.fay.submit(opened, { reason: 'Did it come back?' })
  await until(() => inSlack.sam.finds('Did it come back?', channels.general))
  await until(() => inSlack.sam.finds('Fay Finance asks: Refund', dmOf('U0SAM')))
  await until(() => expect(labelsOf(there)).toEqual(['Approve', 'Ask', 'Reject', 'Answer']))

  await inSlack.fay.replies('LGTM!', card)
  const pointed = await until(() => inSlack.fay.finds('is no vote', channels.general))
  expect(pointed.onlyFor).toBe('U0FAY')
  expect(inSlack.sam.sees(channels.general).join()).not.toContain('is no vote')

  await inSlack.sam.replies('ok, yes: on Monday', card)
  await until(() => expect(textOf(there)).toContain('ok, yes: on Monday'))
  await until(() => expect(inDiscord.fay.reads(inDiscord.fay.direct)).toContain('Sam Support answers'))
  const [change] = await store.changes.list({ states: ['pending'], limit: 1 })
  expect(change).toMatchObject({
    votes: [],
    notes: { questions: [{ answer: { text: 'ok, yes: on Monday' } }] },
  })
  const kinds = (await store.audit.find({ changeId: change?.id, limit: 50 })).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['question', 'answer']))

  await inSlack.sam.replies('thanks', card)
  await inDiscord.fay.press(there, 'Approve')
  await until(() => expect(textOf(there)).toContain('Refunded 120'))
  expect(discordFake.state.refused).toEqual([])
})
