import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { isLost, messengers, openPlace, policyWith } from './place.ts'

const didNotCount = /This did not count/

describe.each(['Slack', 'Discord'] as const)('in %s', (name) => {
  const { approve, reads, types } = messengers[name]

  it('a press on a card that the database has forgotten, with all that was beside it, is how the loss is noticed', async () => {
    const place = openPlace(policyWith(1))
    const first = await place.start()
    const known = await first.ask('refund pay_1001 7')
    await first.stop()
    const putBack = place.copyAll()
    const second = await place.start()
    const one = await second.ask('refund pay_1001 60')
    const other = await second.ask('refund pay_1002 8')
    await second.stop()
    putBack()

    const third = await place.start()
    await third.app.drain()
    expect(await third.loss()).toBeUndefined()
    expect(reads(third)).not.toMatch(isLost)
    const card = await approve(third, one)
    await until(() => expect(reads(third)).toMatch(didNotCount))
    await until(() => expect(card()).toMatch(/This request is lost/))
    expect(await third.loss()).toMatchObject({ reason: expect.stringMatching(isLost) })
    await third.app.drain()
    expect(reads(third)).toContain('Nothing is changed in any service until somebody runs: unfreeze all')
    expect((await third.store.changes.get(known.id))?.drift?.message).toContain('Votes since then are lost')

    // It is told once, whoever presses what else is lost.
    await third.say('unfreeze all', 'finn')
    const otherCard = await approve(third, other)
    await until(() => expect(otherCard()).toMatch(/This request is lost/))
    expect(await third.loss()).toBeUndefined()
    expect(await third.losses()).toBe(1)
    expect(place.refunds()).toBe(0)
    await third.stop()
  })

  it('a card from before there was this log is no loss', async () => {
    const place = openPlace(policyWith(1))
    const first = await place.start()
    const change = await first.ask('refund pay_1001 60')
    await first.stop()
    for (const file of readdirSync(place.folder)) rmSync(join(place.folder, file))
    const second = await place.start()
    const card = await approve(second, change)
    await until(() => expect(card()).toMatch(/not known here/))
    expect(await second.loss()).toBeUndefined()
    await second.stop()
  })

  it('whoever voted or asked, was answered, and is lost reads that it does not count', async () => {
    const place = openPlace(policyWith(2))
    const first = await place.start()
    const change = await first.ask('refund pay_1001 60')
    await first.stop()
    const putBack = place.copyDatabase()
    const second = await place.start()
    const card = await approve(second, change)
    await until(async () => expect((await second.store.changes.get(change.id))?.votes).toHaveLength(1))
    await types(second, 'refund pay_1002 9')
    await until(async () => expect(await second.store.changes.list({ limit: 10 })).toHaveLength(2))
    await second.stop()
    expect(reads(second)).not.toContain('does not count')
    putBack()

    const third = await place.start()
    expect(await third.loss()).toBeDefined()
    await third.app.drain()
    await until(() => expect(card()).toMatch(/Votes since then are lost/))
    for (const done of [/: approved, Refund 60 of/, /: asked, Refund 9 of/])
      await until(() => expect(reads(third)).toMatch(done))
    expect(reads(third).match(/What you did does not count: the database lost it/g)).toHaveLength(2)
    await third.say('unfreeze all', 'finn')
    await third.stop()
    expect(place.refunds()).toBe(0)
  })
})
