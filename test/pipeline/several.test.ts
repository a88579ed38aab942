import { expect, it } from 'vitest'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { note } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { buttonOf, changeOf, openUnseenHarness as openHarness, refusalOf } from './harness.ts'

const open = () => openHarness({ tasks: false })

it('several are approved at once after each was listed with its sum and the total; each vote is for its own digest', async () => {
  const harness = await open()
  const [first, second, third] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
    await harness.ask(`refund ${harness.payment()} 65`),
  ]
  const read = await harness.say(`approval approve ${first.id} ${second.id} ${third.id}`, 'fay')
  if (read.kind !== 'answer') throw new Error(JSON.stringify(read))
  for (const { preview } of [first, second, third]) expect(textOf(read)).toContain(preview.title)
  expect(textOf(read)).toContain('In all: 195.')
  expect(harness.effects('refundPayment')).toEqual([])
  const [button] = read.view.actions?.filter(({ verb }) => verb === 'approve_all') ?? []

  // One of them changes after it was read: that vote is refused, and the others count.
  await harness.say(`approval change ${second.id} --amount 75`)
  const done = await harness.press('approve_all', button?.id ?? '', 'fay')
  expect(textOf(done)).toContain('Approved 2 of 3')
  expect(done).toMatchObject({ view: { tone: 'warn' } })
  expect(textOf(done)).toContain(`Not counted. ${second.id}: The request changed since you saw it.`)
  expect(textOf(done).match(/Not counted/g)).toHaveLength(1)
  expect(await harness.stored(first)).toMatchObject({ state: 'applied' })
  expect(await harness.stored(second)).toMatchObject({ state: 'pending', votes: [] })
  expect(refusalOf(await harness.press('approve_all', button?.id ?? '', 'finn')).code).toBe('answer_gone')
})

it('several are rejected with one reason, each by itself', async () => {
  const harness = await open()
  const [first, own] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`, 'fay'),
  ]
  await harness.say('approval list', 'fay')
  const done = await harness.say(`approval reject ${first.id},${own.id} --reason "not now"`, 'fay')
  expect(textOf(done)).toContain('Rejected 1 of 2')
  expect(textOf(done)).toContain('This is your own request.')
  expect(await harness.stored(first)).toMatchObject({ state: 'rejected' })
})

it('several are decided on together, and nothing else is done to several', async () => {
  const harness = await open()
  const both = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  const ids = both.map(({ id }) => id).join(',')
  expect(refusalOf(await harness.press('cancel', ids)).code).toBe('no_such_change')
  for (const one of both) expect(await harness.stored(one)).toMatchObject({ state: 'pending' })
})

it('the list has sections, and what is approved for later is among what is scheduled', async () => {
  const harness = await open()
  const later = await harness.ask(`refund ${harness.payment()} 120 --at "in 20m"`)
  await harness.click('approve', later, 'finn')
  await harness.ask(`refund ${harness.payment()} 60`)
  const list = textOf(await harness.say('approval list', 'fay'))
  expect(list.indexOf('Waiting for you: 1')).toBeGreaterThan(-1)
  expect(list.indexOf('Approved and scheduled: 1')).toBeGreaterThan(list.indexOf('Waiting for you: 1'))
  expect(textOf(await harness.say('approval list'))).toContain('Waiting for others: 1')
  expect(textOf(await harness.say('schedule find', 'fay'))).toContain(later.id)
  const mine = await harness.press('mine', 'mine', 'sam')
  expect(textOf(mine)).toContain('What you asked for')
  expect(textOf(mine)).toContain(later.id)
  expect(changeOf(await harness.say(`approval cancel ${later.id}`)).state).toBe('cancelled')
})

const reviewOf = async (harness: Awaited<ReturnType<typeof open>>, ids: string[], by = 'fay') => {
  const read = await harness.press('review', ids.join(','), by)
  if (read.kind !== 'answer') throw new Error(JSON.stringify(read))
  const button = (verb: string) => read.view.actions?.find((one) => one.verb === verb)?.id ?? ''
  return { read, button }
}

it('a list offers to mark what its reader may say yes to, and nothing else', async () => {
  const harness = await open()
  const [first, second] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  const own = await harness.ask(`refund ${harness.payment()} 80`, 'fay')
  const marksFor = async (person: string) => {
    const reply = await harness.say('approval list', person)
    return reply.kind === 'answer' ? (reply.view.marks ?? []).map(({ id }) => id.split('.')[0]).sort() : []
  }
  expect(await marksFor('fay')).toEqual([first.id, second.id].sort())
  expect(await marksFor('finn')).toEqual([first.id, second.id, own.id].sort())
  expect(await marksFor('sam')).toEqual([])
})

it('one that was marked is read before it is decided, as many are', async () => {
  const harness = await open()
  const only = await harness.ask(`refund ${harness.payment()} 60`)
  const { read, button } = await reviewOf(harness, [only.id])
  expect(textOf(read)).toContain(only.preview.title)
  expect(await harness.stored(only)).toMatchObject({ state: 'pending', votes: [] })
  await harness.press('approve_all', button('approve_all'), 'fay')
  expect(await harness.stored(only)).toMatchObject({ state: 'applied' })
  expect(refusalOf(await harness.press('review', '', 'fay')).message).toContain('Nothing is marked')
})

it('nobody reads of a request by its id alone what they may not see', async () => {
  const harness = await open()
  const only = await harness.ask(`refund ${harness.payment()} 60`)
  expect(refusalOf(await harness.press('review', only.id, 'kim')).code).toBe('no_such_change')
  expect((await harness.press('review', only.id, 'finn')).kind).toBe('answer')
})

it('every vote is stored, and whoever decided is told so, before any of them has an effect', async () => {
  const harness = await open()
  const both = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  const before: unknown[] = []
  await harness.handle({
    from: fromOf('fay'),
    intent: { kind: 'press', verb: 'approve', id: both.map(buttonOf).join(',') },
    stored: () => before.push(harness.effects('refundPayment').length),
  })
  expect(before).toEqual([0])
  expect(harness.effects('refundPayment')).toHaveLength(2)
})

it('what was read is rejected with a reason that is asked for, each by itself', async () => {
  const harness = await open()
  const [first, own] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`, 'fay'),
  ]
  const { button } = await reviewOf(harness, [first.id, own.id])
  const asked = await harness.press('reject_all', button('reject_all'), 'fay')
  expect(asked).toMatchObject({ kind: 'reason', verb: 'reject_all', title: 'Reject 2 changes' })
  expect(await harness.press('reject_all', button('reject_all'), 'fay', ' ')).toEqual(asked)
  expect(await harness.stored(first)).toMatchObject({ state: 'pending' })
  const done = await harness.press('reject_all', button('reject_all'), 'fay', 'not now')
  expect(textOf(done)).toContain('Rejected 1 of 2')
  expect(await harness.stored(first)).toMatchObject({ state: 'rejected' })
  expect(await harness.stored(own)).toMatchObject({ state: 'pending' })
})

it('a list that every messenger shows whole has no more in it; the others wait for the next one', async () => {
  const harness = await open()
  const all: string[] = []
  for (let at = 0; at < 25; at++) {
    all.push((await harness.ask(`refund ${harness.payment()} ${51 + at}`, at % 2 ? 'sam' : 'finn')).id)
  }
  const { read, button } = await reviewOf(harness, all)
  const listed = all.filter((id) => textOf(read).includes(id))
  expect(listed.length).toBeGreaterThan(4)
  expect(listed.length).toBeLessThan(25)
  expect(textOf(read)).toContain(`because this one is full: ${25 - listed.length}.`)
  for (const shown of [JSON.stringify(renderSlack(read.view)), JSON.stringify(renderDiscord(read.view))]) {
    for (const id of listed) expect(shown).toContain(id)
    expect(shown).not.toContain('left out')
  }
  const done = await harness.press('approve_all', button('approve_all'), 'fay')
  expect(textOf(done)).toContain(`${listed.length} votes given`)
  const others = all.filter((id) => !listed.includes(id))
  for (const id of others)
    expect(await harness.store.changes.get(id)).toMatchObject({ state: 'pending', votes: [] })
})

it('what names the digest of each is decided at once, and listed first where one of them has none', async () => {
  const harness = await open()
  const [first, second] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  const listed = await harness.press('approve', `${buttonOf(first)},${second.id}`, 'fay')
  expect(textOf(listed)).toContain('Decide on 2 changes?')
  const press = () =>
    harness.handle({
      delivery: 'both',
      from: fromOf('fay'),
      intent: { kind: 'press', verb: 'approve', id: `${buttonOf(first)},${buttonOf(second)}` },
    })
  const done = await press()
  expect(textOf(done)).toContain('Approved 2 of 2')
  expect(done).toMatchObject({ view: { tone: 'good' } })
  expect(await press()).toMatchObject({ kind: 'repeated' })
  expect(refusalOf(await harness.press('review', `${first.id},${second.id}`, 'fay')).message).toBe(
    'None of these is waiting for a decision.',
  )
})

it('every vote is stored, and said to be, before any of them has an effect', async () => {
  const done: string[] = []
  const harness = await openHarness({ tasks: false, onStep: (step) => done.push(step) })
  const both = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  done.length = 0
  await harness.handle({
    from: fromOf('fay'),
    intent: { kind: 'press', verb: 'approve', id: both.map(buttonOf).join(',') },
    stored: () => done.push('told'),
  })
  expect(done.slice(0, 3)).toEqual(['voted', 'voted', 'told'])
  expect(done.filter((step) => step === 'claimed')).toHaveLength(2)
})

it('of a delivery that was cut off, what was decided before counts, and the rest is decided', async () => {
  const harness = await open()
  const [first, second, third] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
    await harness.ask(`refund ${harness.payment()} 65`),
  ]
  const press = (...changes: (typeof first)[]) =>
    harness.handle({
      delivery: 'cut off',
      from: fromOf('fay'),
      intent: { kind: 'press', verb: 'approve', id: changes.map(buttonOf).join(',') },
    })
  await press(first, second)
  const done = textOf(await press(first, third))
  expect(done).toContain('Approved 2 of 2')
  expect(done).toContain(`${first.id}: decided before.`)
  expect(await harness.stored(third)).toMatchObject({ votes: [{ by: { person: 'fay' } }] })
})

it('what speaks for a request is left out of a list, and what speaks against it is not', async () => {
  const harness = await open()
  const one = await harness.ask(`refund ${harness.payment()} 60`)
  const notes = (['good', 'plain', 'warn', 'bad'] as const).map((tone) => note(tone, `It is ${tone}`))
  const preview = { ...one.preview, blocks: [...one.preview.blocks, ...notes] }
  await harness.store.changes.swap({ ...one, preview, version: one.version + 1 })
  const { read } = await reviewOf(harness, [one.id])
  const shown = textOf(read)
  for (const tone of ['warn', 'bad']) expect(shown).toContain(`It is ${tone}`)
  for (const tone of ['good', 'plain']) expect(shown).not.toContain(`It is ${tone}`)
})

it('without a reason nothing is rejected, and what was decided before is told so', async () => {
  const harness = await open()
  const [first, second] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  const reject = (reason?: string) =>
    harness.handle({
      delivery: 'twice',
      from: fromOf('fay'),
      intent: { kind: 'press', verb: 'reject', id: [first, second].map(buttonOf).join(','), reason },
    })
  expect(textOf(await reject())).toContain(`Not counted. ${first.id}: a reason is missing.`)
  expect(textOf(await reject('no'))).toContain('Rejected 2 of 2')
})

it('no more are decided at once than anybody reads', async () => {
  const harness = await open()
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `none${at}`).join(',')
  const codeOf = async (verb: 'review' | 'approve', count: number) =>
    refusalOf(await harness.press(verb, ids(count), 'fay')).code
  for (const verb of ['review', 'approve'] as const)
    expect([await codeOf(verb, 25), await codeOf(verb, 26)]).toEqual(['no_such_change', 'too_large'])
  // One that is marked twice is one.
  expect(refusalOf(await harness.press('review', `${ids(25)},none0,`, 'fay')).code).toBe('no_such_change')
})

it('a list tells the total in each currency, and what is not in it', async () => {
  const harness = await open()
  const one = await harness.ask(`refund ${harness.payment()} 60`)
  const insert = async (id: string, over: Partial<typeof one>) => {
    await harness.store.changes.insert({ ...one, id, version: 1, ...over })
    return id
  }
  const totalOf = async (...ids: string[]) => {
    const { read } = await reviewOf(harness, ids)
    const notes = read.view.blocks.flatMap((block) => (block.kind === 'note' ? plainWords(block.text) : []))
    return notes
  }
  const eur = await insert('eur', { amount: 50.1, currency: 'EUR' })
  const more = await insert('more', { amount: 60.8, currency: 'EUR' })
  const last = await insert('last', { amount: 0.1, currency: 'EUR' })
  const unknown = await insert('unknown', { amount: null })
  // They were asked for in the same moment, so either may be the first.
  expect(await totalOf(one.id, eur, more)).toEqual([
    expect.stringMatching(/^In all: (60, 110\.90 EUR|110\.90 EUR, 60)\.$/),
  ])
  expect(await totalOf(eur, more, last)).toEqual(['In all: 111 EUR.'])
  expect(await totalOf(one.id, unknown)).toEqual(['In all: 60, 1 without a known sum.'])
  expect(await totalOf(unknown)).toEqual(['In all: 1 without a known sum.'])
  expect(await totalOf(one.id, 'nothing')).toEqual(['In all: 60.', 'Not waiting, or not known here: 1.'])

  // What no messenger shows whole is for its card.
  const sentenceOf = async (id: string) => {
    const { read } = await reviewOf(harness, [id])
    const [items] = read.view.blocks.flatMap((block) => (block.kind === 'list' ? [block.items] : []))
    return plainWords(items?.[0] ?? '')
  }
  // The sum stands behind a title that does not say it.
  expect(await sentenceOf(eur)).toContain(`${one.preview.title} (50.10 EUR), asked by`)
  for (const id of [one.id, unknown]) expect(await sentenceOf(id)).toContain(`${one.preview.title}, asked by`)

  const named = (id: string, length: number) =>
    insert(id, { requester: { ...one.requester, name: 'x'.repeat(length) } })
  const rest = (await sentenceOf(await named('s000', 9))).length - 9
  await named('s450', 450 - rest)
  await named('s451', 451 - rest)
  expect(await sentenceOf('s450')).toHaveLength(450)
  expect(refusalOf(await harness.press('review', 's451', 'fay'))).toMatchObject({
    code: 'too_large',
    message: 'Too long for a list, to be decided on by card: 1.',
  })
  const quarters = ['q001', 'q002', 'q003', 'q004']
  for (const id of quarters) await named(id, 375 - rest)
  expect(await totalOf(...quarters)).toEqual(['In all: 240.'])
  await named('q005', 375 - rest)
  await named('q006', 376 - rest)
  const full = 'Left for the next list, because this one is full: 1.'
  expect(await totalOf(...quarters, 'q005')).toContain(full)
  expect(await totalOf('q001', 'q002', 'q003', 'q006')).toContain(full)
})
