import { expect, it } from 'vitest'
import { transition } from '../../../src/kernel/change/transition.ts'
import type { Inbound, Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { buttonIdOf, editionOf, readButton, shownIn } from '../../../src/kernel/model/shown.ts'
import { ok } from '../../../src/lib/result.ts'
import { actionsIn } from '../../../src/lib/view/view.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { eachEngine } from '../../harness/database.ts'
import { changeOf, openHarness } from '../harness.ts'
import { policy } from '../policy.ts'

type Verb = 'approve' | 'reject' | 'confirm' | 'happened' | 'did_not' | 'cancel' | 'mark_reviewed'
type Told = Inbound['intent']

const lineOf: Record<Verb, (id: string) => string> = {
  approve: (id) => `approval approve ${id}`,
  confirm: (id) => `approval approve ${id}`,
  reject: (id) => `approval reject ${id} --reason because`,
  happened: (id) => `approval resolve ${id} --outcome happened --reason because`,
  did_not: (id) => `approval resolve ${id} --outcome did_not --reason because`,
  cancel: (id) => `approval cancel ${id}`,
  mark_reviewed: (id) => `approval review ${id} --reason because`,
}
const fieldsOf: Record<Verb, (id: string) => { command: string; values: Record<string, string> }> = {
  approve: (id) => ({ command: 'approval approve', values: { id } }),
  confirm: (id) => ({ command: 'approval approve', values: { id } }),
  reject: (id) => ({ command: 'approval reject', values: { id, reason: 'because' } }),
  happened: (id) => ({
    command: 'approval resolve',
    values: { id, outcome: 'happened', reason: 'because' },
  }),
  did_not: (id) => ({ command: 'approval resolve', values: { id, outcome: 'did_not', reason: 'because' } }),
  cancel: (id) => ({ command: 'approval cancel', values: { id } }),
  mark_reviewed: (id) => ({ command: 'approval review', values: { id, reason: 'because' } }),
}

/** Every way in by which somebody decides, given what they were shown of it. */
const doors: Record<string, (verb: Verb, shown: Change) => Told> = {
  'the button of the card': (verb, shown) => press(verb, buttonIdOf(shown)),
  'the button of a list': (verb, shown) => press(verb, `${buttonIdOf(shown)}.list1-2`),
  'a button of ten digits, as older versions drew it': (verb, { id, digest }) =>
    press(verb, `${id}.${digest.slice(0, 10)}`),
  'a button with a digest alone': (verb, { id, digest }) => press(verb, `${id}.${digest}`),
  'the api of a messenger': (verb, { id }) => press(verb, id),
  'a typed line': (verb, { id }) => ({ kind: 'line', line: lineOf[verb](id) }),
  'a slash command': (verb, { id }) => ({ kind: 'options', ...fieldsOf[verb](id) }),
  'a form': (verb, { id }) => ({ kind: 'form', ...fieldsOf[verb](id) }),
}
const press = (verb: Verb, id: string): Told => ({ kind: 'press', verb, id, reason: 'because' })

const names = Object.keys(doors)
const verbs: Verb[] = ['approve', 'reject', 'confirm', 'happened', 'did_not', 'cancel', 'mark_reviewed']

/** What is so when somebody decides by this verb; an approved change that is held is cancelled by somebody else. */
const standing: Partial<Record<Verb, () => Partial<Change>>> = {
  happened: () => ({ state: 'unknown' }),
  did_not: () => ({ state: 'unknown' }),
  cancel: () => ({ state: 'approved', holdUntil: Date.now() + 3_600_000 }),
  mark_reviewed: () => ({ state: 'applied', emergency: { why: 'Nobody is there.', usedAt: 1 } }),
}

eachEngine('a decision', (engine) => {
  const open = async () => {
    const harness = await openHarness({ engine, policy, tasks: false })
    const slack = createFakeMessenger('slack')
    harness.app.join(slack)
    const by = (person: string, intent: Told): Promise<Reply> =>
      harness.handle({ from: fromOf(`U0${person.toUpperCase()}`, 'slack'), intent })
    const say = (person: string, line: string) => by(person, { kind: 'line', line })
    /** A change that waits for this verb, what becomes of it after it was shown, and who decides. */
    const begin = async (verb: Verb) => {
      const decider = verb === 'confirm' ? 'sam' : 'fay'
      const { id } = changeOf(await say('sam', `refund ${harness.payment()} ${verb === 'confirm' ? 20 : 60}`))
      const isResolving = verb === 'happened' || verb === 'did_not'
      const put = async (over: (stored: Change) => Partial<Change>) => {
        const stored = await harness.stored({ id })
        await harness.store.changes.swap({ ...stored, ...over(stored), version: stored.version + 1 })
      }
      const stands = standing[verb]
      if (stands !== undefined) await put(stands)
      await say(decider, `approval get ${id}`)
      const shown = await harness.stored({ id })
      const change = async () => {
        // As a vote that came too late, or an outcome that was learned, would leave it.
        if (stands !== undefined && !isResolving) {
          await put((stored) => ({ edition: editionOf(stored) + 1, digest: 'f'.repeat(64) }))
          return
        }
        if (!isResolving) {
          const author = verb === 'confirm' ? 'fay' : 'sam'
          changeOf(await say(author, `approval change ${id} --amount ${verb === 'confirm' ? 21 : 61}`))
          return
        }
        const outcome = { at: Date.now(), message: 'It was refunded.', warning: null, view: null }
        const done = await transition(harness.app.core, id, async () =>
          ok({ kind: 'late', learned: 'applied', outcome }),
        )
        expect(done.ok).toBe(true)
      }
      return { id, shown, decider, change }
    }
    return { harness, by, say, begin }
  }

  it.each(verbs.flatMap((verb) => names.map((door) => [verb, door] as const)))(
    '%s, by %s, counts for nothing once it is for something else, and shows what is true',
    async (verb, door) => {
      const { harness, by, begin } = await open()
      const { id, shown, decider, change } = await begin(verb)
      await change()
      const before = await harness.stored({ id })
      expect(editionOf(before)).toBe(editionOf(shown) + 1)
      const told = doors[door]?.(verb, shown) as Told
      const reply = await by(decider, told)
      if (reply.kind !== 'refused') throw new Error(`it counted: ${reply.kind}`)
      expect(reply.refusal.code).toBe('changed_since')
      expect(await harness.stored({ id })).toEqual(before)
      expect(harness.effects()).toEqual([])
      // It says why, and shows the card as it is now, whose button counts.
      expect(textOf(reply)).toContain('Nothing was counted.')
      const button = actionsIn(reply.view).find((one) => one.verb === verb)?.id ?? ''
      expect(button).toBe(buttonIdOf(before))
      const after = changeOf(await by(decider, press(verb, button)))
      expect(after.version).toBeGreaterThan(before.version)
      for (const vote of after.votes) expect(vote.shown).toEqual(shownIn(before))
    },
  )

  it.each(
    verbs.flatMap((verb) => ['the api of a messenger', 'a typed line', 'a form'].map((door) => [verb, door])),
  )('%s, by %s, counts for what was shown last', async (verb, door) => {
    const { harness, by, say, begin } = await open()
    const { id, shown, decider, change } = await begin(verb as Verb)
    await change()
    await say(decider, `approval get ${id}`)
    const before = await harness.stored({ id })
    const after = changeOf(await by(decider, doors[door as string]?.(verb as Verb, shown) as Told))
    expect(after.version).toBeGreaterThan(before.version)
  })

  it('of somebody who was shown nothing shows the card first, once', async () => {
    const { harness, say } = await open()
    const { id } = changeOf(await say('sam', `refund ${harness.payment()} 60`))
    const reply = await say('finn', `approval approve ${id}`)
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'not_shown' } })
    expect(textOf(reply)).toContain('Refund 60')
    expect(changeOf(await say('finn', `approval approve ${id}`)).state).toBe('applied')
  })

  it('is for the card that was posted where its author looks, as long as that is all there ever was', async () => {
    const { harness, say } = await open()
    const { id } = changeOf(await say('sam', `refund ${harness.payment()} 60`))
    await harness.store.cards.add({ changeId: id, platform: 'slack', address: 'slack-1', place: 'mirror' })
    await say('sam', `approval change ${id} --amount 61`)
    // The copy is edited, and nobody is told of an edit.
    await harness.store.cards.shown(id, 'slack', 'slack-1', (await harness.stored({ id })).version)
    expect(await say('finn', `approval approve ${id}`)).toMatchObject({ kind: 'refused' })
    const other = changeOf(await say('sam', `refund ${harness.payment()} 60`))
    await harness.store.cards.add({
      changeId: other.id,
      platform: 'slack',
      address: 'slack-2',
      place: 'mirror',
    })
    expect(changeOf(await say('finn', `approval approve ${other.id}`)).state).toBe('applied')
  })

  it('of whoever asked is for the answer that they had, before any card is posted, unless a program waits for it there', async () => {
    const { harness, say } = await open()
    const ask = async () => changeOf(await say('sam', `refund ${harness.payment()} 20`))
    const confirmed = (id: string) => say('sam', `approval approve ${id}`)
    expect(changeOf(await confirmed((await ask()).id)).state).toBe('applied')
    const asked = await harness.stored(await ask())
    const origin = { ...asked.origin, waits: true as const }
    await harness.store.changes.swap({ ...asked, origin, version: asked.version + 1 })
    expect(await confirmed(asked.id)).toMatchObject({ refusal: { code: 'not_shown' } })
  })

  it('is for no card that others alone were shown', async () => {
    const { harness, say } = await open()
    for (const place of ['direct:fay', 'aside', 'reminder:1:direct:fay']) {
      const { id } = changeOf(await say('sam', `refund ${harness.payment()} 60`))
      await harness.store.cards.add({ changeId: id, platform: 'slack', address: `slack-${place}`, place })
      expect(await say('finn', `approval approve ${id}`)).toMatchObject({ refusal: { code: 'not_shown' } })
    }
  })

  it('on all of a list is for what the list showed', async () => {
    const { harness, by, say } = await open()
    const ask = async () => changeOf(await say('sam', `refund ${harness.payment()} 60`))
    const [first, second] = [await ask(), await ask()]
    const read = await say('fay', `approval approve ${first.id} ${second.id}`)
    if (read.kind !== 'answer') throw new Error(read.kind)
    await say('sam', `approval change ${second.id} --amount 61`)
    const all = actionsIn(read.view).find(({ verb }) => verb === 'approve_all')?.id ?? ''
    const done = await by('fay', { kind: 'press', verb: 'approve_all', id: all })
    expect(textOf(done)).toContain('Approved 1 of 2')
    expect(await harness.stored(second)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('of a requester who takes back what is theirs needs no showing; by the button of an older card it does', async () => {
    const { harness, by, say } = await open()
    const asked = changeOf(await say('sam', `refund ${harness.payment()} 60`))
    await say('fay', `approval change ${asked.id} --amount 61`)
    const older = await by('sam', { kind: 'press', verb: 'cancel', id: buttonIdOf(asked) })
    expect(older).toMatchObject({ kind: 'refused', refusal: { code: 'changed_since' } })
    expect(changeOf(await say('sam', `approval cancel ${asked.id}`)).state).toBe('cancelled')
  })

  it('is remembered by what was shown last: the newest takes the place of the one before, and old ones go', async () => {
    const { store } = (await open()).harness
    const [one, two] = [1, 2].map((edition) => shownIn({ edition, digest: 'ab'.repeat(32) }))
    if (one === undefined || two === undefined) throw new Error('none')
    await store.shown.put(
      'fay',
      new Map([
        ['c1', one],
        ['c2', one],
      ]),
    )
    await store.shown.put('fay', new Map([['c1', two]]))
    expect(await store.shown.last('fay', 'c1')).toEqual(two)
    expect(await store.shown.last('fay', 'c2')).toEqual(one)
    expect(await store.shown.last('finn', 'c1')).toBeUndefined()
    expect(await store.shown.prune(Date.now() - 60_000)).toBe(0)
    expect(await store.shown.prune(Date.now() + 60_000)).toBe(2)
    expect(await store.shown.last('fay', 'c1')).toBeUndefined()
  })
})

it('a button carries 128 bits of the digest and the number of the edition, and fits every messenger', () => {
  const digest = '0123456789abcdef'.repeat(4)
  const change = { id: 'x'.repeat(16), digest, edition: 1_000 }
  const { shown } = readButton(buttonIdOf(change))
  expect(shown?.digest).toMatch(/^[0-9a-f]{32}$/)
  expect(shown).toEqual({ edition: 1_000, digest: digest.slice(0, 32) })
  expect(`bh:why.mark_reviewed:${buttonIdOf(change)}.list100-10`.length).toBeLessThanOrEqual(100)
})

it('whatever differs in it is another button: no shorter digest and no other edition is taken for it', () => {
  const change = { id: 'c1', digest: 'ab'.repeat(32), edition: 3 }
  const button = buttonIdOf(change)
  for (let length = 1; length < 32; length++)
    expect(readButton(`c1.${change.digest.slice(0, length)}.3`).shown).not.toEqual(shownIn(change))
  for (const other of [
    { ...change, edition: 2 },
    { ...change, edition: 4 },
    { ...change, digest: `${'ab'.repeat(15)}ac${'ab'.repeat(16)}` },
  ])
    expect(buttonIdOf(other)).not.toBe(button)
  for (const made of [
    'c1.',
    'c1..',
    `c1.${change.digest}.0`,
    `c1.${change.digest}.-1`,
    `c1.${change.digest}.x`,
  ])
    expect(readButton(made)).toMatchObject({ id: 'c1', names: true })
  expect(readButton(`c1.${change.digest}.x`).shown).toBeUndefined()
})
