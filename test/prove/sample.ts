import { inject } from 'vitest'
import { dailySeed } from '../harness/daily-seed.ts'
import { serverOf } from '../harness/postgres.ts'

const postgres = inject('postgres')

export const sample = {
  sample: true,
  seed: dailySeed,
  server: postgres && (await serverOf(postgres)),
  say: () => undefined,
}
