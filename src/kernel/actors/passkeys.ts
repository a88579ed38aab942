import { createHash, randomBytes } from 'node:crypto'
import { challengeOf, clientDataIn, whyNotSigned } from '../../../verify.mjs'
import { createTurns, type TakeTurn } from '../../lib/limits/call-rate.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'
import { isConfirmOnly } from '../law/clauses.ts'
import type { Passkeys } from '../messenger/bot.ts'
import type { Change } from '../model/change.ts'
import type { Assertion, Signature, SignaturePurpose } from '../model/passkey.ts'
import type { EnrolledPasskey } from '../store/passkeys.ts'
import { challengeFor, endOfChallenge } from './sign-in-challenges.ts'
import { beginSession, newSecret, secretDigestOf } from './sign-ins.ts'

type PasskeyCore = Pick<Core, 'store' | 'policy' | 'now' | 'ticks' | 'newId' | 'passkeyPlace' | 'signer'>

const minuteMs = 60_000
const linkMs = 15 * minuteMs
const challengeMs = 5 * minuteMs
/** ES256, EdDSA and RS256: what `verify.mjs` can check, and every authenticator has one of. */
const algorithms = [-7, -8, -257]

/** It is large, and most bots never need it. */
const webauthn = () => import('@simplewebauthn/server')

/** Each is a row until it ends: so many a minute for a person. */
const maxOffered = 30

/** What pages that make and use passkeys are given. */
export const createPasskeys = (core: PasskeyCore): Passkeys => passkeysOf(core, createTurns(core.ticks))

const passkeysOf = (core: PasskeyCore, takeTurn: TakeTurn): Passkeys => ({
  openAt: (origin) => {
    core.passkeyPlace.origin = origin
  },
  begin: async (link) => {
    const found = await behindLink(core, link)
    if (!found.ok) return found
    const { person, place } = found.value
    const busy = refuseNow(takeTurn, person.id)
    if (busy !== undefined) return no(busy)
    const { generateRegistrationOptions } = await webauthn()
    const known = await core.store.passkeys.enrolled(person.id)
    const options = await generateRegistrationOptions({
      rpName: 'Bellhop',
      rpID: place.rpId,
      userName: person.name,
      userDisplayName: person.name,
      userID: new Uint8Array(createHash('sha256').update(person.id).digest()),
      challenge: await offerRandom(core, 'enrol', person.id),
      timeout: challengeMs,
      attestationType: 'none',
      excludeCredentials: known.map(({ id }) => ({ id })),
      // So that it can sign somebody in who has not said who they are.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    })
    return ok({ person: person.name, options })
  },
  keep: async (link, name, made) => {
    const found = await behindLink(core, link)
    if (!found.ok) return found
    const { person, place, digest: linkDigest } = found.value
    const { store, now } = core
    const expectedChallenge = challengeIn(made.response.clientDataJSON)
    const digest = secretDigestOf(expectedChallenge)
    const offered = await store.passkeys.find(digest, 'enrol')
    const { verifyRegistrationResponse } = await webauthn()
    const checked =
      offered?.person === person.id
        ? await verifyRegistrationResponse({
            response: made,
            expectedChallenge,
            expectedOrigin: place.origin,
            expectedRPID: place.rpId,
            requireUserVerification: true,
            supportedAlgorithmIDs: algorithms,
          }).catch(() => undefined)
        : undefined
    if (!checked?.verified) return no(badKey(place.origin))
    const { credential, credentialBackedUp } = checked.registrationInfo
    const key = {
      id: credential.id,
      person: person.id,
      name,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      isCopied: credentialBackedUp,
      madeAt: now(),
    }
    if ((await store.passkeys.get(key.id)) !== undefined) return no(knownKey)
    return store.tx(async (inner) => {
      const isFirst =
        (await inner.passkeys.use(linkDigest, 'link')) && (await inner.passkeys.use(digest, 'enrol'))
      if (!isFirst) return no(oldLink)
      return (await inner.passkeys.add(key)) ? ok({ person: person.id, key: key.id }) : no(knownKey)
    })
  },
  toSign: async (person, change) => {
    const place = placeOf(core)
    if (place === undefined) return no(nowhere)
    const keys = await core.store.passkeys.enrolled(person)
    if (keys.length === 0) return no(refusal('no_passkey', 'You have no passkey that is enrolled.'))
    const busy = refuseNow(takeTurn, person)
    if (busy !== undefined) return no(busy)
    const { generateAuthenticationOptions } = await webauthn()
    const about = { purpose: purposeOf(change), change: change.id, digest: change.digest, person }
    const nonce = randomBytes(16).toString('base64url')
    const challenge = challengeOf({ ...about, nonce })
    await offer(core, 'sign', challenge, person, { ...about, nonce })
    const options = await generateAuthenticationOptions({
      rpID: place.rpId,
      challenge: new Uint8Array(challenge),
      allowCredentials: keys.map(({ id }) => ({ id })),
      userVerification: 'required',
      timeout: challengeMs,
    })
    return ok(options)
  },
  isOffered: async () => placeOf(core) !== undefined && (await core.store.passkeys.enrolled()).length > 0,
  toSignIn: async () => {
    const place = placeOf(core)
    if (place === undefined) return no(nowhere)
    const { generateAuthenticationOptions } = await webauthn()
    return ok(
      await generateAuthenticationOptions({
        rpID: place.rpId,
        challenge: challengeFor(core.signer, core.now() + challengeMs),
        userVerification: 'required',
        timeout: challengeMs,
      }),
    )
  },
  signIn: async (assertion) => {
    const place = placeOf(core)
    if (place === undefined) return no(nowhere)
    const { store, policy, now, newId } = core
    const challenge = challengeIn(assertion.response.clientDataJSON)
    const endsAt = endOfChallenge(core.signer, challenge)
    if (endsAt === undefined || endsAt <= now()) return no(usedBefore)
    const key = await enrolledKey(core, assertion.id)
    const person = key && policy.people.find(({ id }) => id === key.person)
    if (key === undefined || person === undefined) return no(notEnrolled)
    const counter = await counterAfter(assertion, challenge, place, key)
    if (counter === undefined) return no(notMadeHere(place.origin))
    const session = await store.tx(async (inner) => {
      if (!(await inner.passkeys.spend(secretDigestOf(challenge), endsAt))) return undefined
      await inner.passkeys.count(key.id, counter)
      const link = secretDigestOf(newSecret())
      const at = now()
      await inner.sessions.offer({
        id: newId(),
        digest: link,
        person: person.id,
        via: 'passkey',
        at,
        endsAt: at + challengeMs,
      })
      return beginSession(core, inner, link, { key: key.id })
    })
    return session === undefined ? no(usedBefore) : ok(session)
  },
})

/** A link by which this person makes a passkey, once; only for somebody whom a messenger has vouched for, and whom the file lists. */
export const offerPasskeyLink = async (core: Core, actor: Actor): Promise<Result<string>> => {
  const place = placeOf(core)
  if (place === undefined) return no(nowhere)
  if (!core.messengers.has(actor.platform)) {
    return no(
      refusal('not_allowed_now', 'Here nobody can tell who you are, so no link is given out.', {
        next: 'Ask for it in your messenger.',
      }),
    )
  }
  if (!actor.known)
    return no(refusal('stranger', 'Only people whom bellhop.yml lists can have a passkey here.'))
  const secret = newSecret()
  await core.store.passkeys.offer({
    digest: secretDigestOf(secret),
    purpose: 'link',
    person: actor.person,
    doc: '{}',
    endsAt: core.now() + linkMs,
  })
  return ok(`${place.origin}/console/passkey#${secret}`)
}

/** A press that does not count, with where to sign instead. */
export const whereToSign = async (
  core: Pick<Core, 'store' | 'passkeyPlace'>,
  { person }: Pick<Actor, 'person'>,
  id: string,
  refused: Refusal,
): Promise<Refusal> => {
  const place = placeOf(core)
  if (place === undefined) return { ...refused, next: nowhere.next }
  const url = `${place.origin}/console/sign?change=${id}`
  const has = (await core.store.passkeys.enrolled(person)).length > 0
  return {
    ...refused,
    url,
    next: has
      ? 'Sign it on that page, with your passkey.'
      : 'You have no passkey yet: run bellhop passkey, have it approved by somebody else, then sign on that page.',
  }
}

/** A signature that was checked; what makes it good once is left to whoever stores it. */
export type CheckedSignature = { signed: Signature; challenge: string; counter: number }

/** What somebody signed, if it is this change as it stands, by an enrolled key of theirs. */
export const checkSignature = async (
  core: Pick<Core, 'store' | 'passkeyPlace'>,
  { person, agent }: Pick<Actor, 'person' | 'agent'>,
  change: Change,
  assertion: Assertion,
): Promise<Result<CheckedSignature>> => {
  const place = placeOf(core)
  if (place === undefined || agent !== undefined) return no(nowhere)
  const challenge = challengeIn(assertion.response.clientDataJSON)
  const offered = await core.store.passkeys.find(secretDigestOf(challenge), 'sign')
  if (offered === undefined) return no(usedBefore)
  const about = JSON.parse(offered.doc) as { change: string; digest: string; person: string; nonce: string }
  if (about.person !== person) return no(badSignature('it was asked of somebody else'))
  if (about.change !== change.id) return no(badSignature('it is for another change'))
  if (about.digest !== change.digest)
    return no(badSignature('it is for another version of this change, which has changed since'))
  const key = await enrolledKey(core, assertion.id)
  if (key?.person !== person) return no(notEnrolled)
  const { authenticatorData, clientDataJSON, signature } = assertion.response
  const signed: Signature = {
    key: key.id,
    enrolled: key.changeId,
    person,
    digest: change.digest,
    purpose: purposeOf(change),
    nonce: about.nonce,
    ...place,
    authenticatorData,
    clientDataJSON,
    signature,
  }
  const why = whyNotSigned(change.id, signed, key.publicKey)
  if (why !== undefined) return no(badSignature(why))
  const counter = await counterAfter(assertion, challenge, place, key)
  return counter === undefined
    ? no(badSignature('its counter went back, as that of a copied key does'))
    : ok({ signed, challenge: offered.digest, counter })
}

/** What a press with a passkey says: an approval, or that one person alone does it. */
const purposeOf = ({ clauses }: Pick<Change, 'clauses'>): SignaturePurpose =>
  isConfirmOnly(clauses) ? 'emergency' : 'approve'

type SigningPlace = { origin: string; rpId: string }

/** Where keys are made and used; a key is for the name of the host. */
const placeOf = ({ passkeyPlace }: Pick<Core, 'passkeyPlace'>): SigningPlace | undefined => {
  const origin = passkeyPlace.origin?.()
  return origin === undefined ? undefined : { origin, rpId: new URL(origin).hostname }
}

const refuseNow = (takeTurn: TakeTurn, person: string): Refusal | undefined => {
  const { waitMs } = takeTurn({ id: person, rate: maxOffered })
  return waitMs === 0
    ? undefined
    : refusal('too_many_calls', 'Passkeys are asked for too often at this moment.', {
        next: `Try again in ${plural(Math.ceil(waitMs / 1000), 'second')}.`,
      })
}

const behindLink = async (core: PasskeyCore, link: string) => {
  const digest = secretDigestOf(link)
  const place = placeOf(core)
  const found = await core.store.passkeys.find(digest, 'link')
  const person = core.policy.people.find(({ id }) => id === found?.person)
  return place === undefined || person === undefined ? no(oldLink) : ok({ person, place, digest })
}

const offer = (
  { store, now }: Pick<Core, 'store' | 'now'>,
  purpose: string,
  challenge: Uint8Array,
  person: string | null,
  about: object,
): Promise<void> =>
  store.passkeys.offer({
    digest: secretDigestOf(Buffer.from(challenge).toString('base64url')),
    purpose,
    person,
    doc: JSON.stringify(about),
    endsAt: now() + challengeMs,
  })

const offerRandom = async (
  core: Pick<Core, 'store' | 'now'>,
  purpose: string,
  person: string | null,
): Promise<Uint8Array<ArrayBuffer>> => {
  const challenge = new Uint8Array(randomBytes(32))
  await offer(core, purpose, challenge, person, {})
  return challenge
}

const enrolledKey = async (
  { store }: Pick<Core, 'store'>,
  id: string,
): Promise<EnrolledPasskey | undefined> => {
  const key = await store.passkeys.get(id)
  return key === undefined || key.changeId === null ? undefined : (key as EnrolledPasskey)
}

/** Undefined where the library does not take it. */
const counterAfter = async (
  assertion: Assertion,
  expectedChallenge: string,
  { origin, rpId }: SigningPlace,
  { id, publicKey, counter }: EnrolledPasskey,
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await webauthn()
  const checked = await verifyAuthenticationResponse({
    response: assertion,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  return checked?.verified ? checked.authenticationInfo.newCounter : undefined
}

const challengeIn = (clientData: string): string => {
  const { challenge } = clientDataIn(Buffer.from(clientData, 'base64url'))
  return typeof challenge === 'string' ? challenge : ''
}

const nowhere = refusal('not_allowed_now', 'There is no page here where a passkey could be used.', {
  next: 'An administrator can turn it on with CONSOLE=on and an https address in PUBLIC_URL.',
})
const oldLink = refusal('not_allowed_now', 'This link was used before or is older than fifteen minutes.', {
  next: 'Run bellhop passkey for a new one.',
})
const usedBefore = refusal(
  'bad_signature',
  'This signature was used before, or was asked for more than five minutes ago.',
)
const knownKey = refusal('bad_signature', 'This passkey is known here already.', {
  next: 'Use another device, or remove the passkey from this one and make a new one: open the link again.',
})
const notEnrolled = refusal(
  'no_passkey',
  'This passkey is not enrolled for you: it was removed, or nobody has approved it yet.',
)
const badSignature = (why: string): Refusal =>
  refusal('bad_signature', `This signature does not count: ${why}.`)
const badKey = (origin: string): Refusal =>
  refusal(
    'bad_signature',
    `This passkey cannot be taken in: it is to be made at ${origin}, within five minutes, on a device that makes sure who you are.`,
    { next: 'Open the link again, and try once more.' },
  )
const notMadeHere = (origin: string): Refusal =>
  refusal(
    'bad_signature',
    `This does not sign you in: the passkey is to be used at ${origin}, on a device that makes sure who you are.`,
    { next: 'Try again, or use the link of bellhop console.' },
  )
