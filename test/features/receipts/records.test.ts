import { describe, expect, it } from 'vitest'
import { receipts } from '../../../src/features/receipts/index.ts'
import { sampleChange, sampleEntry } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'
import { partyOf, recordsFor } from '../two-workspaces.ts'

describe('what is given out of the log', () => {
  const use = useStore('sqlite')
  const recordsOf = (id: string) =>
    recordsFor(receipts, id, { store: use.store, signer: use.signer, now: () => 9 })

  it('as a whole is for nobody who is not of all workspaces', () => {
    expect(() => recordsOf('rob').export({})).toThrow('all workspaces together')
    expect(() => recordsOf('rob').pack({} as never, {} as never)).toThrow('all workspaces together')
    expect(() => recordsOf('bea').export({})).not.toThrow()
    expect(() => recordsOf('bea').pack({} as never, {} as never)).not.toThrow()
  })

  it('about a change is for who may see it', async () => {
    await use.store.changes.insert(sampleChange({ id: 'here', requester: partyOf('al') }))
    await use.store.audit.append(sampleEntry({ changeId: 'here' }))
    expect((await recordsOf('rob').prove('here'))?.proof.entries).toHaveLength(1)
    for (const person of ['tom', 'cy']) expect(await recordsOf(person).prove('here')).toBeUndefined()
  })
})
