import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import type { Seen, Who } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

/** What is frozen, and what it must stop: the requests below that wait in it. */
const areas = { billing: ['approved', 'confirmed'], all: ['approved', 'confirmed', 'mailing'] } as const
const requests = {
  approved: { line: 'refund pay_1003 90', words: 'pay_1003', yes: 'Approve', by: 'fay' },
  confirmed: { line: 'refund pay_1001 20 --customer cus_1001', words: 'pay_1001', yes: 'Confirm', by: 'sam' },
  mailing: { line: 'list create Autumn', words: 'Autumn', yes: 'Approve', by: 'fay' },
} as const
type Asked = keyof typeof requests

describe.each([
  ['Slack', () => openSlackConversation('http')],
  ['Discord', () => openDiscordConversation('gateway')],
  ['the console', openConsoleConversation],
])('what is frozen, in %s', async (_, open) => {
  const { says, presses, sees } = await open()
  const newest = (who: Who, ...words: string[]): Seen => {
    const found = sees(who).findLast((one) => words.every((each) => one.words.includes(each)))
    if (found === undefined) throw new Error(`${who} does not read ${words.join(', ')}`)
    return found
  }
  const isYes = (label: string) => /^(Approve|Confirm)\b/.test(label)
  /** All copies of the card of a request that still wait. */
  const cardsOf = (name: Asked) =>
    sees(requests[name].by).filter(
      ({ words, buttons }) =>
        words.includes(requests[name].words) && buttons.some((label) => isYes(label) || label === 'Unfreeze'),
    )

  it.each(Object.entries(areas))(
    '%s: every card says so and has Unfreeze in the place of its yes, and then again its yes',
    async (area, stopped) => {
      for (const { line } of Object.values(requests)) await says('sam', line)
      const names = Object.keys(requests) as Asked[]
      await until(() => {
        for (const name of names) expect(cardsOf(name)).not.toEqual([])
      })
      const old = cardsOf('approved')[0] as Seen

      await says('fay', `freeze ${area} --reason "closing the books"`)
      await until(() => {
        for (const name of names) {
          const isStopped = (stopped as readonly Asked[]).includes(name)
          for (const { words, buttons } of cardsOf(name)) {
            expect(buttons.filter(isYes).length, `${name}: ${buttons}`).toBe(isStopped ? 0 : 1)
            expect(buttons.includes('Unfreeze')).toBe(isStopped)
            if (isStopped) expect(words).toMatch(/frozen by Fay.*since .*“?closing the books”?/s)
          }
        }
      })

      // A copy that somebody still has open as it was.
      await presses('fay', old, old.buttons.find(isYes) as string).catch(() => undefined)

      await says('fay', 'bellhop status')
      await until(() =>
        expect(newest('fay', 'since', 'closing the books', 'Version').buttons).toContain('Unfreeze'),
      )
      await says('wes', 'approval list')
      const list = await until(() => {
        const found = newest('wes', 'closing the books', 'since')
        expect(found.buttons).toContain('Unfreeze')
        expect(found.buttons.filter((label) => label === 'Confirm')).toEqual([])
        return found
      })
      // Who may not reads who may.
      await presses('wes', list, 'Unfreeze')
      await until(() => expect(newest('wes', 'may run unfreeze').words).toContain('Fay'))

      await says('fay', 'bellhop status')
      const status = await until(() => newest('fay', 'Version', 'closing the books'))
      await presses('fay', status, 'Unfreeze')
      const asked = await until(() => {
        const card = newest('fay', 'Unfreeze', 'closing the books')
        expect(card.buttons).toContain('Confirm')
        return card
      })
      await presses('fay', asked, 'Confirm')
      await until(() => {
        for (const name of names)
          for (const { words, buttons } of cardsOf(name)) {
            expect(buttons.filter(isYes)).toHaveLength(1)
            expect(words).not.toContain('frozen by')
          }
      })
    },
  )
})
