import { buttonIdOf, readButton, shownIn } from '../../src/kernel/model/shown.ts'
import type { Need, Policy } from '../../src/kernel/policy/policy.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Coming, home } from './doors.ts'
import { decides, isListedIn } from './reference.ts'
import type { Account } from './world.ts'

/** Faults of the bot's surroundings that the model must notice: it would notice the same fault of the bot. */
export const faults = {
  'old groups': 'the messenger tells the groups that people were in at the start',
  'foreign accounts': 'accounts of another workspace come without it',
  'old policy': 'the file is never read again',
  'no budgets': 'the bot is told of no budget',
  'no repetitions': 'the bot is told of no rule about repetitions',
  'api call alone': 'api call does not know which commands use its endpoints',
  'new deliveries': 'what is delivered again has an id of its own',
  'nameless terminal': 'a line of the terminal does not say that it comes from there',
  'listed anyway': 'the bot is told of a person behind every account that the file does not list',
  'a said link steers money': 'what one person says of a link is stored as if somebody else had approved it',
  'fields pass for seen': 'nobody writes down who wrote what into a field of a service',
  'home taken for granted': 'accounts come as if of our workspace before it is known which that is',
  'votes outlive a change':
    'what was voted for before a request was changed is stored as voted for what it became',
  'who changed it approves': 'nobody writes down who changed a request',
  'stages upside down': 'the bot is told the stages in the wrong order',
  'stages in one': 'the bot is told that all stages are the first',
  'managers mixed up': 'the bot is told of another manager for everybody',
  'whom else forgotten': 'a request comes without whom its requester asks besides',
  'whom else in place of a rule': 'where a requester asks somebody besides, the bot is told of no rule',
  'marked without a digest': 'of what was read before several are decided, only the ids count',
  'a question decides': 'a question comes as an approval',
  'a button for whatever there is': 'a button comes as that of the request as it is by then',
  'a line for whatever there is': 'whoever decides by a line counts as shown what there is by then',
  'the console passes for a terminal': 'the console is not joined, as a place without cards',
  'an agent passes for its owner': 'what an agent asks comes as if its owner had asked',
  'a restore passes for nothing': 'after a restore nobody is asked again',
} as const
export type Fault = keyof typeof faults

/** Noticed only within hundreds of histories: more than the tests live. */
export const rare: ReadonlySet<Fault> = new Set([
  'old groups',
  'foreign accounts',
  'new deliveries',
  'stages upside down',
  'managers mixed up',
  'votes outlive a change',
  'whom else in place of a rule',
  'a said link steers money',
  'a restore passes for nothing',
])

export const policyGiven = (
  fault: Fault | undefined,
  now: Policy,
  first: Policy,
  accounts: readonly Account[],
): Policy => {
  if (fault === 'listed anyway') {
    const unlisted = accounts.filter((by) => decides(by) && !isListedIn({ policy: now }, by))
    const people = unlisted
      .filter(({ workspace }) => workspace === undefined)
      .map(({ platform, account }) => ({
        id: `also-${account}`,
        name: account,
        accounts: { [platform]: account },
        roles: [],
      }))
    return { ...now, people: [...now.people, ...people] }
  }
  if (fault === 'stages upside down') return withStages(now, (stage) => 3 - stage)
  if (fault === 'stages in one') return withStages(now, () => 1)
  if (fault === 'managers mixed up') {
    const { people } = now
    const others = people.map(({ manager, ...person }, at) =>
      manager === undefined
        ? person
        : { ...person, manager: people.at(at - people.findIndex(({ id }) => id === manager))?.id ?? manager },
    )
    return { ...now, people: others }
  }
  if (fault === 'old policy') return first
  if (fault === 'no budgets') return { ...now, budgets: [] }
  return fault === 'no repetitions' ? { ...now, duplicates: null } : now
}

const withStages = (policy: Policy, stageFor: (stage: number) => number): Policy => {
  const given = (needs: readonly Need[]): Need[] =>
    needs.map((need) =>
      need.kind === 'approvals' && need.stage !== undefined ? { ...need, stage: stageFor(need.stage) } : need,
    )
  return {
    ...policy,
    policies: policy.policies.map((rule) => ({ ...rule, require: given(rule.require) })),
    // biome-ignore lint/suspicious/noThenProperty: it is the word of the file
    budgets: policy.budgets.map((budget) => ({ ...budget, then: given(budget.then) })),
  }
}

/** The store as a bot with this fault would leave it. */
export const storeGiven = (fault: Fault | undefined, real: Store): Store => ({
  ...real,
  tx: (work, ...rest) => real.tx((inner) => work(storeGiven(fault, inner)), ...rest),
  changes: {
    ...real.changes,
    swap: async (next) => {
      if (fault === 'who changed it approves') return real.changes.swap({ ...next, changedBy: undefined })
      if (fault !== 'votes outlive a change') return real.changes.swap(next)
      const before = await real.changes.get(next.id)
      const isChanged = before !== null && before.line !== next.line
      const votes = before?.votes.map((vote) => ({ ...vote, digest: next.digest })) ?? []
      return real.changes.swap(isChanged ? { ...next, votes } : next)
    },
  },
  shown: {
    ...real.shown,
    last: async (person, id) => {
      const change = await real.changes.get(id)
      return fault === 'a line for whatever there is' && change !== null
        ? shownIn(change)
        : real.shown.last(person, id)
    },
  },
  drafts: {
    ...real.drafts,
    get: async (id) => {
      const kept = await real.drafts.get(id)
      const values = (kept?.doc as { values?: { id?: string[] } } | undefined)?.values
      if (fault === 'marked without a digest' && values?.id !== undefined)
        values.id = await Promise.all(
          values.id.map(async (one) => {
            const change = await real.changes.get(readButton(one).id)
            return change === null ? one : buttonIdOf(change)
          }),
        )
      return kept
    },
  },
})

export const byGiven = (fault: Fault | undefined, by: Account, agents: Policy['agents']): Account => {
  const owner = by.platform === 'mcp' ? agents.find(({ id }) => id === by.account)?.owner : undefined
  if (fault === 'foreign accounts') return { ...by, workspace: home }
  return fault === 'an agent passes for its owner' && owner !== undefined
    ? { platform: 'console', account: owner }
    : by
}

export const intentGiven = (fault: Fault | undefined, intent: Coming['intent']): Coming['intent'] => {
  if (fault === 'whom else forgotten' && intent.kind === 'line')
    return { ...intent, line: intent.line.split(' --also ')[0] ?? '' }
  return fault === 'a question decides' && intent.kind === 'press' && `${intent.verb}` === 'ask'
    ? { kind: 'press', verb: 'approve', id: intent.id }
    : intent
}

/** The press as a bot with this fault would read it. */
export const buttonGiven = async (fault: Fault | undefined, store: Store, intent: Coming['intent']) => {
  if (fault !== 'a button for whatever there is' || intent.kind !== 'press') return intent
  const change = await store.changes.get(readButton(intent.id).id)
  return change === null ? intent : { ...intent, id: buttonIdOf(change) }
}
