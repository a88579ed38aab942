import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import type { MessengerHarness, Seen, Who } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

/** Long work is steered by the same buttons on every messenger. */
describe.each([
  ['slack', openSlackConversation],
  ['discord', openDiscordConversation],
  ['console', openConsoleConversation],
])('%s', async (_, open) => {
  const harness: MessengerHarness = await open()
  const withButton = (who: Who, words: string, button: string): Promise<Seen> =>
    until(() => {
      const found = harness
        .sees(who)
        .findLast((message) => message.words.includes(words) && message.buttons.includes(button))
      if (found === undefined) throw new Error(`no ${button}: ${JSON.stringify(harness.sees(who))}`)
      return found
    })

  it('waits after its first part, goes on at Resume, rests at Pause and ends at Stop', async () => {
    await harness.says('fay', 'campaign send cmp_welcome --status subscribed')
    const card = await withButton('fay', 'Welcome aboard', 'Confirm')
    await harness.presses('fay', card, 'Confirm')
    const canary = await withButton('fay', 'Welcome aboard', 'Resume')
    expect(canary.buttons).toEqual(['Resume', 'Stop'])
    await harness.presses('fay', canary, 'Resume')
    await harness.presses('fay', await withButton('fay', 'Welcome aboard', 'Pause'), 'Pause')
    const paused = await withButton('fay', 'Paused by Fay Finance', 'Resume')
    await harness.presses('fay', paused, 'Stop')
    await until(() => expect(harness.sees('fay').at(-1)?.buttons ?? []).not.toContain('Stop'))
    const sent = harness.sandbox.wire.filter(({ row }) => row === 'sendCampaign')
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.length).toBeLessThan(38)
    expect(harness.refused()).toEqual([])
  })

  it('holds an approved change, and Cancel takes it back', async () => {
    await harness.says('sam', 'list create "Held back"')
    await harness.presses('fay', await withButton('fay', 'Held back', 'Approve'), 'Approve')
    const held = await until(() => {
      const found = harness
        .sees('sam')
        .findLast(({ words, buttons }) => words.includes('Held back') && buttons.join() === 'Cancel')
      if (found === undefined) throw new Error(JSON.stringify(harness.sees('sam')))
      return found
    })
    await harness.presses('sam', held, 'Cancel')
    await until(() => {
      const [change] = harness.sees('sam').filter(({ id }) => id === held.id)
      expect(change?.buttons).toEqual(['Ask again', 'Receipt'])
    })
    expect(harness.sandbox.wire.filter(({ row }) => row === 'createList')).toEqual([])
  })
})
