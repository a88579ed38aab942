import { describe, expect, it } from 'vitest'
import { teamPolicy } from '../commands/team-bot.ts'
import { labelsOf, textOf } from '../discord/fake/person.ts'
import { channels as rooms } from '../discord/harness.ts'
import { openTestApp, textOf as wordsOf } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { channels } from '../slack/harness.ts'
import { openBoth } from './both-harness.ts'

describe('why a card needs what it needs', () => {
  it('is told by the policy: which rule decides and who could approve it, to those who may see it', async () => {
    const bot = await openTestApp({ policy: teamPolicy, tasks: false })
    const asked = await bot.say('refund pay_1001 60', 'fay')
    if (asked.kind !== 'change') throw new Error(wordsOf(asked))
    const { change, view } = asked
    const button = view.actions?.find(({ verb }) => verb === 'why')?.id ?? ''
    for (const person of ['fay', 'finn']) {
      const words = wordsOf(await bot.press('why', button, person))
      expect(words).toContain(`Why this needs approval: ${change.preview.title}`)
      expect(words).toMatch(/Decides +large refund/)
      expect(words).toContain('today: Finn.')
      expect(words).not.toContain('The policy was changed')
    }
    expect(await bot.press('why', button, 'sam')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'no_such_change' },
    })
    const entries = await bot.app.core.store.audit.find({ changeId: change.id, limit: 50 })
    expect(entries.filter(({ kind }) => kind === 'opened')).toHaveLength(2)
  })

  it('opens from the menu of the card in Slack, and from its details in Discord', async () => {
    const { inSlack, inDiscord, discordFake } = await openBoth()
    await inSlack.sam.types('/refund pay_1003 120', channels.general)
    const card = await until(() => inSlack.fay.finds('[Approve]', channels.general))
    await inSlack.fay.clicks('Why this rule', { on: card })
    await until(() => expect(JSON.stringify(inSlack.fay.modal())).toContain('Why this needs approval'))

    const there = await until(() => {
      const found = discordFake.seen(inDiscord.fay.id, rooms.approvals).at(-1)
      if (found === undefined) throw new Error('no card')
      return found
    })
    await inDiscord.fay.press(there, 'Details')
    const details = await until(() => {
      const found = discordFake
        .seen(inDiscord.fay.id, rooms.approvals)
        .findLast((one) => one.onlyFor === inDiscord.fay.id && labelsOf(one).includes('Why this rule'))
      if (found === undefined) throw new Error('no details')
      return found
    })
    await inDiscord.fay.press(details, 'Why this rule')
    await until(() =>
      expect(inDiscord.fay.reads(rooms.approvals)).toContain('Why this needs approval: Refund 120'),
    )
    expect(textOf(there)).not.toContain('Why this needs approval')
    expect(discordFake.state.refused).toEqual([])
  })
})
