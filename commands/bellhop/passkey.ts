import { createHash } from 'node:crypto'
import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineChange, defineQuery, defineSwitch } from '../../src/kernel/command/define.ts'
import { no, ok } from '../../src/lib/result.ts'
import { when } from '../../src/lib/view/format.ts'
import { quoted } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { address, facts, note, text } from '../../src/lib/view/view.ts'

const input = z.object({
  key: z
    .string()
    .max(2_000)
    .optional()
    .describe('A key that was just made on the page of the link, to ask for its approval'),
})

const about = {
  name: 'bellhop passkey',
  title: 'Make a passkey',
  summary: 'Get a link to make a passkey, with which large sums are signed',
  input,
  examples: ['bellhop passkey'],
  uses: [],
  personal: true,
} as const

const giveLink = defineQuery({
  ...about,
  area: 'bellhop',
  async run(_, { records }) {
    const link = await records.passkeys.link()
    if (!link.ok) return link
    return answer(
      {
        title: 'Make a passkey',
        tone: 'plain',
        blocks: [
          text(
            'Open this link within fifteen minutes, on the phone or the computer that is to sign. It works once, and makes a key for you: give it to nobody.',
          ),
          address('Make the passkey', link.value),
        ],
        footer: 'Somebody else approves the key before it counts. bellhop passkeys lists and removes yours.',
      },
      { secret: true },
    )
  },
})

const enrol = defineChange({
  ...about,
  area: 'bellhop',
  plan: z.object({
    key: z.string(),
    person: z.string(),
    owner: z.string(),
    name: z.string(),
    publicKey: z.string(),
    madeAt: z.number(),
    isCopied: z.boolean(),
  }),
  // A key decides about money in somebody's name, so nobody gets one alone, the first as little as the next.
  needs: () => 'approval',
  repeatable: true,
  async prepare({ key = '' }, { records, actor }) {
    const made = await records.passkeys.get(key)
    if (made === undefined || made.person !== actor.person) {
      return no(refusal('not_found', 'You have made no such key.', { next: 'Run bellhop passkey.' }))
    }
    const { id, person, name, publicKey, madeAt, isCopied } = made
    return ok({ key: id, person, owner: actor.name, name, publicKey, madeAt, isCopied })
  },
  preview: ({ owner, name, publicKey, madeAt, isCopied }) => ({
    title: `Enrol the passkey ${quoted(name)} of ${owner}`,
    tone: 'warn',
    blocks: [
      facts({
        Person: owner,
        Key: name,
        Made: when(madeAt),
        Fingerprint: createHash('sha256')
          .update(Buffer.from(publicKey, 'base64url'))
          .digest('hex')
          .slice(0, 32),
        Kept: isCopied ? 'by a service that copies it between devices' : 'on one device',
      }),
      note('warn', `Ask ${owner} in person whether they made it: whoever holds this key signs as ${owner}.`),
    ],
  }),
  async apply({ key, name, owner }, { passkeys }) {
    return {
      message: (await passkeys.enrol(key))
        ? `The passkey ${quoted(name)} of ${owner} is enrolled.`
        : 'Nothing was done: the key is no longer there, or nobody else has approved it.',
      understood: true,
    }
  },
  lookUps: () => ['bellhop passkeys'],
})

/** Without a key it gives the link to make one; the page of that link asks for the approval of what was made. */
export const bellhopPasskey = defineSwitch({
  ...about,
  movesMoney: false,
  choose: ({ key }) => ok(key === undefined ? giveLink : enrol),
})
