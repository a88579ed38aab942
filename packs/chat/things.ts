import { candidatesIn } from '../../src/kernel/command/candidate.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { recordsIn } from '../../src/lib/services/read-answer.ts'

export const things: NonNullable<Pack['things']> = {
  contact: {
    shownBy: ['contact find'],
    read: ({ chat, kept }) =>
      kept('contact', async () =>
        candidatesIn('contact', recordsIn((await chat.findContacts()).data, 'contacts'), {
          ids: ['_id', 'id'],
          names: ['name'],
          beside: ['mobile'],
        }),
      ),
  },
}
