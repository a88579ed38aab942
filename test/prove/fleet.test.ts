import { describe, inject, it } from 'vitest'
import { proveChaos } from '../../prove/chaos.ts'
import { proveFailover } from '../../prove/failover.ts'
import { proveReplicas } from '../../prove/replicas.ts'
import { sample } from './sample.ts'

// Each has its own database and its own processes, and mostly waits: for leases to end, and for a server to come back.
describe.skipIf(inject('postgres')?.bin == null).concurrent('replicas on one PostgreSQL', () => {
  it('have one effect per approval, and replace the one that dies', async ({ expect }) => {
    expect((await proveReplicas(sample)).violations).toEqual([])
  })

  it('keep every promise while the services and the database fail', async ({ expect }) => {
    expect((await proveChaos(sample)).violations).toEqual([])
  })

  it('send nothing twice when another server takes the place of theirs, and tell what it has lost', async ({
    expect,
  }) => {
    expect((await proveFailover(sample)).violations).toEqual([])
  })
})
