import { createHash, randomBytes } from 'node:crypto'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import type { Actor, SessionRecords } from '../command/context.ts'
import type { Core } from '../core.ts'
import type { SignIns } from '../messenger/bot.ts'
import { bellhop, entryBy } from '../model/audit-entry.ts'
import type { Party } from '../model/change.ts'
import { administratorWords } from '../policy/listed.ts'
import { isAdministrator, personNamed } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import type { Store } from '../store/store.ts'

const linkMs = 5 * 60_000
const sessionMs = 12 * 3_600_000

export const createSignIns = (
  core: Pick<Core, 'store' | 'policy' | 'now' | 'newId' | 'signInPage'>,
): SignIns => ({
  openAt: (page) => {
    core.signInPage.url = page
  },
  redeem: (link) => core.store.tx((inner) => beginSession(core, inner, secretDigestOf(link))),
  vouched: async (address, { id, via, ms }) => {
    const wanted = address.toLowerCase()
    const [person, another] = core.policy.people.filter((one) => one.address === wanted)
    if (person === undefined || another !== undefined) return undefined
    const link = secretDigestOf(newSecret())
    const at = core.now()
    return core.store.tx(async (inner) => {
      await inner.sessions.offer({ id, digest: link, person: person.id, via, at, endsAt: at + linkMs })
      return beginSession(core, inner, link, { ms })
    })
  },
  endThose: (isEnded) =>
    core.store.tx(async (inner) => {
      let ended = 0
      for (const person of await inner.sessions.people())
        for (const { id } of (await inner.sessions.of(person)).filter((one) => isEnded(one.id))) {
          ended += await inner.sessions.end(person, id)
          await inner.audit.append(endedEntry(bellhop, { of: person, session: id, ended: 1 }))
        }
      return ended
    }),
  personOf: async (secret) =>
    secret === '' ? undefined : (await core.store.sessions.find(secretDigestOf(secret)))?.person,
})

/** The session that a link becomes, once, with a secret of its own. */
export const beginSession = async (
  { policy, now }: Pick<Core, 'policy' | 'now'>,
  store: Pick<Store, 'sessions' | 'audit'>,
  link: string,
  { ms = sessionMs, ...how }: { key?: string; ms?: number } = {},
): Promise<{ secret: string; seconds: number } | undefined> => {
  const secret = newSecret()
  const digest = secretDigestOf(secret)
  if (!(await store.sessions.use(link, { digest, endsAt: now() + ms }))) return undefined
  const used = await store.sessions.find(digest)
  if (used === undefined) return undefined
  const { id, person, via } = used
  const name = policy.people.find((one) => one.id === person)?.name ?? person
  const by = { person, name, platform: 'console' }
  await store.audit.append(
    entryBy(by, 'signed in', { command: 'bellhop console' }, { session: id, via, ...how }),
  )
  return { secret, seconds: ms / 1000 }
}

/** A link that signs this person in, once; only for somebody whom a messenger has vouched for, and whom the file lists. */
export const offerLink = async (core: Core, actor: Actor): Promise<Result<string>> => {
  const { signInPage, messengers, store, now, newId } = core
  if (actor.platform === 'console') {
    return no(refusal('not_allowed_now', 'You are in the console.', { next: 'Go on here.' }))
  }
  if (!messengers.has(actor.platform)) {
    return no(
      refusal('not_allowed_now', 'Here nobody can tell who you are, so no link is given out.', {
        next: 'Ask for it in your messenger.',
      }),
    )
  }
  if (signInPage.url === undefined) {
    return no(
      refusal('not_allowed_now', 'There is no console to sign in to.', {
        next: 'An administrator can turn it on with CONSOLE=on and PUBLIC_URL.',
      }),
    )
  }
  if (!actor.known) {
    return no(refusal('stranger', 'Only people whom bellhop.yml lists can sign in to the console.'))
  }
  const secret = newSecret()
  const at = now()
  await store.sessions.offer({
    id: newId(),
    digest: secretDigestOf(secret),
    person: actor.person,
    via: actor.platform,
    at,
    endsAt: at + linkMs,
  })
  // Behind the #, a browser sends it to nobody: it stands in no log of a proxy, and a preview of the link does not use it up.
  return ok(`${signInPage.url}#${secret}`)
}

/** The actor's own sessions; those of somebody else, also of somebody who is no longer listed, are for administrators. */
export const sessionsOf = (core: Core, actor: Actor, of?: string): Result<SessionRecords> => {
  const { policy, store } = core
  const person = of === undefined ? actor.person : personNamed(policy, of)
  if (person !== actor.person && !isAdministrator(policy, actor)) {
    return no(
      refusal('may_not_run', 'The sessions of others are for administrators.', {
        next: `${administratorWords(policy)} can end them.`,
      }),
    )
  }
  return ok({
    person,
    list: () => store.sessions.of(person),
    end: (id) =>
      store.tx(async (inner) => {
        const ended = await inner.sessions.end(person, id)
        if (ended > 0) await inner.audit.append(endedEntry(actor, { of: person, session: id, ended }))
        return ended
      }),
  })
}

/** Whoever a new policy no longer lists is signed out, with every link that they have not used yet. */
export const endSessionsOfOthers = async (
  store: Pick<Store, 'sessions' | 'audit'>,
  { people }: Pick<Policy, 'people'>,
  by: Pick<Party, 'person' | 'name' | 'platform'>,
): Promise<void> => {
  const listed = new Set(people.map(({ id }) => id))
  for (const of of await store.sessions.people()) {
    if (listed.has(of)) continue
    const ended = await store.sessions.end(of, 'all')
    await store.audit.append(endedEntry(by, { of, session: 'all', ended }))
  }
}

const endedEntry = (
  by: Pick<Party, 'person' | 'name' | 'platform'>,
  doc: { of: string; session: string; ended: number },
) => entryBy(by, 'sessions ended', { command: 'bellhop sessions' }, doc)

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const secretDigestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
