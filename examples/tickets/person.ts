import { endsOfKind, found, note, type PersonPart, table, text, thing } from 'bellhop/pack'

/** The tickets that somebody wrote, by their address. */
export const person: PersonPart = {
  uses: ['tickets.findTickets'],
  look: ({ person: known }, { tickets }, within) => {
    const [address, ...others] = endsOfKind(known, 'email')
    if (address === undefined || others.length > 0) return undefined
    return async () => {
      const read = async () =>
        (await tickets.findTickets({ query: { requester: address.id } }, within())).data?.tickets
      const { value, why, isAsked } = await found(read, 'ticket')
      const all = value ?? []
      return {
        isFound: all.length > 0,
        isAsked,
        blocks:
          all.length === 0
            ? [note('plain', why ?? 'No tickets.')]
            : [
                text('Tickets'),
                table(
                  ['Id', 'Subject', 'Status'],
                  all.map((one) => [one.id, one.subject ?? '', one.status ?? '']),
                  all.map((one) => thing('ticket', one.id, { name: one.subject })),
                ),
              ],
      }
    }
  },
  absent: () => [note('plain', 'No address is known, so it was not asked.')],
}
