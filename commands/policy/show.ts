import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { when } from '../../src/lib/view/format.ts'
import { code, facts } from '../../src/lib/view/view.ts'

export const policyShow = defineQuery({
  name: 'policy show',
  summary: 'Show the policy file that is in force, and since when',
  area: 'bellhop',
  input: z.object({}),
  examples: ['policy show'],
  uses: [],
  async run(_, { records }) {
    const { digest, text, version } = await records.policy.inForce()
    return answer(
      {
        title: 'The policy in force',
        tone: 'plain',
        blocks: [
          facts({
            Version: version?.n,
            Digest: digest,
            'In force since': version && when(version.at),
            'Taken in by': version?.name,
            File: version?.source,
          }),
          ...(text === undefined ? [] : [code(text)]),
        ],
        footer: 'policy history shows what each version changed.',
      },
      text === undefined ? {} : { file: { name: 'bellhop.yml', type: 'application/yaml', content: text } },
    )
  },
})
