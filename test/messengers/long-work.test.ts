import { describe, expect, it } from 'vitest'
import { type Chat, type Seen, until, type Who } from './chat.ts'
import { openConsoleChat } from './console-chat.ts'
import { openDiscordChat } from './discord-chat.ts'
import { openSlackChat } from './slack-chat.ts'

/** Long work is steered by the same buttons on every messenger. */
describe.each([
  ['slack', openSlackChat],
  ['discord', openDiscordChat],
  ['console', openConsoleChat],
])('%s', async (_, open) => {
  const chat: Chat = await open()
  const withButton = (who: Who, words: string, button: string): Promise<Seen> =>
    until(() => {
      const found = chat
        .sees(who)
        .findLast((message) => message.words.includes(words) && message.buttons.includes(button))
      if (found === undefined) throw new Error(`no ${button}: ${JSON.stringify(chat.sees(who))}`)
      return found
    }, 15_000)

  it('waits after its first part, goes on at Resume, rests at Pause and ends at Stop', async () => {
    await chat.says('fay', 'campaign send cmp_welcome --status subscribed')
    const card = await withButton('fay', 'Welcome aboard', 'Confirm')
    await chat.presses('fay', card, 'Confirm')
    const canary = await withButton('fay', 'Welcome aboard', 'Resume')
    expect(canary.buttons).toEqual(['Resume', 'Stop'])
    await chat.presses('fay', canary, 'Resume')
    await chat.presses('fay', await withButton('fay', 'Welcome aboard', 'Pause'), 'Pause')
    const paused = await withButton('fay', 'Paused by Fay Finance', 'Resume')
    await chat.presses('fay', paused, 'Stop')
    await until(() => expect(chat.sees('fay').at(-1)?.buttons ?? []).not.toContain('Stop'), 15_000)
    const sent = chat.sandbox.wire.filter(({ row }) => row === 'sendCampaign')
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.length).toBeLessThan(38)
    expect(chat.refused()).toEqual([])
  })

  it('holds an approved change, and Cancel takes it back', async () => {
    await chat.says('sam', 'list create "Held back"')
    await chat.presses('fay', await withButton('fay', 'Held back', 'Approve'), 'Approve')
    const held = await until(() => {
      const found = chat
        .sees('sam')
        .findLast(({ words, buttons }) => words.includes('Held back') && buttons.join() === 'Cancel')
      if (found === undefined) throw new Error(JSON.stringify(chat.sees('sam')))
      return found
    }, 15_000)
    await chat.presses('sam', held, 'Cancel')
    await until(() => {
      const [change] = chat.sees('sam').filter(({ id }) => id === held.id)
      expect(change?.buttons).toEqual([])
    }, 15_000)
    expect(chat.sandbox.wire.filter(({ row }) => row === 'createList')).toEqual([])
  })
})
