import { printDuration } from '../../lib/codecs/duration.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { fewNames, money } from '../../lib/view/format.ts'
import { type Block, facts, list, note, table, type View } from '../../lib/view/view.ts'
import type { Words } from '../../lib/view/words.ts'
import { needsOf } from '../law/clauses.ts'
import { afterWords, usedWords } from './budget.ts'
import type { PolicyDecision } from './evaluate.ts'
import type { Explanation } from './explain.ts'
import { wordsOfTerms } from './rule-terms.ts'

export type LookUp = {
  line: string
  requester: { person: string; name: string; space?: string | undefined; roles: readonly string[] }
}

export type Explained = LookUp & {
  amount: number | null
  currency: string | null
  decision: PolicyDecision
  explanation: Explanation
  /** What stands in the way or could not be looked at, in sentences. */
  notes: readonly Words[]
}

/** How many rules for other commands are shown. */
const maxOthers = 10

/** An explanation as people read it, in chat and in the terminal. */
export const explanationView = (explained: Explained): View => {
  const { line, requester, amount, currency, decision, explanation, notes } = explained
  const { rules, clauses, budgets } = explanation
  const numbered = rules.map((rule, index) => ({ ...rule, at: index + 1 }))
  const leftOut = new Set(numbered.filter(({ isAboutIt }) => !isAboutIt).slice(maxOthers))
  const shown = numbered.filter((rule) => !leftOut.has(rule))
  return {
    title: line,
    tone: 'plain',
    blocks: [
      facts({
        'Asked by': `${requester.name} (${requester.roles.join(', ') || 'no role'})`,
        Amount: amount === null ? 'not known' : money(amount, { code: currency }),
        Decides: decision.rule,
        Needs:
          decision.clauses.length === 0
            ? 'nothing: it runs at once'
            : decision.clauses.map(needsOf).join(' and '),
        'Waits at most': decision.clauses.length === 0 ? undefined : printDuration(decision.expiresInMs),
        ...Object.fromEntries(wordsOfTerms(decision)),
        Policy: decision.policy.slice(0, 12),
      }),
      ...(rules.length === 0
        ? []
        : [
            table(
              ['No.#', 'Rule', 'Decides', 'Why'],
              shown.map(({ name, decides, why, at }) => [`${at}`, name, decides ? 'yes' : 'no', why]),
            ),
          ]),
      ...(leftOut.size > 0
        ? [note('plain', `${plural(leftOut.size, 'more rule')}, for other commands.`)]
        : []),
      ...(decision.matched.length === 0
        ? [note('plain', `No rule matches, so the ${decision.rule} holds.`)]
        : []),
      ...clauseBlocks(clauses),
      ...(budgets.length === 0 ? [] : [budgetTable(budgets, explained)]),
      ...[...decision.warnings.map(({ words }) => words), ...notes].map((words) => note('warn', words)),
    ],
  }
}

const clauseBlocks = (clauses: Explanation['clauses']): Block[] =>
  clauses.length === 0
    ? []
    : [
        list(
          clauses.map(({ clause, people, viaGroups, isPossible }) => {
            if (clause.kind === 'confirm') return `${needsOf(clause)}; today: ${fewNames(people)}.`
            const who = [
              ...(people.length === 0 ? [] : [fewNames(people)]),
              ...(viaGroups.length === 0 ? [] : [`whoever is listed and in ${viaGroups.join(' or ')}`]),
            ].join(', and ')
            const today = isPossible
              ? `today: ${who}`
              : `today nobody can satisfy it: it needs ${clause.count}, and there ${people.length === 1 ? 'is' : 'are'} ${fewNames(people)}`
            return `${needsOf(clause)} (${clause.because}); ${today}.`
          }),
        ),
      ]

const budgetTable = (budgets: Explanation['budgets'], asked: Explained): Block =>
  table(
    ['Budget', 'For', 'Used', 'With this one'],
    budgets.map((use) => [
      use.budget.name,
      use.budget.per,
      usedWords(use),
      use.isOver
        ? `${afterWords(use, asked)}, over it: ${use.budget.then.map((need) => needsOf(need.kind === 'confirm' ? need : { ...need, from: [...need.from], because: '' })).join(' and ')} as well`
        : `${afterWords(use, asked)}, within it`,
    ]),
  )

/** A line that asks for nothing that a rule could be about. */
export const lookUpView = ({ line, requester }: LookUp): View => ({
  title: line,
  tone: 'plain',
  blocks: [
    note(
      'plain',
      `${requester.name} may say it. It asks for no change, so no rule of the policy is about it.`,
    ),
  ],
})
