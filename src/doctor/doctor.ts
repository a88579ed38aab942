import type { Registry } from '../command/registry.ts'
import type { Config, ReadableParts } from '../config.ts'
import {
  type CheckResult,
  checkPassed,
  type MessengerDefinition,
  type NamedByPolicy,
  type PostingChannel,
} from '../messenger/definition.ts'
import { groupsOn } from '../policy/people.ts'
import { checkAnchor } from './anchor.ts'
import { checkDatabase } from './database.ts'
import { checkLogKey } from './log-key.ts'
import { checkRecords } from './records.ts'
import { checkSealed } from './seal.ts'
import { checkServices } from './services.ts'
import { checkStream } from './stream.ts'
import { checkTraces } from './traces.ts'

/** Everything that a start would rely on, looked at once and changing nothing. The parts are checked at the same time. */
export const runChecks = async (
  config: Config,
  messengers: readonly MessengerDefinition[],
  registry: Registry,
): Promise<CheckResult[]> => {
  const { approvals, anchor: rule } = config.policy
  const channelsOf = (name: string): PostingChannel[] =>
    [
      ...approvals.map((one) => ({ ...one, key: 'approvals' })),
      ...Object.entries(rule?.channels ?? {}).map(([platform, channel]) => ({
        platform,
        channel,
        key: 'anchor',
      })),
    ]
      .filter(({ platform }) => platform === name)
      .map(({ channel, key }) => ({ id: channel, key }))
  const [parts, key, anchor, stream, sealed, records, traces] = await Promise.all([
    checkParts(config, messengers, registry, (name) => ({
      channels: channelsOf(name),
      groups: Object.keys(groupsOn(config.policy, name)),
      workspaces: config.policy.workspaces[name] ?? [],
    })),
    checkLogKey(config),
    checkAnchor(config),
    checkStream(config),
    checkSealed(config),
    checkRecords(config),
    checkTraces(config),
  ])
  return [...aboutConfig(config), ...parts, ...key, ...anchor, ...stream, ...sealed, ...records, ...traces]
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
  { services, database, messengers: on }: ReadableParts,
  messengers: readonly MessengerDefinition[],
  registry: Registry,
  namedOf: (name: string) => NamedByPolicy = () => ({ channels: [], groups: [] }),
): Promise<CheckResult[]> => {
  const parts = await Promise.all([
    database === undefined ? [] : checkDatabase(database),
    checkServices(services),
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
