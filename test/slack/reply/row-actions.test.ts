import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('a row of an answer in Slack', async () => {
  const { sam, fay } = await openSlackHarness()
  const answerTo = async (who: typeof sam, line: string, words: string) => {
    await who.types(line, general)
    return until(() => who.finds(words, general))
  }

  test('offers what its viewer may do, and runs a look-up at once', async () => {
    const answer = await answerTo(sam, '/subscriber find lindqvist', 'ada@example.com')
    const offered = await sam.offered(answer)
    expect(Object.keys(offered)[0]).toContain('Ada Lindqvist')
    expect(Object.values(offered).flat()).toContain('list add')
    await sam.chooses(answer, 'Ada Lindqvist', 'subscriber get')
    await until(() => sam.finds('Lead score', general))
  })

  test('opens the form of a change, filled in, and the form asks for it', async () => {
    const answer = await answerTo(sam, '/subscriber find lindqvist', 'ada@example.com')
    await sam.chooses(answer, 'Ada Lindqvist', 'subscriber update')
    await until(() => expect(sam.hasModal()).toBe(true))
    expect(JSON.stringify(sam.modal())).toContain('ada@example.com')
    await sam.submits({ Company: 'Fern and Field Ltd' })
    await until(() => sam.finds('Update Ada Lindqvist', general))
  })

  test('of many is found by typing a part of its name', async () => {
    const answer = await answerTo(fay, '/subscriber find --limit 100', 'Page 1 of 3')
    const offered = await fay.offered(answer, 'lindqvist')
    expect(Object.keys(offered).every((label) => /lindqvist/i.test(label))).toBe(true)
    expect(Object.keys(offered).length).toBeGreaterThan(0)
  })

  test('is not offered on what was shared', async () => {
    await answerTo(sam, '/subscriber find lindqvist', '[Share]')
    await sam.clicks('Share')
    const shared = await until(() => fay.finds('Shared by Sam Support', general))
    expect(JSON.stringify(shared.blocks)).not.toContain('bh-menu')
  })
})
