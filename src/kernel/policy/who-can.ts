import { fewNames } from '../../lib/view/format.ts'
import { facts, note, table, type View } from '../../lib/view/view.ts'
import { needsOf } from '../law/clauses.ts'
import type { Party } from '../model/change.ts'
import { rangeWords } from './explain.ts'
import { isAnyMatch } from './pattern.ts'
import { mayApprove, mayRun } from './people.ts'
import type { Need, Policy } from './policy.ts'
import { isListedIn } from './workspaces.ts'

/** Who may run a command and who may approve it, and the rules that speak of it: for its name, with nothing behind it. */
export const whoCanView = (
  policy: Policy,
  { space }: Pick<Party, 'space'>,
  command: string,
  names: readonly string[],
): View => {
  const whoever = (may: (who: { roles: readonly string[] }) => boolean): string => {
    const roles = Object.keys(policy.roles).filter((role) => may({ roles: [role] }))
    const people = policy.people.filter(
      ({ id, roles: own }) => may({ roles: own }) && isListedIn(policy, id, { requester: { space } }),
    )
    return roles.length === 0
      ? 'nobody yet'
      : `${roles.join(', ')}: ${fewNames(
          people.map(({ name }) => name),
          'nobody whom bellhop.yml lists',
        )}`
  }
  const rules = policy.policies.filter(({ commands }) => isAnyMatch(commands, names))
  return {
    title: `Who can run and approve ${command}`,
    tone: 'plain',
    blocks: [
      facts({
        'May run it': whoever((who) => mayRun(policy, who, names)),
        'May approve it': whoever((who) => mayApprove(policy, who, names)),
      }),
      ...(rules.length === 0
        ? [note('plain', 'No rule speaks of it: what holds without one is in docs/policy.md.')]
        : [
            table(
              ['Rule', 'For', 'Needs'],
              rules.map(({ name, amount, require }) => [
                name,
                rangeWords(amount),
                require.length === 0 ? 'nothing' : require.map(needWords).join(' and '),
              ]),
            ),
          ]),
      note('plain', `policy explain and a whole line says which of them decides.`),
    ],
  }
}

const needWords = (need: Need): string =>
  needsOf(need.kind === 'confirm' ? need : { ...need, from: [...need.from], because: '' })
