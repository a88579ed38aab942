import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { adoptCard } from '../../src/kernel/cards/adopt-card.ts'
import { type PublisherCore, retryAt, showCards, viewFor } from '../../src/kernel/cards/card-publisher.ts'
import { noteClosed, tryClosed } from '../../src/kernel/cards/closed-channels.ts'
import { notifyRequester } from '../../src/kernel/cards/outcome-publisher.ts'
import { showReminder } from '../../src/kernel/cards/reminder-publisher.ts'
import type { MessengerError } from '../../src/kernel/messenger/messenger.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import type { Policy } from '../../src/kernel/policy/policy.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { defaultTimings } from '../../src/kernel/timings.ts'
import { createLog } from '../../src/lib/log.ts'
import { DatabaseError } from '../../src/lib/sql/database.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { openTestDatabase } from '../harness/database.ts'
import { withoutNotes } from '../harness/without-notes.ts'
import { broken, createFakeMessenger, type FakeMessenger, gone, later } from './fake-messenger.ts'
import { changeIn, outcome, party } from './sample.ts'

withoutNotes()

let slack: FakeMessenger
let discord: FakeMessenger
let core: PublisherCore

beforeEach(async () => {
  const { db, close } = await openTestDatabase('sqlite')
  onTestFinished(close)
  slack = createFakeMessenger('slack')
  discord = createFakeMessenger('discord')
  core = {
    store: createStore(db, { now: () => 2_000 }),
    messengers: new Map([
      ['slack', slack],
      ['discord', discord],
    ]),
    policy: {
      approvals: [
        { platform: 'slack', channel: 'C-approvals' },
        { platform: 'discord', channel: 'D-approvals' },
      ],
      people: [],
      agents: [],
      groups: {},
      roles: {},
      administrators: [],
      everyone: { run: [] },
    } as unknown as Policy,
    log: createLog('silent'),
    now: () => 2_000,
    timings: defaultTimings,
    process: 'test',
    wake: () => undefined,
    takesOwn: () => false,
    begin: () => undefined,
    count: () => undefined,
    newest: {},
  }
})

const next = (change: Change, over: Partial<Change>): Change => ({
  ...change,
  version: change.version + 1,
  ...over,
})
const confirm = { clauses: [{ kind: 'confirm' as const }] }
const done = { state: 'applied' as const, outcome: outcome('All done') }

describe('a change that needs people', () => {
  it('is posted once where it was asked for and once in each approvals channel', async () => {
    const change = changeIn('pending')
    await showCards(core, change)
    await showCards(core, change)
    expect(slack.messages.size + discord.messages.size).toBe(3)
    for (const text of [
      ...slack.shown('C1'),
      ...slack.shown('C-approvals'),
      ...discord.shown('D-approvals'),
    ]) {
      expect(text).toContain('Needs 1 approval from finance')
    }
  })

  it('is drawn once for all copies that look the same', async () => {
    const change = changeIn('pending')
    const views: unknown[] = []
    const seeing = (messenger: FakeMessenger): FakeMessenger => ({
      ...messenger,
      post: async (place, view, file) => {
        views.push(view)
        return messenger.post(place, view, file)
      },
    })
    core = {
      ...core,
      messengers: new Map([
        ['slack', seeing(slack)],
        ['discord', seeing(discord)],
      ]),
    }
    await showCards(core, change)
    expect(views.length).toBe(3)
    expect(new Set(views).size).toBe(1)
  })

  it('is posted once when it was asked for in the approvals channel itself', async () => {
    const origin = { platform: 'slack' as const, channel: 'C-approvals', handle: null, direct: false }
    await showCards(core, changeIn('pending', { origin }))
    expect([slack.messages.size, discord.messages.size]).toEqual([1, 1])
  })

  it('shows the end even if an older edit of a slower process arrives after it', async () => {
    const change = changeIn('pending')
    await core.store.changes.insert(change)
    await showCards(core, change)
    const held = Promise.withResolvers<void>()
    const slow = {
      ...slack,
      edit: async (...given: Parameters<typeof slack.edit>) => held.promise.then(() => slack.edit(...given)),
    }
    const voted = next(change, {})
    const late = showCards({ ...core, messengers: new Map([['slack', slow]]) }, voted)
    await core.store.changes.swap(voted)
    const ended = next(voted, done)
    await core.store.changes.swap(ended)
    await showCards(core, ended)
    held.resolve()
    await late
    for (const { versions } of slack.messages.values()) {
      expect(
        versions
          .at(-1)
          ?.actions?.filter(({ isMore }) => !isMore)
          .map(({ verb }) => verb),
      ).toEqual(['receipt'])
    }
  })

  it('is edited once where another process has forgotten the copy meanwhile', async () => {
    const change = changeIn('pending')
    await core.store.changes.insert(change)
    await showCards(core, change)
    const voted = next(change, {})
    await core.store.changes.swap(voted)
    let edits = 0
    const forgetting = {
      ...slack,
      edit: async (address: string) => {
        edits += 1
        // Were it edited again and again, this would end it.
        if (edits > 2) throw gone()
        await core.store.cards.remove(change.id, 'slack', address)
      },
    }
    await showCards({ ...core, messengers: new Map([['slack', forgetting]]) }, voted)
    expect(edits).toBe(2)
  })

  const reminded = { reminder: { n: 1, why: 'It waits.' } }
  it.each([
    ['a card', {}, showCards],
    ['a reminder', reminded, showReminder],
  ] as const)('%s that is posted while it ends is looked at once more', async (_, over, show) => {
    const change = changeIn('pending', over)
    await core.store.changes.insert(change)
    const held = Promise.withResolvers<void>()
    const slow = {
      ...slack,
      post: async (...given: Parameters<typeof slack.post>) => held.promise.then(() => slack.post(...given)),
    }
    const late = show({ ...core, messengers: new Map([['slack', slow]]) }, change)
    const ended = next(change, done)
    await core.store.changes.swap(ended)
    await showCards({ ...core, messengers: new Map() }, ended)
    expect(await core.store.tasks.pending()).toEqual({})
    held.resolve()
    await late
    expect((await core.store.cards.of(change.id)).map(({ version }) => version)).toContain(change.version)
    expect(await core.store.tasks.pending()).toEqual({ cards: 1 })
  })

  it('shows every state on every copy, and in the end only the receipt can be asked for', async () => {
    const change = changeIn('pending')
    await showCards(core, change)
    await showCards(core, next(change, done))
    for (const { versions } of [...slack.messages.values(), ...discord.messages.values()]) {
      expect(
        versions.map(({ actions }) => actions?.filter(({ isMore }) => !isMore).map(({ verb }) => verb)),
      ).toEqual([['approve', 'reject'], ['receipt']])
      expect(JSON.stringify(versions.at(-1))).toContain('All done')
    }
  })

  it('edits a copy once for each version', async () => {
    const change = changeIn('pending')
    await showCards(core, change)
    const ended = next(change, done)
    await showCards(core, ended)
    await showCards(core, ended)
    expect([...slack.messages.values()].map(({ versions }) => versions.length)).toEqual([2, 2])
  })

  it('is seen by everybody in the channel', async () => {
    await showCards(core, changeIn('pending'))
    expect([...slack.messages.values()].map(({ place }) => place?.onlyFor)).toEqual([null, null])
  })
})

describe('a change that its requester confirms', () => {
  it('is for the requester alone until it is done, and then told in the channel', async () => {
    const change = changeIn('pending', confirm)
    await showCards(core, change)
    expect([...slack.messages.values()].map(({ place }) => place?.onlyFor)).toEqual(['U-ann'])
    await showCards(core, next(change, done))
    expect([...slack.messages.values()].map(({ place }) => place?.onlyFor)).toEqual(['U-ann', null])
    expect(slack.shown('C1')[1]).toContain('All done')
    expect(discord.messages.size).toBe(0)
  })

  it('is not repeated in a conversation with the bot alone', async () => {
    const origin = { platform: 'slack' as const, channel: 'D1', handle: null, direct: true }
    const change = changeIn('pending', { ...confirm, origin })
    await showCards(core, change)
    await showCards(core, next(change, done))
    expect(slack.messages.size).toBe(1)
  })

  it('that was cancelled is nobody else’s business', async () => {
    const change = changeIn('pending', confirm)
    await showCards(core, change)
    await showCards(core, next(change, { state: 'cancelled' }))
    expect(slack.messages.size).toBe(1)
  })

  it('and whose outcome is unknown goes to the approvals channels, where people can tell', async () => {
    const change = changeIn('pending', confirm)
    await showCards(core, change)
    await showCards(core, next(change, { state: 'unknown' }))
    expect(slack.shown('C-approvals')[0]).toContain('Nobody knows whether this happened.')
    expect(discord.shown('D-approvals')[0]).toContain('Nobody knows whether this happened.')
  })

  it('is shown aside at its end when its private message has timed out', async () => {
    const change = changeIn('pending', confirm)
    await showCards(core, change)
    slack.fail({ call: 'edit', error: gone() })
    const ended = next(change, { state: 'failed', outcome: outcome('Refused.') })
    await showCards(core, ended)
    await showCards(core, ended)
    expect(slack.shown('U-ann')).toEqual([expect.stringContaining('Refused.')])
  })
})

describe('a copy offers what its reader may press', () => {
  const others = ['happened', 'did_not', 'tell'] as const
  const offeredIn = async (place: string, change: Change) => {
    const { actions = [] } = await viewFor(core, change, place)
    return others.filter((verb) => actions.some((one) => one.verb === verb))
  }
  const settling = ['happened', 'did_not']
  it.each<[string, string[], boolean]>([
    ['aside', [], false],
    ['origin', [], true],
    ['origin', settling, false],
    ['public', settling, true],
    ['mirror', settling, false],
    ['direct:p2', settling, false],
    ['adopted', settling, true],
  ])('%s shows %j where nobody knows what happened (confirmed by its requester: %s)', async (...row) => {
    const [place, expected, isConfirmed] = row
    const change = changeIn('unknown', isConfirmed ? confirm : {})
    expect(await offeredIn(place, change)).toEqual(expected)
  })

  it.each<[string, boolean, boolean]>([
    ['aside', false, false],
    ['aside', true, true],
    ['origin', false, false],
    ['origin', true, true],
    ['public', false, true],
    ['mirror', false, true],
  ])('%s, by a requester who may write to whom it was for: %s, offers that: %s', async (...row) => {
    const [place, mayWrite, isOffered] = row
    core.policy = { ...core.policy, everyone: { run: mayWrite ? ['message media'] : [] } }
    const tell = { command: 'message media', to: '4915112345678' }
    const change = changeIn('applied', { ...confirm, tell, outcome: outcome('All done') })
    expect(await offeredIn(place, change)).toEqual(isOffered ? ['tell'] : [])
  })
})

it.each([
  ['aside', true],
  ['origin', true],
  ['public', false],
  ['mirror', false],
  ['direct:p2', false],
])('%s speaks to the requester who confirms it: %s', async (place, isTheirs) => {
  const words = textOfView(await viewFor(core, changeIn('pending', confirm), place))
  expect(words.includes('Yours to confirm')).toBe(isTheirs)
})

it.each<[string, 'others' | 'its requester', string[]]>([
  ['origin', 'others', ['Fay']],
  ['mirror', 'others', ['Fay']],
  ['reminder:1:C1', 'others', ['Fay']],
  ['aside', 'others', []],
  ['direct:fay', 'others', []],
  ['reminder:1:direct:fay', 'others', []],
  ['origin', 'its requester', []],
])('%s, where %s may say yes, mentions %j', async (place, by, names) => {
  core.policy = {
    ...core.policy,
    people: [{ id: 'fay', name: 'Fay', roles: ['finance'], accounts: { slack: 'U-fay' } }],
    roles: { finance: { run: [], approve: ['*'], delegate: false } },
  } as never
  const { mentions = [] } = await viewFor(core, changeIn('pending', by === 'others' ? {} : confirm), place)
  expect(mentions.map(({ name }) => name)).toEqual(names)
})

describe('a copy that was pressed', () => {
  const actor = { person: 'ann', name: 'Ann', platform: 'slack', account: 'U-ann', groups: [], roles: [] }
  const pressed = async (
    stored: { known?: number; knownIn?: string; isStored?: boolean },
    {
      on = 'slack-7',
      platform = 'slack',
      isBeingShown = false,
      button = buttonIdOf(changeIn('pending')),
    } = {},
  ) => {
    const { known, knownIn = 'slack', isStored = true } = stored
    const change = changeIn('pending')
    if (isStored) await core.store.changes.insert(change)
    if (known !== undefined)
      await core.store.cards.add({
        changeId: change.id,
        platform: knownIn,
        address: 'slack-7',
        place: 'origin',
        version: known,
      })
    let woken = 0
    const edits: string[] = []
    const seeing: FakeMessenger = {
      ...slack,
      isSame: (one, other) => one.split('#')[0] === other.split('#')[0],
      edit: async (address, view) => void edits.push(`${address} ${view.title}`),
    }
    await adoptCard(
      { ...core, messengers: new Map([['slack', seeing]]), wake: () => void woken++ } as never,
      actor as never,
      button,
      { pressedOn: on === '' ? undefined : on, from: { ...actor, platform } } as never,
      isBeingShown,
    )
    const adopted = (await core.store.cards.of('c1')).filter(({ place }) => place === 'adopted').length
    const tasks = (await core.store.tasks.take({ limit: 9, leaseMs: 1, owner: 'test' })).length
    return { adopted, tasks, woken, edits }
  }
  const nothing = { adopted: 0, tasks: 0, woken: 0, edits: [] }
  const version = changeIn('pending').version
  it.each<[string, Parameters<typeof pressed>, Partial<typeof nothing>]>([
    ['and is new is adopted and drawn', [{}], { adopted: 1, tasks: 1, woken: 1 }],
    [
      'and is new is adopted, also by a step of the change',
      [{}, { isBeingShown: true }],
      { adopted: 1, tasks: 1, woken: 1 },
    ],
    ['and shows the newest version stays as it is', [{ known: version }], {}],
    ['and shows an older version is drawn again', [{ known: version - 1 }], { tasks: 1, woken: 1 }],
    [
      'and was drawn by an older version of the bot is drawn again',
      [{ known: version }, { button: 'c1.0123456789' }],
      { edits: [expect.stringContaining('slack-7 Refund 20')] } as never,
    ],
    ['is known by what its messenger calls the same', [{ known: version }, { on: 'slack-7#2' }], {}],
    [
      'and follows from the step that the press was is left to it',
      [{ known: 0 }, { isBeingShown: true }],
      {},
    ],
    [
      'is another one than that of another messenger with the same address',
      [{ known: version, knownIn: 'discord' }],
      { adopted: 1, tasks: 1, woken: 1 },
    ],
    ['without saying where is left alone', [{}, { on: '' }], {}],
    ['in a messenger that is not joined is left alone', [{}, { platform: 'discord' }], {}],
    [
      'and is of nothing that is stored says so',
      [{ isStored: false }],
      { edits: ['slack-7 This request is not known here'] } as never,
    ],
  ])('%s', async (_, given, expected) => {
    expect(await pressed(...given)).toEqual({ ...nothing, ...expected })
  })
})

describe('when a place or a platform fails', () => {
  it('a place that is gone is told aside, and not tried again', async () => {
    slack.fail({ call: 'post', at: 'C1', error: gone() })
    const change = changeIn('pending')
    await showCards(core, change)
    await showCards(core, change)
    expect(slack.shown('C1')).toEqual([])
    expect(slack.shown('U-ann')).toHaveLength(1)
    expect(slack.shown('C-approvals')).toHaveLength(1)
    await showCards(core, next(change, done))
    expect(slack.shown('U-ann')).toEqual([expect.stringContaining('All done')])
  })

  it('a place that is gone is told aside once, also where nobody could note that it is', async () => {
    slack.fail({ call: 'post', at: 'C1', error: gone() })
    const { refuse } = core.store.cards
    const failed = new DatabaseError('failed', 'no room')
    core.store.cards.refuse = async () => {
      core.store.cards.refuse = refuse
      throw failed
    }
    await expect(showCards(core, changeIn('pending'))).rejects.toBe(failed)
    await showCards(core, changeIn('pending'))
    expect(slack.shown('U-ann')).toHaveLength(1)
  })

  it('a place that is gone and where nobody decides leaves the change as it is', async () => {
    slack.fail({ call: 'post', at: 'C1', error: gone() })
    const change = changeIn('pending')
    await core.store.changes.insert(change)
    await showCards(core, change)
    expect(await core.store.changes.get(change.id)).toEqual(change)
  })

  it('somebody whom no messenger reaches is on the card with what the last one said', async () => {
    const accounts = { slack: 'U-fay', discord: 'D-fay' }
    core.policy = {
      ...core.policy,
      people: [{ id: 'fay', name: 'Fay', roles: ['finance'], accounts }],
      roles: { finance: { run: [], approve: ['*'], delegate: false } },
    } as never
    slack.fail({ call: 'direct', at: 'U-fay', error: gone() })
    discord.fail({ call: 'direct', at: 'D-fay', error: broken() })
    const change = changeIn('pending', { notify: 'direct' })
    await core.store.changes.insert(change)
    await showCards(core, change)
    expect((await core.store.changes.get(change.id))?.reach?.refusals).toEqual([
      { platform: 'slack', place: 'direct:fay', to: 'Fay', why: broken().words },
    ])
  })

  it('a card that its platform does not take is tried elsewhere once, and then left alone', async () => {
    slack.fail({ call: 'post', at: 'C1', error: broken(), times: 1 })
    slack.fail({ call: 'direct', error: broken(), times: 1 })
    const change = changeIn('pending')
    await showCards(core, change)
    await showCards(core, change)
    expect([slack.shown('C1'), slack.shown('U-ann')]).toEqual([[], []])
    expect([slack.shown('C-approvals').length, discord.messages.size]).toEqual([1, 1])
  })

  it('a place that refuses the card is left alone; an approvals channel is on the card until it takes it', async () => {
    slack.fail({ call: 'post', at: 'C1', error: broken(), times: 1 })
    slack.fail({ call: 'post', at: 'C-approvals', error: gone(), times: 2 })
    const change = changeIn('pending')
    await core.store.changes.insert(change)
    const now = async () => (await core.store.changes.get(change.id)) as Change
    await showCards(core, change)
    await showCards(core, await now())
    expect([slack.shown('C1'), slack.shown('C-approvals')]).toEqual([[], []])
    expect(slack.shown('U-ann')).toEqual([expect.stringContaining('the place is closed')])
    expect(discord.shown('D-approvals')).toEqual([expect.stringContaining('the place is closed')])
    await showCards(core, await now(), { again: 'slack' })
    await showCards(core, await now(), { again: 'slack' })
    await showCards(core, await now())
    expect(slack.shown('C1')).toEqual([])
    for (const text of [...slack.shown('U-ann'), ...slack.shown('C-approvals')]) {
      expect(text).not.toContain('closed')
    }
    expect(slack.shown('C-approvals')).toHaveLength(1)
  })

  it('a place that is gone is told aside later, when the platform is down at first', async () => {
    slack.fail({ call: 'post', at: 'C1', error: gone() })
    slack.fail({ call: 'direct', error: later(), times: 1 })
    const change = changeIn('pending')
    await expect(showCards(core, change)).rejects.toMatchObject({ kind: 'later' })
    await showCards(core, change)
    await showCards(core, change)
    expect(slack.shown('U-ann')).toHaveLength(1)
  })

  it('a platform that is down does not stop the other one, and is caught up with later', async () => {
    slack.fail({ call: 'post', error: later(), times: 2 })
    const change = changeIn('pending')
    await expect(showCards(core, change)).rejects.toMatchObject({ kind: 'later' })
    expect([slack.messages.size, discord.messages.size]).toEqual([0, 1])
    await showCards(core, change)
    expect([slack.messages.size, discord.messages.size]).toEqual([2, 1])
  })

  it('a copy that could not be edited is edited later', async () => {
    const change = changeIn('pending')
    await showCards(core, change)
    discord.fail({ call: 'edit', error: later(), times: 1 })
    const ended = next(change, done)
    await expect(showCards(core, ended)).rejects.toMatchObject({ kind: 'later' })
    expect(discord.shown('D-approvals')[0]).not.toContain('All done')
    await showCards(core, ended)
    expect(discord.shown('D-approvals')[0]).toContain('All done')
    expect([...slack.messages.values()].map(({ versions }) => versions.length)).toEqual([2, 2])
  })

  it('a copy on a platform that is not joined stays as it is until it is', async () => {
    const change = changeIn('pending')
    await showCards(core, change)
    core.messengers.delete('discord')
    const ended = next(change, done)
    await showCards(core, ended)
    expect(discord.shown('D-approvals')[0]).not.toContain('All done')
    core.messengers.set('discord', discord)
    await showCards(core, ended)
    expect(discord.shown('D-approvals')[0]).toContain('All done')
  })

  it('is tried again when the platform says, or after a growing while of at most a minute', () => {
    const task = (attempts: number) => ({ attempts }) as Parameters<typeof retryAt>[0]
    expect(retryAt(task(0), later(7_000), 1_000)).toBe(8_000)
    expect([0, 1, 2, 20].map((attempts) => retryAt(task(attempts), later(), 0))).toEqual([
      500, 1_000, 2_000, 60_000,
    ])
  })
})

describe('a copy that cannot be edited any more', () => {
  type Case = { at: 'C1' | 'C-approvals'; error: MessengerError; over: Partial<Change>; clauses?: object }
  const afterEdit = async ({ at, error, over, clauses = {} }: Case) => {
    const counted: unknown[] = []
    core = { ...core, count: (event) => void counted.push(event) }
    const change = changeIn('pending', clauses)
    await core.store.changes.insert(change)
    await showCards(core, change)
    slack.fail({ call: 'edit', at, error, times: 1 })
    await showCards(core, next(change, over))
    const copies = await core.store.cards.of(change.id)
    const refused = await core.store.cards.refusedBy(change.id)
    return {
      copies: copies.map(({ platform, place, version }) => `${platform} ${place} ${version}`).sort(),
      refused: refused.map(({ platform, place }) => `${platform} ${place}`),
      aside: slack.shown('U-ann').length,
      counted,
    }
  }
  const elsewhere = ['discord mirror 4', 'slack mirror 4']
  const told = [{ kind: 'refused_message', platform: 'slack', message: 'card', reason: gone().reason }]
  it.each<[string, Case, Partial<Awaited<ReturnType<typeof afterEdit>>>]>([
    [
      'where it was asked is forgotten, and shown to the requester in person',
      { at: 'C1', error: gone(), over: {} },
      { copies: [...elsewhere, 'slack aside 4'].sort(), refused: ['slack origin'], aside: 1, counted: told },
    ],
    [
      'where it was asked is only forgotten when the requester is told the end anyway',
      { at: 'C1', error: gone(), over: done },
      { copies: elsewhere, refused: ['slack origin'], aside: 0, counted: told },
    ],
    [
      'where it was confirmed is shown to the requester in person, at its end too',
      { at: 'C1', error: gone(), over: { state: 'failed', outcome: outcome('No.') }, clauses: confirm },
      { copies: ['slack aside 4'], refused: ['slack origin'], aside: 1 },
    ],
    [
      'in an approvals channel is posted there again while it waits',
      { at: 'C-approvals', error: gone(), over: {} },
      { copies: [...elsewhere, 'slack origin 4'].sort(), refused: [], aside: 0, counted: told },
    ],
    [
      'in an approvals channel is given up at its end',
      { at: 'C-approvals', error: gone(), over: done },
      { copies: ['discord mirror 4', 'slack origin 4'], refused: ['slack mirror'], aside: 0 },
    ],
    [
      'because the platform does not take what it shows stays as it is',
      { at: 'C1', error: broken(), over: {} },
      { copies: [...elsewhere, 'slack origin 3'].sort(), refused: [], aside: 0 },
    ],
  ])('%s', async (_, given, expected) => {
    expect(await afterEdit(given)).toMatchObject(expected)
  })
})

describe('an approvals channel that takes no card', () => {
  const person = (id: string, name: string, roles: string[]) => ({
    id,
    name,
    roles,
    accounts: { slack: `U-${id}` },
  })
  const closedFor = async (again: boolean) => {
    core.policy = {
      ...core.policy,
      people: [
        person('fay', 'Fay', ['finance']),
        person('gil', 'Gil', ['finance']),
        person('ann', 'Ann', []),
      ],
      roles: { finance: { run: [], approve: ['*'], delegate: false } },
    } as never
    slack.fail({ call: 'post', at: 'C-approvals', error: gone(), times: again ? 1 : 9 })
    const change = changeIn('pending')
    await core.store.changes.insert(change)
    const now = async () => (await core.store.changes.get(change.id)) as Change
    await showCards(core, change)
    const first = await now()
    await showCards(core, first, again ? { again: 'slack' } : {})
    return { first: first.reach, last: (await now()).reach, versions: [first.version, (await now()).version] }
  }

  it('is on the card with those who have it in person, once, and is tried again', async () => {
    const put = vi.spyOn(core.store.tasks, 'put')
    const { first, last, versions } = await closedFor(false)
    expect(first).toEqual({
      refusals: [{ platform: 'slack', place: 'mirror', to: 'C-approvals', why: gone().words }],
      asked: ['Fay', 'Gil'],
    })
    expect([last, versions]).toEqual([first, [4, 4]])
    const sent = ['U-fay', 'U-gil', 'U-ann'].map((account) => slack.shown(account).length)
    expect(sent).toEqual([1, 1, 0])
    const closed = put.mock.calls.flat().filter(({ kind }) => kind === 'closed_channel')
    const inSeconds = closed.map(({ key, dueAt }) => [key, (dueAt - core.now()) / 1_000])
    expect(inSeconds).toEqual([['closed_channel:slack:C-approvals', 15]])
  })

  it('is forgotten when it takes one', async () => {
    const { first, last } = await closedFor(true)
    expect([first?.asked, last]).toEqual([['Fay', 'Gil'], undefined])
    expect(slack.shown('C-approvals')).toHaveLength(1)
  })

  it.each([
    ['alone, again in fifteen seconds, while the channel stays closed', [], ['c1'], 17_000],
    ['and with the others once it takes one', ['c1', 'c2', 'c3'], ['c1', 'c2', 'c3'], undefined],
    ['and with the others until it closes again', ['c1'], ['c1', 'c2'], 17_000],
  ])('is tried with the oldest that waits, %s', async (_, taken, tried, again) => {
    const refusals = [{ platform: 'slack', place: 'mirror', to: 'C-approvals', why: gone().words }]
    for (const id of ['c1', 'c2', 'c3']) {
      await core.store.changes.insert(changeIn('pending', { id, reach: { refusals, asked: [] } }))
      for (const [platform, place] of [
        ['slack', 'origin'],
        ['discord', 'mirror'],
      ] as const)
        await core.store.cards.add({ changeId: id, platform, address: `${place}-${id}`, place, version: 3 })
    }
    await noteClosed(core, 'slack', 'C-approvals', gone())
    const shown: string[] = []
    const doc = { platform: 'slack', channel: 'C-approvals', since: 2_000 }
    const show = async ({ id, version }: Change) => {
      shown.push(id)
      if (!taken.includes(id)) return
      const copy = { changeId: id, platform: 'slack', address: `slack-${id}`, place: 'mirror', version }
      await core.store.cards.add(copy)
    }
    expect(await tryClosed(core, doc, show)).toBe(again)
    expect(shown).toEqual(tried)
    expect('notice' in (await core.store.tasks.pending())).toBe(again !== undefined)
  })

  it.each([
    ['is forgotten once something newer was shown there', true, 3_000, undefined, { closed_channel: 1 }],
    [
      'is left alone for five minutes while nothing newer was shown there',
      false,
      3_000,
      302_000,
      { closed_channel: 1, notice: 1 },
    ],
    [
      'is left alone for five minutes while what was shown there is of the moment when it closed',
      true,
      2_000,
      302_000,
      { closed_channel: 1, notice: 1 },
    ],
  ])('and that nothing waits for %s', async (_, isShown, createdAt, again, tasks) => {
    const older = changeIn('applied', { id: 'c1', createdAt: 1_000 })
    const newer = changeIn('applied', { id: 'c2', createdAt })
    for (const change of [older, newer]) await core.store.changes.insert(change)
    await showCards(core, isShown ? newer : older)
    await noteClosed(core, 'slack', 'C-approvals', gone())
    const doc = { platform: 'slack', channel: 'C-approvals', since: 2_000 }
    expect(await tryClosed(core, doc, async () => expect.unreachable())).toBe(again)
    expect(await core.store.tasks.pending()).toEqual(tasks)
  })
})

describe('a closed channel that the policy no longer names', () => {
  it.each([
    ['another channel of its messenger is named', 'slack', 'C-old'],
    ['another messenger has a channel of that name', 'discord', 'C-approvals'],
  ])('is forgotten: %s', async (_, platform, channel) => {
    await noteClosed(core, platform, channel, gone())
    const doc = { platform, channel, since: 2_000 }
    expect(await tryClosed(core, doc, async () => expect.unreachable())).toBeUndefined()
    expect(await core.store.tasks.pending()).toEqual({ closed_channel: 1 })
  })

  it('is forgotten once what waited for it is shown where it belongs now', async () => {
    const refusals = [{ platform: 'slack', place: 'mirror', to: 'C-old', why: gone().words }]
    await core.store.changes.insert(changeIn('pending', { reach: { refusals, asked: [] } }))
    const shown: string[] = []
    const doc = { platform: 'slack', channel: 'C-old', since: 2_000 }
    const again = await tryClosed(core, doc, async ({ id }) => void shown.push(id))
    expect([shown, again]).toEqual([['c1'], undefined])
  })
})

describe('a reminder', () => {
  const reminder = { n: 2, why: 'It waits.' }

  it.each<[string, Change]>([
    ['of what has ended', changeIn('applied', { reminder })],
    ['that nobody has asked for', changeIn('pending')],
  ])('%s is not posted', async (_, change) => {
    await showReminder(core, change)
    expect(slack.messages.size + discord.messages.size).toBe(0)
  })

  it('that an approvals channel refuses has that channel tried again', async () => {
    slack.fail({ call: 'post', at: 'C-approvals', error: gone() })
    await showReminder(core, changeIn('pending', { reminder }))
    expect(await core.store.tasks.pending()).toEqual({ closed_channel: 1, notice: 1 })
  })

  it('that is refused where it was asked for closes no approvals channel', async () => {
    const approvals = [
      { platform: 'slack', channel: 'T2/C-approvals' },
      { platform: 'discord', channel: 'C1' },
    ]
    core = { ...core, policy: { ...core.policy, approvals }, messengers: new Map([['slack', slack]]) }
    slack.fail({ call: 'post', at: 'C1', error: gone() })
    await showReminder(core, changeIn('pending', { reminder }))
    expect(await core.store.tasks.pending()).toEqual({})
  })

  it.each([
    ['is forgotten where its message is gone', gone, []],
    ['is taken back later where the platform is down', later, ['reminder:1:C-approvals']],
  ])('before the newest %s', async (_, errorOf, left) => {
    const old = { platform: 'slack', address: 'slack-old', place: 'reminder:1:C-approvals' }
    await core.store.cards.add({ changeId: 'c1', ...old })
    const remove = async () => {
      throw errorOf()
    }
    core.messengers.set('slack', { ...slack, remove })
    const error = await showReminder(core, changeIn('pending', { reminder })).catch((one: unknown) => one)
    expect(error).toEqual(left.length === 0 ? undefined : errorOf())
    const places = (await core.store.cards.of('c1')).map(({ place }) => place)
    expect(places.filter((place) => place.startsWith('reminder:1:'))).toEqual(left)
  })
})

describe('a reminder where there is no approvals channel', () => {
  it.each([
    ['is posted in the channel where it was asked for', false, false, ['C1']],
    ['is not posted in the direct conversation where it was asked for', true, false, []],
    ['is posted in a direct conversation that everybody reads', true, true, ['C1']],
  ])('%s', async (_, direct, isShared, channels) => {
    core.policy = { ...core.policy, approvals: [] }
    core.messengers.set('slack', { ...slack, isShared })
    const origin = { ...changeIn('pending').origin, direct }
    await showReminder(core, changeIn('pending', { origin, reminder: { n: 1, why: 'It waits.' } }))
    expect([...slack.messages.values()].map(({ place }) => place?.channel)).toEqual(channels)
  })
})

describe('a card that was posted and cannot be recorded', () => {
  const failingOnce = (error: unknown) => {
    const { add } = core.store.cards
    core.store.cards.add = async () => {
      core.store.cards.add = add
      throw error
    }
  }

  it('is recorded once the database is back', async () => {
    failingOnce(new DatabaseError('down', 'away'))
    await showCards(core, changeIn('pending'))
    expect(await core.store.cards.of('c1')).toHaveLength(3)
  })

  it.each([new DatabaseError('failed', 'no such table'), new Error('broken')])(
    'is not waited for where waiting does not help: %s',
    async (error) => {
      failingOnce(error)
      await expect(showCards(core, changeIn('pending'))).rejects.toBe(error)
    },
  )
})

describe('the end', () => {
  const ended = changeIn('applied', { outcome: outcome('All done') })

  it('is told to the requester by direct message', async () => {
    await notifyRequester(core, ended)
    expect(slack.shown('U-ann')).toEqual([expect.stringContaining('All done')])
  })
  it('is told in the channel when the requester takes no messages', async () => {
    slack.fail({ call: 'direct', error: gone() })
    await notifyRequester(core, ended)
    expect(slack.shown('C1')).toEqual([expect.stringContaining('All done')])
  })
  it.each([
    ['slack', [['C-approvals'], []]],
    ['discord', [[], ['D-approvals']]],
  ])(
    'of what was asked for in person in %s is told in no channel but that of the approvals there',
    async (platform, channels) => {
      for (const one of [slack, discord]) one.fail({ call: 'direct', error: gone() })
      const origin = { ...ended.origin, platform, channel: null }
      await notifyRequester(core, { ...ended, origin, requester: party('ann', { platform }) })
      const told = [slack, discord].map(({ messages }) =>
        [...messages.values()].map(({ place }) => place?.channel),
      )
      expect(told).toEqual(channels)
    },
  )
  it('is told later when the platform is down', async () => {
    slack.fail({ call: 'direct', error: later(), times: 1 })
    await expect(notifyRequester(core, ended)).rejects.toMatchObject({ kind: 'later' })
    await notifyRequester(core, ended)
    expect(slack.shown('U-ann')).toHaveLength(1)
  })
  it('of a request from the terminal is told nobody, and is no error', async () => {
    await notifyRequester(core, changeIn('applied', { requester: party('ann', { platform: 'terminal' }) }))
    expect(slack.messages.size).toBe(0)
  })
})
