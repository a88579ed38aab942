import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { address, text } from '../../src/lib/view/view.ts'

export const bellhopConsole = defineQuery({
  name: 'bellhop console',
  summary: 'Get a link that signs you in to the web console',
  area: 'bellhop',
  input: z.object({}),
  examples: ['bellhop console'],
  uses: [],
  personal: true,
  async run(_, { records }) {
    const link = await records.signInLink()
    if (!link.ok) return link
    return answer(
      {
        title: 'Sign in to the console',
        tone: 'plain',
        blocks: [
          text(
            'Open this link in your browser within five minutes. It works once, and signs in whoever opens it as you: give it to nobody.',
          ),
          address('Open the console', link.value),
        ],
        footer: 'The session lasts 12 hours. bellhop sessions lists and ends yours.',
      },
      { secret: true },
    )
  },
})
