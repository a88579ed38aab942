import { describe, expect, inject, it } from 'vitest'
import { proveChaos } from '../../prove/chaos.ts'
import { proveReplicas } from '../../prove/replicas.ts'
import { sample } from './sample.ts'

describe.skipIf(inject('postgres')?.bin == null)('replicas on one PostgreSQL', () => {
  it('have one effect per approval, and replace the one that dies', async () => {
    expect((await proveReplicas(sample)).violations).toEqual([])
  })

  it('keep every promise while the services and the database fail', async () => {
    expect((await proveChaos(sample)).violations).toEqual([])
  })
})
