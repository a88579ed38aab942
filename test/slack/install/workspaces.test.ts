import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSlackConfig } from '../../../adapters/slack/config.ts'
import { eachEngine, openTestDatabase } from '../../harness/database.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import type { FakeSlack } from '../fake/slack.ts'
import { channels, openSlackHarness, type SlackHarness, type SlackHarnessOptions } from '../harness.ts'

const publicUrl = 'https://bellhop.test'
const { general, approvals } = channels

/** The same user and channel ids in two workspaces; Bea is listed in both. */
const policy = `version: 1
workspaces: { slack: [T2, E1] }
people:
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
  - { id: tim, name: Tim Tulip, slack: T2/U0SAM, roles: [support] }
  - { id: tia, name: Tia Tansy, slack: T2/U0FAY, roles: [finance] }
  - { id: oda, name: Oda Organ, slack: T3/U0SAM, roles: [support] }
  - { id: ole, name: Ole Organ, slack: T3/U0FAY, roles: [finance] }
  - { id: bea, name: Bea Both, slack: [U0FINN, T2/U0FINN], roles: [finance] }
groups:
  slack: { T2/S0FIN: [finance] }
roles:
  support: { run: [refund, "approval *", "subscriber *"] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
approvals: { slack: [C0APPROVALS, T2/C0APPROVALS] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
unseen: pass
`
const key = randomBytes(32)

/** A browser: it keeps its cookie, and goes where it is sent. */
const browser = (base: string) => {
  let cookie = ''
  const open = async (url: string): Promise<{ status: number; location: string; text: string }> => {
    const answer = await fetch(url.replace(publicUrl, base), { redirect: 'manual', headers: { cookie } })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookie = set.split(';', 1)[0] ?? ''
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      text: await answer.text(),
    }
  }
  return { open, begin: async () => (await open(`${base}/slack/install`)).location }
}

const openBoth = async (options: SlackHarnessOptions = {}) => {
  const opened = await openSlackHarness({ policy, publicUrl, installKey: key, ...options })
  const base = opened.url.replace('/slack/events', '')
  const second = opened.fake.state.others.find(({ team }) => team === 'T2')
    ? undefined
    : secondOf(opened.fake)
  return { ...opened, base, second: second as ReturnType<typeof secondOf> }
}

const secondOf = (fake: FakeSlack, team = 'T2', organization?: string) => {
  const other = fake.workspace(team, organization)
  const sam = other.person('U0SAM', { name: 'other-sam' })
  const fay = other.person('U0FAY', { name: 'other-fay' })
  const finn = other.person('U0FINN', { name: 'other-finn' })
  other.channel(general, ['U0SAM', 'U0FAY', 'U0FINN'])
  other.channel(approvals, ['U0FAY', 'U0FINN'])
  other.state.groups.set('S0FIN', [])
  return { ...other, sam, fay, finn }
}

const install = async ({ base, fake }: { base: string; fake: FakeSlack }, id: string, more = {}) => {
  const { begin, open } = browser(base)
  return open(fake.allows(await begin(), id, more))
}

/** What Slack refused: whoever calls with another workspace's token, or names what is there, is among them. */
const refusedCalls = ({ fake }: Pick<SlackHarness, 'fake'>) =>
  [fake.state, ...fake.state.others].flatMap(({ calls }) => calls.filter(({ ok }) => !ok))

const line = '/refund pay_1001 77 --customer cus_1001 --reason "yellow hippo"'

eachEngine('two workspaces of Slack', (engine) => {
  it('cannot reach each other’s changes, with equal user ids, and each is answered with its own token', async () => {
    const both = await openBoth({ engine })
    const { sam, fay, fake, second, store, app } = both
    expect(await install(both, 'T2')).toMatchObject({ status: 200 })
    await sam.types(line, general)
    await until(() => fay.finds('pay_1001', approvals))
    await second.sam.types('/refund pay_1001 78 --customer cus_1001 --reason "zebra stripes"', general)
    const card = await until(() => second.fay.finds('pay_1001', approvals))
    const [theirs, ours] = await store.changes.list({ limit: 2 })
    expect([ours?.requester, theirs?.requester]).toMatchObject([
      { person: 'sam', account: 'U0SAM' },
      { person: 'tim', account: 'T2/U0SAM', space: 'slack:T2' },
    ])
    expect(card.text + JSON.stringify(card.blocks)).toContain('"user_id":"U0FAY"')
    const seen = (who: typeof sam) => [who.sees(), who.sees(general), who.sees(approvals)].flat().join('\n')
    const settled = async () => {
      await until(async () => expect((await store.tasks.pending()).intake ?? 0).toBe(0))
      await app.drain()
    }
    for (const [who, change, words] of [
      [second.sam, ours, 'yellow hippo'],
      [second.fay, ours, 'yellow hippo'],
      [sam, theirs, 'zebra stripes'],
      [fay, theirs, 'zebra stripes'],
    ] as const) {
      const id = change?.id ?? ''
      await who.types(`/approval get ${id}`, general)
      await who.types('/approval list', general)
      await who.types(`/approval approve ${id}`, general)
      await who.writes(`approval get ${id}`)
      await who.mentions(`approval reject ${id} --reason no`, general)
      await who.opensHome()
      await settled()
      await until(() => expect(seen(who)).toContain(`There is no change "${id}"`))
      expect(seen(who)).not.toContain(words)
      expect(who.home()).not.toContain(words)
      // A button of the other's card, sent as Slack would send it.
      const entity = { url: `${publicUrl}/console?change=${id}`, external_ref: { id, type: 'change' } }
      expect(await who.opensEntity(entity)).toEqual({ status: 'not_found' })
    }
    await second.fay.clicks('Approve', { on: card })
    await until(async () => expect((await store.changes.get(theirs?.id ?? ''))?.state).toBe('applied'))
    expect(await store.changes.get(ours?.id ?? '')).toMatchObject({ state: 'pending', votes: [] })
    await settled()
    await until(() =>
      expect(JSON.stringify(second.fay.finds('Refunded 78 USD', approvals).blocks)).toContain('Tia'),
    )
    expect(refusedCalls({ fake })).toEqual([])
    const [row] = await store.installations.all('slack')
    expect(row).toMatchObject({ id: 'T2' })
    expect(row?.sealed).not.toContain('xoxb')
  })

  it('keep their installations over a restart, which needs the key that they were stored with', async () => {
    const database = await openTestDatabase(engine)
    whenDone(database.close)
    const before = await openBoth({ database: { ...database, close: async () => undefined } })
    await install(before, 'T2')
    await before.slack.stop()
    const { fake, second } = before
    const again = { fake, database: { ...database, close: async () => undefined } }
    await expect(openBoth({ ...again, installKey: randomBytes(32) })).rejects.toThrow(/INSTALL_KEY/)
    const after = await openBoth(again)
    await second.sam.types(line, general)
    await until(() => second.fay.finds('pay_1001', approvals))
    expect(refusedCalls(after)).toEqual([])
    // A row that was moved to another workspace opens there as little as with another key.
    const [row] = await after.store.installations.all('slack')
    await after.store.installations.put('slack', { id: 'E1', sealed: row?.sealed ?? '' })
    await expect(openBoth(again)).rejects.toThrow(/workspace E1 does not open with INSTALL_KEY/)
  })
})

describe('an installation', async () => {
  let ahead = 0
  const both = await openBoth({ now: () => Date.now() + ahead })
  const { fake, base, store } = both
  fake.workspace('T9')
  const kept = async () => (await store.installations.all('slack')).map(({ id }) => id)

  it.each<[string, () => Promise<{ status: number; text: string }>, number, RegExp]>([
    ['in a workspace that the file does not list', () => install(both, 'T9'), 403, /does not list T9/],
    ['with tokens that expire', () => install(both, 'T2', { rotates: true }), 403, /token rotation/],
    [
      'that somebody cancelled',
      async () => browser(base).open(`${base}/slack/oauth_redirect?error=access_denied&state=x`),
      400,
      /cancelled/,
    ],
    [
      'with a state of somebody else’s making',
      async () => {
        const { begin, open } = browser(base)
        const url = new URL(fake.allows(await begin(), 'T2'))
        url.searchParams.set('state', `x${url.searchParams.get('state')?.slice(1)}`)
        return open(url.href)
      },
      400,
      /not begun in this browser/,
    ],
    [
      'that was begun in another browser',
      async () => browser(base).open(fake.allows(await browser(base).begin(), 'T2')),
      400,
      /not begun in this browser/,
    ],
    [
      'that took too long',
      async () => {
        const { begin, open } = browser(base)
        const url = fake.allows(await begin(), 'T2')
        ahead += 11 * 60_000
        return open(url)
      },
      400,
      /older than ten minutes/,
    ],
    [
      'with a code that Slack did not give',
      async () => {
        const { begin, open } = browser(base)
        const url = new URL(fake.allows(await begin(), 'T2'))
        url.searchParams.set('code', 'guessed')
        return open(url.href)
      },
      400,
      /does not take this code/,
    ],
  ])('%s is refused, and nothing is kept', async (_, attempt, status, words) => {
    const answer = await attempt()
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(words)
    expect(await kept()).toEqual([])
  })
  it('that is refused leaves no token behind', () => {
    expect([...fake.state.revoked].sort()).toEqual(['xoxb-T2', 'xoxb-T9'])
  })
  it('is finished once', async () => {
    const { begin, open } = browser(base)
    const location = await begin()
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${publicUrl}/slack/oauth_redirect`)
    const again = browser(base)
    const url = fake.allows(location, 'T2')
    expect((await open(url)).status).toBe(200)
    expect((await open(url)).status).toBe(400)
    expect((await again.open(url)).status).toBe(400)
    expect(await kept()).toEqual(['T2'])
    expect(await store.audit.find({ limit: 5 })).toContainEqual(
      expect.objectContaining({ kind: 'installed', doc: { platform: 'slack', workspace: 'T2' } }),
    )
  })
  it('ends where the app is removed, and nowhere else', async () => {
    await both.second.notifies({ type: 'app_uninstalled' })
    await until(async () => expect(await kept()).toEqual([]))
    await both.second.sam.types('/refund pay_1003 5 --customer cus_1003', general)
    await both.sam.types('/refund pay_1003 6 --customer cus_1003', general)
    await until(() => both.fay.finds('pay_1003', approvals))
    expect((await store.changes.list({ limit: 9 })).map(({ requester }) => requester.person)).toEqual(['sam'])
    expect(both.slack.connections.map((one) => one.report().state)).toEqual(['connected', 'connected'])
  })
})

describe('an organization', async () => {
  const both = await openBoth()
  const third = secondOf(both.fake, 'T3', 'E1')
  const installed = await install(both, 'E1')

  it('installs the app for all of its workspaces at once, each a workspace of its own', async () => {
    expect(installed).toMatchObject({ status: 200 })
    await third.sam.types(line, general)
    await until(() => expect(third.fay.sees().join()).toContain('pay_1001'))
    const [change] = await both.store.changes.list({ limit: 1 })
    expect(change?.requester).toMatchObject({ person: 'oda', account: 'T3/U0SAM', space: 'slack:T3' })
    await both.fay.types(`/approval get ${change?.id}`, general)
    await until(() => expect(both.fay.sees(general).join()).toContain('There is no change'))
    await third.fay.clicks('Approve')
    await until(async () => expect((await both.store.changes.get(change?.id ?? ''))?.state).toBe('applied'))
    expect(refusedCalls(both)).toEqual([])
  })
  it('is asked for its workspaces before anything is sent to one that nobody wrote from', async () => {
    const fourth = secondOf(both.fake, 'T4', 'E1')
    const { messenger } = both.slack
    const oda = fourth.person('U0ODA')
    await messenger.direct('T4/U0ODA', { title: 'Hello', tone: 'plain', blocks: [] })
    expect(oda.sees().join()).toContain('Hello')
    await expect(
      messenger.direct('T8/U0SAM', { title: 'Hello', tone: 'plain', blocks: [] }),
    ).rejects.toMatchObject({ kind: 'gone', reason: 'not_installed' })
  })
  it.each([
    ['where Slack still takes its token', [], ['E1']],
    ['where Slack does not answer', [{ status: 500 }], ['E1']],
    ['and is gone with its token', [{ status: 200, error: 'account_inactive' }], []],
  ] as const)('stays when one of its workspaces removes the app %s', async (_, faults, left) => {
    both.fake.fail('auth.test', ...faults)
    const asked = () => both.fake.state.calls.filter(({ method }) => method === 'auth.test').length
    const before = asked()
    await third.notifies({ type: 'app_uninstalled' })
    await until(() => expect(asked()).toBeGreaterThan(before))
    await until(async () =>
      expect((await both.store.installations.all('slack')).map(({ id }) => id)).toEqual(left),
    )
  })
})

describe('the variables of an installation', () => {
  const good = {
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 's',
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'c',
    INSTALL_KEY: key.toString('base64'),
    PUBLIC_URL: publicUrl,
  }
  const problemsWith = (env: Record<string, string | undefined>): string[] => {
    const problems: string[] = []
    readSlackConfig({ env: { ...good, ...env }, problems } as never)
    return problems
  }
  it.each<[Record<string, string | undefined>, RegExp]>([
    [{ SLACK_CLIENT_SECRET: undefined }, /SLACK_CLIENT_SECRET/],
    [{ INSTALL_KEY: undefined }, /needs INSTALL_KEY/],
    [{ INSTALL_KEY: randomBytes(16).toString('base64') }, /INSTALL_KEY is no key/],
    [{ INSTALL_KEY: 'a short word' }, /INSTALL_KEY is no key/],
    [{ PUBLIC_URL: undefined }, /PUBLIC_URL/],
  ])('%o is named', (env, words) => {
    expect(problemsWith(env)).toEqual([expect.stringMatching(words)])
  })
  it('say nothing of a key that is wrong, and are not needed for one workspace', () => {
    expect(problemsWith({ INSTALL_KEY: 'hush' }).join()).not.toContain('hush')
    expect(problemsWith({})).toEqual([])
    expect(
      problemsWith({ SLACK_CLIENT_ID: undefined, SLACK_CLIENT_SECRET: undefined, INSTALL_KEY: undefined }),
    ).toEqual([])
  })
})
