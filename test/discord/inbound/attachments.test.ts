import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { labelsOf, textOf } from '../fake/person.ts'
import type { FakeInteraction } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general } = channels
const files: Record<string, string> = {
  '/people.csv': 'email\nada@example.com\nkim@example.com\n',
  '/huge.csv': 'x'.repeat(26 * 1024 * 1024),
}

describe('attached files', async () => {
  const { fake, sam } = await openDiscordHarness()
  fake.state.attached = files
  const { origin } = new URL(fake.apiUrl)
  const file = (name: string, size = 40) => ({
    filename: name,
    url: `${origin}/${name}`,
    size,
  })
  const shown = ({ original }: FakeInteraction) =>
    until(() => {
      const message = fake.state.messages.get(original ?? '')
      if (message === undefined || message.isThinking) throw new Error('nothing is shown')
      return message
    })

  it('are what an option takes', async () => {
    const asked = await sam.slash(general, 'campaign send', {
      'campaign-id': 'cmp_welcome',
      file: file('people.csv'),
    })
    const card = await shown(asked)
    await until(() => expect(labelsOf(card), textOf(card)).toEqual(['Confirm', 'Cancel']))
    expect(textOf(card)).toContain('- kim@example.com')
  })

  it('are what a line in a direct message brings along', async () => {
    sam.say(sam.direct, 'campaign send cmp_order_receipt', [file('people.csv')])
    await until(() => {
      const message = fake.seen(sam.id, sam.direct).at(-1)
      expect(message && labelsOf(message)).toEqual(['Confirm', 'Cancel'])
    })
  })

  it.each([
    ['is not there', file('gone.csv'), 'could not be fetched'],
    ['is elsewhere', { ...file('people.csv'), url: 'http://127.0.0.1:1/people.csv' }, 'could not be fetched'],
    ['says that it is too large', file('people.csv', 30_000_000), 'larger than 25 MB'],
    ['is larger than it says', file('huge.csv'), 'larger than 25 MB'],
  ])('that %s get a sentence', async (_, attached, words) => {
    const asked = await sam.slash(general, 'campaign send', { 'campaign-id': 'cmp_welcome', file: attached })
    await until(async () => expect(textOf(await shown(asked))).toContain(words))
  })
})
