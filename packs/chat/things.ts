import { candidatesIn } from '../../src/command/candidate.ts'
import type { Pack } from '../../src/command/pack.ts'
import { recordsIn } from '../../src/services/read-answer.ts'

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
