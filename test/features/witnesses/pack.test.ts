import { expect, it } from 'vitest'
import { witnesses } from '../../../src/features/witnesses/index.ts'

const [since, until] = [1_000_000_000, 2_000_000_000]

it('has what every witness was given before the end of the period, however much it is', async () => {
  const given = (count: number) => Array.from({ length: count }, (_, n) => ({ size: n + 1, at: since }))
  for (const count of [499, 500, 501, 1_001]) {
    const all: Record<string, { size: number; at: number }[]> = {
      folder: [...given(count), { size: 5_000, at: until }],
      tsa: given(1),
    }
    const anchors = {
      latest: async () => Object.keys(all).map((witness) => ({ witness })),
      after: async (witness: string, size: number, limit: number) =>
        (all[witness] ?? []).filter((one) => one.size > size).slice(0, limit),
    }
    const [file] = (await witnesses.inPack?.({ of: () => anchors } as never, until)) ?? []
    expect(file?.name).toBe('anchors.json')
    const told = file?.json as { size: number; at: string }[]
    expect(told.map(({ size }) => size)).toEqual([...given(count), ...given(1)].map(({ size }) => size))
    expect(told[0]?.at).toBe('1970-01-12T13:46:40.000Z')
  }
})
