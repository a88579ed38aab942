import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { textOf } from '../harness/app.ts'
import { newFolder, startProcess } from '../harness/bot-process.ts'
import { eachEngine } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { addSchedule } from '../storage/rows.ts'
import { changeIn, newPlace, openMachine, writePolicy } from './machine.ts'

/** In a process of its own: the work goes on beside it. */
const bellhop = async (env: Record<string, string>, ...args: string[]) => {
  const ran = startProcess({ args: ['bin/bellhop', ...args], env })
  const { code } = await ran.ended
  return { code, out: ran.out(), err: ran.err() }
}

const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery staple' }

eachEngine('a drill', (engine) => {
  test('a machine is lost under load, and no change is applied twice by the one that takes its place', async () => {
    const sandbox = await startSandbox()
    whenDone(() => sandbox.close())
    const [witness, shelf] = [newFolder(), newFolder()]
    const file = join(shelf, 'monday.backup')
    const sent = (body: string) =>
      sandbox.wire.filter((one) => one.method === 'POST' && JSON.stringify(one).includes(body)).length

    const first = await newPlace(engine)
    whenDone(first.close)
    writePolicy(first.env, witness)
    const lost = await openMachine(first.env, sandbox)
    const asked: string[] = []
    const ask = async (body: string) => {
      const { id } = changeIn(await lost.say(`message text 15550110000 "${body}"`))
      asked.push(id)
      return id
    }
    await lost.press('confirm', await ask('before-the-backup'))
    const pending = await ask('pending-in-the-backup')
    const refund = changeIn(await lost.say('refund pay_1003 120')).id
    asked.push(refund)

    const sam = { person: 'p-support', name: 'Sam', platform: 'terminal', account: 'p-support', roles: [] }
    await addSchedule(lost.store, { id: 's1', by: sam, line: 'report digest' })

    let isDone = false
    let round = 0
    const load = (async () => {
      while (!isDone) await lost.press('confirm', await ask(`load-${++round}-`))
    })()
    const backedUp = await bellhop({ ...first.env, ...passphrase }, 'backup', file)
    expect(backedUp).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/sha256 [0-9a-f]{64}/) })
    isDone = true
    await load

    await lost.press('confirm', pending)
    await lost.press('approve', refund, 'p-finance')
    expect(sent('pending-in-the-backup')).toBe(1)
    await lost.app.drain()
    const newest = await lost.store.auditTree.checkpoint()
    if (newest === undefined) throw new Error('no checkpoint')
    const kept = `checkpoint-${String(newest.size).padStart(12, '0')}.txt`
    writeFileSync(join(witness, kept), newest.note)
    await lost.close(0)
    rmSync(first.folder, { recursive: true, force: true })

    const second = await newPlace(engine)
    whenDone(second.close)
    const restored = await bellhop({ ...second.env, ...passphrase }, 'restore', file)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toMatch(/The audit log is whole: [\d,]+ entries/)
    expect(restored.out).toMatch(/The witness "folder" disagrees: .* its end is gone/)
    expect(restored.out).toContain(`${pending} message text`)
    expect(restored.out).toContain(`${refund} refund`)
    expect(restored.out).toContain('unfreeze all')
    expect(restored.out).toContain('1 schedule may have been deleted since')
    expect(readFileSync(second.env.BELLHOP_CONFIG, 'utf8')).toContain(witness)

    const found = await openMachine(second.env, sandbox)
    whenDone(() => found.close())
    expect(textOf(await found.say('message text 15550110000 "while frozen"'))).toContain('frozen')
    await found.app.drain()
    const thaw = changeIn(await found.say('unfreeze all', 'p-finance'))
    expect(changeIn(await found.press('confirm', thaw.id, 'p-finance')).state).toBe('applied')
    const writes = () => sandbox.wire.filter(({ method }) => method === 'POST').length
    const before = writes()
    for (const id of asked) {
      await found.press('confirm', id)
      await found.press('approve', id, 'p-finance')
      await found.press('approve', id, 'p-finance2')
    }
    await found.app.drain()
    expect(writes()).toBe(before)
    for (const body of ['before-the-backup', 'pending-in-the-backup']) expect(sent(body)).toBe(1)
    for (let n = 1; n <= round; n++) expect(sent(`load-${n}-`)).toBeLessThanOrEqual(1)
    const states = await Promise.all([pending, refund].map((id) => found.store.changes.get(id)))
    expect(states.map((change) => change?.state)).toEqual(['voided', 'voided'])

    // What is asked for from here on is done, and the log is continued by the key of before.
    const next = changeIn(await found.say('message text 15550110000 "after the restore"'))
    expect(changeIn(await found.press('confirm', next.id)).state).toBe('applied')
    expect(existsSync(join(second.env.DATA_DIR, 'audit-key.pem'))).toBe(true)
  })
})
