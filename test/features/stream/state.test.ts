import { describe, expect, it } from 'vitest'
import { receiverName, streamState } from '../../../src/features/stream/give.ts'

describe('the receiver of the audit log', () => {
  const stateAt = async (now: number, { seq = 0, base = 0, size = 0, at = 0, gap = '' } = {}) =>
    streamState(
      {
        of: () => ({ at: async () => seq }),
        auditTree: {
          state: async () => ({ base, frontier: { size } }),
          rowsAfter: async (from: number, limit: number) => {
            expect([from, limit]).toEqual([seq, 1])
            return [{ at: String(at) }]
          },
        },
        gaps: { all: async () => [{ name: gap, since: 3, error: 'no answer' }] },
      } as never,
      { https: 'https://siem.example' } as never,
      now,
    )
  it('is as far behind as there are entries that it does not have, since the first of them', async () => {
    expect(await stateAt(900, { seq: 7, base: 4, size: 5, at: 100 })).toEqual({
      to: 'https://siem.example',
      behind: 2,
      lagMs: 800,
      away: undefined,
    })
    expect(await stateAt(50, { seq: 0, size: 1, at: 100 })).toMatchObject({ behind: 1, lagMs: 0 })
    expect(await stateAt(900, { seq: 9, base: 4, size: 5 })).toMatchObject({ behind: 0, lagMs: 0 })
    expect(await stateAt(900, { seq: 12, size: 5 })).toMatchObject({ behind: 0, lagMs: 0 })
  })
  it('is away since it could not be reached, and no witness stands for it', async () => {
    expect((await stateAt(900, { gap: 'stream' }))?.away).toEqual({ since: 3, why: 'no answer' })
    expect((await stateAt(900, { gap: 'slack' }))?.away).toBeUndefined()
    expect(await streamState({} as never, undefined, 0)).toBeUndefined()
  })
  it('has a name of its own, by which it is known again', () => {
    const nameOf = (rule: object) => receiverName(rule as never)
    expect([
      nameOf({ file: '/a/../b' }),
      nameOf({ https: 'h', syslog: 's' }),
      nameOf({ syslog: 's' }),
    ]).toEqual(['file /b', 'h', 's'])
  })
})
