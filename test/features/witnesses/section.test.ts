import { describe, expect, it } from 'vitest'
import { anchorOf } from '../../../src/features/witnesses/section.ts'
import { formatProblems } from '../../../src/kernel/policy/file/load.ts'
import { load } from '../../policy/example.ts'

describe('anchor', () => {
  const anchorIn = (text: string) => {
    const loaded = load(`version: 1\nanchor: ${text}\n`)
    return loaded.ok ? anchorOf(loaded.policy) : formatProblems('bellhop.yml', loaded.problems)
  }

  it('names witnesses, and how often they are given checkpoints', () => {
    expect(
      anchorIn(
        '{ every: 30s, slack: C01LOG, discord: "310000000000000001", folder: /w, tsa: "https://a.b/tsr" }',
      ),
    ).toEqual({
      everyMs: 30_000,
      channels: { slack: 'C01LOG', discord: '310000000000000001' },
      folder: '/w',
      tsa: 'https://a.b/tsr',
    })
    expect(anchorIn('{ folder: w }')).toEqual({ everyMs: 3_600_000, channels: {}, folder: 'w' })
  })

  it.each([
    ['{ every: 1h }', 'Expected at least one witness: folder, tsa, slack, discord.'],
    ['{ every: often, folder: w }', 'wrong value often in anchor.every. Expected a duration such as'],
    ['{ every: 5, folder: w }', 'in anchor.every. Expected a duration such as'],
    ['{ tsa: "ftp://a" }', 'in anchor.tsa. Expected an address such as'],
    [
      '{ tsa: "https://a b/" }',
      'Expected an address such as https://freetsa.org/tsr, without a user or password',
    ],
    ['{ tsa: "https://me:secret@a.b/" }', 'without a user or password'],
    ['{ slack: "#log" }', 'Expected a Slack channel id such as'],
    ['{ floder: w }', 'unknown key "floder" in anchor. Did you mean "folder"?'],
  ])('%s is refused in words', (text, words) => {
    expect((anchorIn(text) as string[]).join('\n')).toContain(words)
  })
})
