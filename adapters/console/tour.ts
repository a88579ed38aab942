import { verbs } from '../../src/lib/view/button-labels.ts'
import type { Persona } from './actions.ts'

/** `as` is who should say the line, where that matters. */
export type TourStep = { words: string; line?: string; as?: string }

/** The two minutes in which a stranger moves money safely; made for the demo's people and its sandbox. */
export const tourFor = (people: readonly Persona[], demo: boolean): TourStep[] => {
  const asks = people.find(({ roles }) => roles.includes('support'))
  const decides = people.find(({ roles }) => roles.includes('finance'))
  if (!demo || asks === undefined || decides === undefined) {
    return [
      { words: 'See what you may do here.', line: 'bellhop help' },
      { words: 'See who the bot thinks you are.', line: 'bellhop whoami' },
      { words: 'See what waits for a decision.', line: 'approval list' },
    ]
  }
  return [
    {
      words: `As ${asks.name}, ask for a refund. The card says how much goes to whom, what speaks for it, and who must approve it.`,
      line: 'refund pay_1001 120 --customer cus_1001',
      as: asks.id,
    },
    {
      words: `As ${decides.name}, read the card and press ${verbs.approve.label} 120 USD. Its details say why it needs you: ${verbs.why.label}.`,
      as: decides.id,
    },
    { words: 'See the refund where the money is.', line: 'transaction refunds cus_1001' },
    { words: `As ${decides.name}, prove that the record is whole.`, line: 'audit verify', as: decides.id },
    { words: 'Draw the whole list of subscribers.', line: 'subscriber stats' },
  ]
}
