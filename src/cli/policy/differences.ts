import type { Past } from '../../kernel/change/deciding/decide-clauses.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { Core } from '../../kernel/core.ts'
import { clausesOf, combine, isManagerless, needsOf } from '../../kernel/law/clauses.ts'
import type { Clause } from '../../kernel/model/change.ts'
import type { Explained, LookUp } from '../../kernel/policy/explain-view.ts'
import type { PolicyTest } from '../../kernel/policy/file/schema.ts'
import { managersOf } from '../../kernel/policy/people.ts'
import { judgeLine, type LineRequest, readRequest } from '../../kernel/request/look-ups/explain.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/view/did-you-mean.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { refusal, refusalLine } from '../../lib/view/refusals.ts'

/** Whoever runs the tests sits at the machine, so everybody's requests are explained to them. */
const tester: Actor = {
  person: '',
  name: 'a test',
  known: false,
  roles: [],
  platform: 'terminal',
  account: '',
  operator: 'a test',
}

/** In what the policy decides otherwise than a test expects; nothing if it passes. */
export const differencesFrom = async (core: Core, test: PolicyTest): Promise<string[]> => {
  const past = await pastOf(core, test)
  if (!past.ok) return [sentenceOf(past)]
  const judged = await judgeLine(core, tester, test.line, test.as, past.value)
  const { expect } = test
  if (!judged.ok) {
    return expect.refused === true && judged.refusal.code === 'may_not_run'
      ? []
      : [`It is refused: ${sentenceOf(judged)}`]
  }
  const isRefused = 'decision' in judged.value && judged.value.decision.clauses.some(isManagerless)
  if (expect.refused === true && isRefused) return []
  return [
    ...(expect.refused === true ? ['It was expected to be refused, and is not.'] : []),
    ...differencesIn(core, expect, judged.value),
  ]
}

const sentenceOf = ({ refusal: refused }: Extract<Result<unknown>, { ok: false }>): string =>
  refusalLine(refused)

const differencesIn = (
  { policy }: Pick<Core, 'policy'>,
  expect: PolicyTest['expect'],
  judged: Explained | LookUp,
): string[] => {
  if (!('decision' in judged)) {
    return expect.refused === true ? [] : ['It asks for no change, so no rule is about it.']
  }
  const { decision, explanation } = judged
  const managers = managersOf(policy, judged.requester.person, judged.requester.space)
  const wanted = expect.require && combine(clausesOf(expect.require, '', undefined, managers))
  const why = explanation.rules.find(({ name }) => name === expect.rule)?.why
  const guess = didYouMean(
    expect.rule ?? '',
    policy.policies.map(({ name }) => name),
  )
  const hint = why ?? (guess === undefined ? 'There is no such rule.' : `Did you mean "${guess}"?`)
  return [
    ...(expect.rule === undefined || expect.rule === decision.rule
      ? []
      : [difference('rule', expect.rule, decision.rule), `  ${hint}`]),
    ...(wanted === undefined || wordsOf(wanted) === wordsOf(decision.clauses)
      ? []
      : [
          difference('require', wordsOf(wanted), wordsOf(decision.clauses)),
          ...decision.warnings.map(({ words }) => `  ${words}`),
        ]),
  ]
}

const difference = (key: string, expected: string, found: string): string =>
  `${key}: expected ${expected}, found ${found}`

/** The same words for the same clauses, in whatever order they and their roles are written. */
const wordsOf = (clauses: readonly Clause[]): string =>
  clauses.length === 0
    ? 'none'
    : clauses
        .map((clause) =>
          clause.kind === 'confirm'
            ? 'confirm'
            : needsOf({ ...clause, also: [], from: clause.from.toSorted() }),
        )
        .toSorted()
        .join(' and ')

type Earlier = Omit<LineRequest, 'target' | 'approveNames'> & { at: number }

/** What the test says was there before, in the place of the store: requests that were applied, and sums. */
const pastOf = async (core: Core, { as, before, spent }: PolicyTest): Promise<Result<Past>> => {
  const budgets = core.policy.budgets.map(({ name }) => name)
  const unknown = Object.keys(spent).find((name) => !budgets.includes(name))
  if (unknown !== undefined) {
    return no(
      refusal('bad_value', `spent: there is no budget ${asTyped(unknown)}.`, {
        next: budgets.length === 0 ? 'Leave it out.' : `Name one of: ${budgets.join(', ')}.`,
      }),
    )
  }
  const earlier: Earlier[] = []
  for (const one of before) {
    const read = await readRequest(core, tester, one.line, one.as ?? as)
    if (!read.ok) return no({ ...read.refusal, message: `before: ${read.refusal.message}` })
    if ('target' in read.value) earlier.push({ ...read.value, at: core.now() - one.ago })
  }
  return ok({
    isLookedUp: true,
    spent: async ({ name, rates }, { requester, names, since }) => [
      ...(spent[name] === undefined ? [] : [{ currency: rates?.to ?? null, sum: spent[name] }]),
      ...earlier
        .filter((one) => one.at >= since && one.names.some((each) => names.includes(each)))
        .filter((one) => requester === undefined || one.requester.person === requester)
        .map((one) => ({ currency: one.currency, sum: one.amount ?? 0 })),
    ],
    sameIntent: async (intent, since) =>
      earlier
        .filter((one) => one.intent === intent && one.at >= since)
        .map(({ requester, at }) => ({
          id: 'before',
          state: 'applied',
          createdAt: at,
          requester: { ...requester, roles: [...requester.roles] },
        })),
  })
}
