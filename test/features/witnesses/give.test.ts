import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createApp } from '../../../src/cli/start/app.ts'
import { createFolderWitness } from '../../../src/features/witnesses/folder.ts'
import { createAnchors } from '../../../src/features/witnesses/store.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { textsIn } from '../../../src/kernel/messenger/texts-in.ts'
import { openNote } from '../../../verify.mjs'
import { createFakeMessenger, gone } from '../../approvals/fake-messenger.ts'
import { textOf } from '../../harness/app.ts'
import { eachEngine } from '../../harness/database.ts'
import { whenDone } from '../../harness/when-done.ts'
import { type Harness, openHarness } from '../../pipeline/harness.ts'
import { policy } from '../../pipeline/policy.ts'
import { startTestAuthority } from './authority.ts'

const timings = { heartbeatMs: 30, lifeMs: 3_000, idleMs: 20, applyGraceMs: 50, leaseMs: 5_000 }
const newFolder = () => mkdtempSync(join(tmpdir(), 'bellhop-witness-'))

/** A messenger whose channel can be read back. */
const readable = () => {
  const slack = createFakeMessenger('slack')
  return Object.assign(slack, {
    posted: async function* (channel: string) {
      for (const { place, versions } of [...slack.messages.values()].toReversed()) {
        if (place?.channel === channel) yield* textsIn(versions.at(-1))
      }
    },
  })
}

eachEngine('witnesses of the audit log', (engine) => {
  const open = async (anchor: string, messenger = readable()) => {
    const signer = newSigner()
    const harness = await openHarness({
      engine,
      timings,
      policy: `${policy}\nanchor: ${anchor}\n`,
      started: false,
      signer,
    })
    harness.app.join(messenger)
    await harness.app.start()
    return { harness, messenger, signer }
  }
  /** One more entry in the log, with its number. */
  const look = async (harness: Harness) => {
    await harness.say('subscriber get ada@example.com', 'fay')
    while ((await harness.store.auditTree.sequence(harness.app.core.signer)) > 0);
  }
  const entries = async ({ store }: Harness) => (await store.auditTree.state()).frontier.size
  const verified = async (harness: Harness) => textOf(await harness.say('audit verify', 'fay'))
  const isCaughtUp = (harness: Harness, names: string[]) =>
    expect
      .poll(async () => {
        const size = await entries(harness)
        const latest = await harness.store.of(createAnchors).latest()
        return (
          size > 0 && names.every((name) => latest.some((one) => one.witness === name && one.size === size))
        )
      })
      .toBe(true)

  it('each is given the newest checkpoint, and audit verify compares the log with all of them', async () => {
    const authority = await startTestAuthority()
    whenDone(authority.close)
    const folder = newFolder()
    const { harness, messenger } = await open(
      `{ every: 1s, slack: C0LOG, folder: ${folder}, tsa: "${authority.url}" }`,
    )
    await look(harness)
    await isCaughtUp(harness, ['slack', 'folder', 'tsa'])
    await look(harness)
    await isCaughtUp(harness, ['slack', 'folder', 'tsa'])
    const files = readdirSync(folder)
    expect(files.length).toBeGreaterThan(1)
    expect(openNote(readFileSync(join(folder, files.toSorted().at(-1) ?? ''), 'utf8'))?.size).toBe(
      await entries(harness),
    )
    expect(messenger.shown('C0LOG').at(-1)).toContain('Checkpoint of the audit log')
    expect(authority.stamps()).toBeGreaterThan(1)
    const words = await verified(harness)
    expect(words).toContain('complete and unchanged')
    for (const name of ['slack', 'folder', 'tsa']) expect(words).toContain(name)
    expect(words).not.toContain('could not be asked')
  })

  it('nothing is given twice: not by two replicas, not after a restart, not while nothing happens', async () => {
    const folder = newFolder()
    const { harness, messenger, signer } = await open(`{ every: 1h, slack: C0LOG, folder: ${folder} }`)
    const others = await Promise.all(
      [1, 2].map(async () => {
        const app = createApp({ ...harness.app.core, signer, timings })
        app.join(messenger)
        await app.start()
        return app
      }),
    )
    await look(harness)
    await expect.poll(async () => (await harness.store.of(createAnchors).latest()).length).toBe(2)
    for (const app of others) await app.stop(1_000)
    await look(harness)
    const again = createApp({ ...harness.app.core, signer, timings })
    again.join(messenger)
    await again.start()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await again.stop(1_000)
    expect(messenger.shown('C0LOG')).toHaveLength(1)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  // What follows asks nothing of the store that the two above have not asked.
  if (engine !== 'sqlite') return

  it('one that is away is a gap that can be seen, and holds nothing up', async () => {
    const messenger = readable()
    messenger.fail({ call: 'post', error: gone(), at: 'C0LOG', times: 2 })
    const folder = newFolder()
    const { harness } = await open(`{ every: 1s, slack: C0LOG, folder: ${folder} }`, messenger)
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    expect((await harness.click('approve', change, 'fay')).state).toBe('applied')
    await expect.poll(() => harness.store.gaps.all()).toMatchObject([{ name: 'slack' }])
    expect((await harness.store.gaps.all())[0]?.error).toContain('the bot may not use it')
    await isCaughtUp(harness, ['folder'])
    await expect.poll(() => harness.store.gaps.all()).toEqual([])
    await isCaughtUp(harness, ['slack', 'folder'])
    const kinds = (await harness.store.audit.find({ command: 'audit verify', limit: 50 })).map(
      ({ kind }) => kind,
    )
    expect(kinds.filter((kind) => kind.startsWith('witness'))).toEqual(['witness back', 'witness away'])
  })

  it('one that cannot be asked is named, and what the others say still counts', async () => {
    const messenger = createFakeMessenger('slack')
    const { harness } = await open(
      `{ every: 1s, slack: C0LOG }`,
      Object.assign(messenger, { posted: undefined }) as never,
    )
    await look(harness)
    await isCaughtUp(harness, ['slack'])
    const words = await verified(harness)
    expect(words).toContain('complete and unchanged')
    expect(words).toContain('slack could not be asked: it cannot be read back.')
  })

  it('what a witness has lost is said', async () => {
    const folder = newFolder()
    const { harness } = await open(`{ every: 1s, folder: ${folder} }`)
    await look(harness)
    await isCaughtUp(harness, ['folder'])
    await look(harness)
    await isCaughtUp(harness, ['folder'])
    unlinkSync(join(folder, readdirSync(folder).toSorted().at(-1) ?? ''))
    expect(await verified(harness)).toContain('1 checkpoint that folder was given is no longer there.')
  })

  /** Somebody with the database and the key: another history of the same length, signed anew. */
  const forked = (signer: ReturnType<typeof newSigner>, note: string, root = Buffer.alloc(32, 7)): string => {
    const { origin = '', size = 0 } = openNote(note) ?? {}
    return signer.checkpoint({ origin, size, root })
  }

  it('a fork that was shown to one witness is caught, whichever it is', async () => {
    const folder = newFolder()
    const { harness, messenger, signer } = await open(`{ every: 1s, slack: C0LOG, folder: ${folder} }`)
    await look(harness)
    await isCaughtUp(harness, ['slack', 'folder'])
    const [name = ''] = readdirSync(folder).toSorted()
    const file = join(folder, name)
    const note = readFileSync(file, 'utf8')

    writeFileSync(file, forked(signer, note))
    expect(await verified(harness)).toContain('The witness "folder" disagrees: a checkpoint that it holds')
    writeFileSync(file, forked(newSigner(), note))
    expect(await verified(harness)).toContain('is not signed by a key of this log')
    writeFileSync(file, note)
    expect(await verified(harness)).toContain('complete and unchanged')

    const [message] = [...messenger.messages.values()].filter(({ place }) => place?.channel === 'C0LOG')
    const view = message?.versions.at(-1)
    if (message === undefined || view === undefined) throw new Error('nothing was posted')
    message.versions.push({ ...view, blocks: [{ kind: 'code', text: forked(signer, note) }] })
    expect(await verified(harness)).toContain('The witness "slack" disagrees')
    message.versions.push(view)
    expect(await verified(harness)).toContain('complete and unchanged')
  })

  it('a log that was cut, and one that was put in its place, do not fit what the folder holds', async () => {
    const folder = newFolder()
    const { harness, signer } = await open(`{ every: 1s, folder: ${folder} }`)
    await look(harness)
    await isCaughtUp(harness, ['folder'])
    const { origin } = await harness.store.auditTree.state()
    const keep = (from: string, size: number) =>
      createFolderWitness(folder).keep({
        size,
        note: signer.checkpoint({ origin: from, size, root: Buffer.alloc(32) }),
      })
    await keep(origin, 5_000)
    expect(await verified(harness)).toContain('is of 5000 entries, and the log has')
    rmSync(join(folder, 'checkpoint-000000005000.txt'))
    await keep('bellhop/another', 6_000)
    expect(await verified(harness)).toContain('is of another log, bellhop/another')
  })

  it('a folder does not overwrite what it holds', async () => {
    const witness = createFolderWitness(newFolder())
    await witness.keep({ size: 3, note: 'one' })
    await witness.keep({ size: 3, note: 'one' })
    await expect(witness.keep({ size: 3, note: 'other' })).rejects.toThrow(
      'it holds another checkpoint of 3 entries',
    )
  })

  it('a time stamp that does not fit its checkpoint is named', async () => {
    const authority = await startTestAuthority()
    whenDone(authority.close)
    const { harness } = await open(`{ every: 1s, tsa: "${authority.url}" }`)
    await look(harness)
    await isCaughtUp(harness, ['tsa'])
    await look(harness)
    await isCaughtUp(harness, ['tsa'])
    const [first, second] = await harness.store.of(createAnchors).after('tsa', 0, 9)
    if (first === undefined || second === undefined) throw new Error('two stamps were expected')
    await harness.store.of(createAnchors).add({ ...second, size: 1, proof: first.proof })
    expect(await verified(harness)).toContain('the stamp is for something else')
  })
})
