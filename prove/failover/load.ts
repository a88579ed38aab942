import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change } from '../../src/kernel/model/change.ts'
import { converse, peopleOf, pressOpenCards, saidIn, waitUntilSettled } from '../fleet/conversation.ts'
import { type Fleet, openFleet } from '../fleet/fleet.ts'
import { checkInvariants } from '../fleet/invariants.ts'
import type { Replica } from '../fleet/replica.ts'
import { provePolicy } from '../policy.ts'
import { endHold, failoverPolicy } from './people.ts'

/** The tests run beside others on the same machine, where nothing has a time. */
export const withinMs = { answer: 60_000, told: 30_000, settled: 120_000 }

/** One of our processes, and the folder that outlives it. */
type Place = { dataDir: string; replica: Replica }

/** Two replicas with a folder each, and people who ask for refunds and vouchers and approve them all the while. */
export type Load = {
  fleet: Fleet
  places: Place[]
  people: ReturnType<typeof peopleOf>
  /** Stops asking, lets everything come to its end, and gives what became of it and what was broken. */
  finish(): Promise<{ changes: Change[]; sent: Map<string, number>; violations: string[] }>
  /** How often each was sent so far, by its words. */
  sent(): Map<string, number>
  close(): Promise<void>
}

type LoadOptions = { url: string; random: () => number; lanes: number; sharesFolder?: boolean }

export const openLoad = async ({ url, random, lanes, sharesFolder = false }: LoadOptions): Promise<Load> => {
  const folders = (sharesFolder ? [0] : [0, 1]).map(() => mkdtempSync(join(tmpdir(), 'bellhop-failover-')))
  const fleet = await openFleet({
    url,
    random,
    policy: failoverPolicy(provePolicy),
    env: { AUDIT_KEY: newKey() },
  })
  const places: Place[] = []
  for (const dataDir of [folders[0], folders.at(-1)])
    if (dataDir !== undefined) places.push({ dataDir, replica: await fleet.add({ dataDir }) })
  const people = peopleOf(fleet)
  let isOn = true
  let number = 0
  const talk = async () => {
    while (isOn) await converse(fleet, people, { number: ++number, random, patienceMs: 2_000 })
  }
  const talking = Promise.all(Array.from({ length: lanes }, talk))
  return {
    fleet,
    places,
    people,
    sent: () => countSent(fleet),
    finish: async () => {
      isOn = false
      await talking
      await endHold(fleet, withinMs.told)
      let changes = await waitUntilSettled(fleet, withinMs.settled)
      // What people see they press, and what is asked for again they approve again.
      for (let again = 0; again < 2; again++) {
        await pressOpenCards(fleet, people)
        await endHold(fleet, withinMs.told)
        changes = await waitUntilSettled(fleet, withinMs.settled)
      }
      // Whoever ends a hold asks for a change too, which moves nothing.
      changes = changes.filter(({ command }) => command !== 'unfreeze')
      const { violations } = await checkInvariants(fleet, changes)
      const sent = countSent(fleet)
      const known = new Set(changes.map(saidIn))
      for (const [words, times] of sent) {
        if (times > 1) violations.push(`${words} was sent ${times} times`)
        if (!known.has(words)) violations.push(`${words} was sent, and is on no record`)
      }
      return { changes, sent, violations }
    },
    close: async () => {
      isOn = false
      await fleet.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Requests that move money, by the words that tell one from every other. */
const countSent = ({ sandbox }: Pick<Fleet, 'sandbox'>): Map<string, number> => {
  const sent = new Map<string, number>()
  for (const { method, path, body } of sandbox.wire) {
    const { description, reason } = (body ?? {}) as { description?: string; reason?: string }
    const words = description ?? reason
    if (method !== 'POST' || words === undefined || !/\/transaction\/refund\/|\/vouchers$/.test(path))
      continue
    sent.set(words, (sent.get(words) ?? 0) + 1)
  }
  return sent
}

/** All replicas sign with the same. */
const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
