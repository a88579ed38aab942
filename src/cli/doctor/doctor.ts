import type { Registry } from '../../kernel/command/registry.ts'
import { allFeatures, toldByFeatures } from '../../kernel/feature.ts'
import {
  type CheckResult,
  checkPassed,
  type MessengerDefinition,
  type NamedByPolicy,
  type PostingChannel,
} from '../../kernel/messenger/definition.ts'
import { groupsOn } from '../../kernel/policy/people.ts'
import type { Config, ReadableParts } from '../start/config.ts'
import { checkDatabase } from './database.ts'
import { checkLogKey } from './log-key.ts'
import { checkRecords, fromStore } from './records.ts'
import { checkSealed } from './seal.ts'
import { checkServices } from './services.ts'

/** Everything that a start would rely on, looked at once and changing nothing. The parts are checked at the same time. */
export const runChecks = async (
  config: Config,
  messengers: readonly MessengerDefinition[],
  registry: Registry,
): Promise<CheckResult[]> => {
  const channelsOf = (name: string): PostingChannel[] =>
    [
      ...config.policy.approvals.map((one) => ({ ...one, key: 'approvals' })),
      ...allFeatures().flatMap(({ posts }) => posts?.(config.policy) ?? []),
    ]
      .filter(({ platform }) => platform === name)
      .map(({ channel, key }) => ({ id: channel, key }))
  const [parts, key, ofFeatures, sealed, records] = await Promise.all([
    checkParts(config, messengers, registry, (name) => ({
      channels: channelsOf(name),
      groups: Object.keys(groupsOn(config.policy, name)),
      workspaces: config.policy.workspaces[name] ?? [],
    })),
    checkLogKey(config),
    toldByFeatures(({ doctor }) =>
      doctor?.({ ...config, fromStore: (look) => fromStore(config.database, look) }),
    ),
    checkSealed(config),
    checkRecords(config),
  ])
  return [...aboutConfig(config), ...parts, ...key, ...ofFeatures, ...sealed, ...records]
}

/** A bot on made-up data is not one that works for anybody yet. */
export const closingWords = (findings: readonly CheckResult[], isOnlyDemo: boolean): string => {
  const failed = findings.filter(({ ok }) => !ok).length
  if (failed > 0) return `${failed} of ${findings.length} need attention.`
  return isOnlyDemo
    ? 'Nothing is wrong, and only the demo is on: it runs on made-up data. Set a messenger and the services in the environment to go on (docs/deploy.md).'
    : 'Everything is working.'
}

/** What can be looked at without a policy. */
export const checkParts = async (
  { services, database, inherited, messengers: on }: ReadableParts,
  messengers: readonly MessengerDefinition[],
  registry: Registry,
  namedOf: (name: string) => NamedByPolicy = () => ({ channels: [], groups: [] }),
): Promise<CheckResult[]> => {
  const parts = await Promise.all([
    database === undefined ? [] : checkDatabase(database),
    checkServices(services, inherited),
    ...(on === undefined ? [] : messengers).map(({ name, turnOn, check }) =>
      on?.[name] === undefined
        ? [checkPassed(name, `off. Set ${turnOn} to turn it on.`)]
        : check(on[name], registry, namedOf(name)),
    ),
  ])
  return parts.flat()
}

const aboutConfig = ({ demo, policy, policySource, warnings, http }: Config): CheckResult[] => [
  checkPassed(
    'configuration',
    `${demo ? 'nothing is set: this would be the demo' : 'complete'}; it would listen on ${http.host}:${http.port}.`,
  ),
  checkPassed(
    'policy',
    `${policySource.from}: people ${policy.people.length}, roles ${Object.keys(policy.roles).length}, rules ${policy.policies.length}, budgets ${policy.budgets.length}.`,
  ),
  ...warnings().map((warning) => checkPassed('note', warning)),
]
