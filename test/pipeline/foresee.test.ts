import { describe, expect, it } from 'vitest'
import { fromOf } from '../harness/app.ts'
import { account, openHarness } from './harness.ts'

const line = (words: string) => ({ kind: 'line' as const, line: words })

describe('while a look-up is being stored', () => {
  it('the service is asked, nothing is recorded, and handling it asks nobody again', async () => {
    const harness = await openHarness()
    const { bot } = harness.app
    const look = line('subscriber get ada@example.com')
    const foreseen = bot.foresee(fromOf('sam'), look)
    await foreseen?.running
    expect(harness.sandbox.wire.map(({ row }) => row)).toEqual(['getSubscriber'])
    const entries = () => harness.store.audit.find({ who: 'sam', limit: 9 })
    expect(await entries()).toEqual([])
    const reply = await harness.handle({ from: fromOf('sam'), intent: look, foreseen })
    expect(reply).toMatchObject({ kind: 'answer', command: 'subscriber get' })
    expect(harness.sandbox.wire).toHaveLength(1)
    expect(await entries()).toMatchObject([{ kind: 'ran', command: 'subscriber get' }])
  })

  it.each([
    ['somebody who may not', 'list all', 'kim'],
    ['a change', 'subscriber unsubscribe ada@example.com', 'sam'],
    ['a name in the place of an id', 'list get newsletter', 'sam'],
    ['an address that may lead to an id', 'contact get ada@example.com', 'sam'],
    ['help', 'subscriber get help', 'sam'],
    ['what is missing something', 'subscriber get', 'sam'],
    ['no command', 'who is ada@example.com', 'sam'],
    ['the bot’s own records', 'audit find', 'fay'],
    ['what is for one person alone', 'bellhop sessions', 'fay'],
  ])('nobody is asked for %s', async (_, words, person) => {
    const harness = await openHarness()
    expect(harness.app.bot.foresee(fromOf(person), line(words))).toBeUndefined()
    expect(harness.sandbox.wire).toEqual([])
  })

  it('what was read for another person or another line is not used, and a right that was lost meanwhile is lost', async () => {
    const harness = await openHarness()
    const { bot } = harness.app
    const look = line('subscriber get ada@example.com')
    const forSam = bot.foresee(fromOf('sam'), look)
    await forSam?.running
    await harness.handle({ from: fromOf('fay'), intent: look, foreseen: forSam })
    await harness.handle({
      from: fromOf('sam'),
      intent: line('subscriber get eve@example.com'),
      foreseen: forSam,
    })
    expect(harness.sandbox.wire).toHaveLength(3)
    const inGroup = { ...account('slack', 'U0GUS', ['S0FIN']) }
    const forGus = bot.foresee(inGroup, look)
    const reply = await harness.handle({ from: { ...inGroup, groups: [] }, intent: look, foreseen: forGus })
    expect(reply).toMatchObject({ kind: 'refused' })
  })

  it('a burst begins with a few, and what ended makes room', async () => {
    const { app } = await openHarness()
    const begin = (at: number) => app.bot.foresee(fromOf('sam'), line(`subscriber get p${at}@example.com`))
    const begun = Array.from({ length: 9 }, (_, at) => begin(at))
    expect(begun.filter((one) => one !== undefined)).toHaveLength(4)
    await Promise.all(begun.map((one) => one?.running))
    expect(begin(10)).toBeDefined()
  })
})
