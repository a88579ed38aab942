import { z } from 'zod'
import { answer, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { when } from '../../src/lib/view/format.ts'
import { facts, list, text } from '../../src/lib/view/view.ts'

const pageSize = 5
const maxChanges = 20

export const policyHistory = defineQuery({
  name: 'policy history',
  title: 'Show policy versions',
  summary: 'Show every version of the policy that was in force, and what each changed',
  area: 'bellhop',
  input: z.object({ page: z.int().min(1).optional().describe('Which page to show') }),
  examples: ['policy history'],
  uses: [],
  async run({ page = 1 }, { records }) {
    const found = await records.policy.versions({ limit: pageSize, page })
    if (found.length === 0 && page > 1) return pastTheEnd(page)
    if (found.length === 0) {
      return answer({
        title: 'No version of the policy is on record yet',
        tone: 'plain',
        blocks: [text('A start of the bot records the first one.')],
      })
    }
    return answer(
      {
        title: 'Versions of the policy',
        tone: 'plain',
        blocks: found.slice(0, pageSize).flatMap(({ version, changes }) => [
          facts({
            Version: version.n,
            Digest: version.digest.slice(0, 12),
            'In force since': when(version.at),
            'Taken in by': version.name,
          }),
          list(wordsOf(version.n, changes)),
        ]),
        footer: `Page ${page}. policy show has the text of the one in force.`,
      },
      { pages: { previous: page > 1, next: found.length > pageSize } },
    )
  },
})

const wordsOf = (n: number, changes: string[]): string[] => {
  if (n === 1) return ['The first version on record.']
  if (changes.length === 0) return ['Nothing but comments and the way it is written.']
  const left = changes.length - maxChanges
  return left > 0 ? [...changes.slice(0, maxChanges), `And ${left} more.`] : changes
}
