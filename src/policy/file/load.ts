import { defined } from '../../defined.ts'
import type { PlatformKeys } from '../../messenger/definition.ts'
import { textDigestOf } from '../../model/canonical-json.ts'
import { defaultGuesses } from '../../services/endpoints/tables.ts'
import type { AnchorRule, EmergencyRule, Policy } from '../policy.ts'
import { orphanFindings, reachFindings, thinFindings } from './approver-findings.ts'
import { wideBudgets } from './budget-findings.ts'
import { decisionTable } from './decision-table.ts'
import { type CommandRef, draftOf } from './draft.ts'
import { largerForms } from './form-findings.ts'
import { checkFindings } from './name-findings.ts'
import { holes, idleRules, unmetDemands } from './rule-findings.ts'
import { fileSchema, hasAccounts, type PolicyFile } from './schema.ts'
import { type Finding, shapeFindings, writtenAmounts } from './schema-findings.ts'
import { type Problem, readSource, type Source } from './source.ts'

/** What is doubtful about a policy is looked for when somebody asks: no start waits for it. */
export type Loaded =
  | { ok: true; policy: Policy; warnings(): string[] }
  | { ok: false; problems: readonly Problem[] }

/** Reads bellhop.yml, and finds all that is wrong with it at once. */
export function loadPolicy(
  text: string,
  {
    file,
    commands,
    platforms,
  }: { file: string; commands: readonly CommandRef[]; platforms: readonly PlatformKeys[] },
): Loaded {
  const source = readSource(text)
  const value = withoutEmptySections(source.value)
  if (value === undefined || value === null)
    return { ok: false, problems: source.problems.length > 0 ? inOrder(source.problems) : [emptyFile] }
  const draft = draftOf(value, commands, platforms)
  const read = fileSchema(platforms).safeParse(value)
  const plain = [
    ...shapeFindings(read.error?.issues ?? [], value, source),
    ...(read.success ? writtenAmounts(draft.policies.length, draft.budgets.length, source) : []),
    ...checkFindings(draft),
  ]
  // Who may approve what means nothing while the roles themselves cannot be read.
  const isRoleless = plain.some(({ path }) => path[0] === 'roles')
  const findings = isRoleless ? plain : [...plain, ...reachFindings(draft)]
  const problems = [...source.problems, ...findings.map((finding) => toProblem(finding, source))]
  if (problems.length > 0 || !read.success) return { ok: false, problems: inOrder(problems) }
  const policy = toPolicy(read.data, platforms, textDigestOf(text))
  const warnings = () => {
    const table = decisionTable(policy, commands)
    const doubts = [
      ...[idleRules, holes, unmetDemands, largerForms, wideBudgets].flatMap((find) => find(policy, table)),
      ...thinFindings(draft),
      ...orphanFindings(draft),
    ]
    return formatProblems(file, inOrder(doubts.map((finding) => toProblem(finding, source))))
  }
  return { ok: true, policy, warnings }
}

/** One line each, in the form that editors and terminals make clickable. */
export const formatProblems = (file: string, problems: readonly Problem[]): string[] =>
  problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)

const emptyFile: Problem = {
  line: 1,
  column: 1,
  message: 'the file is empty. Expected at least "version: 1", people, roles and policies.',
}

export const toProblem = ({ path, on, message }: Finding, source: Source): Problem => ({
  ...source.at(path, on),
  message,
})

export const inOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((one, other) => one.line - other.line || one.column - other.column)

/** `policies:` with every entry commented out is as good as no `policies:`. */
function withoutEmptySections(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([key, section]) => section !== null || key === 'version'),
  )
}

function toPolicy(file: PolicyFile, platforms: readonly PlatformKeys[], digest: string): Policy {
  const lists = new Map<string, readonly string[]>()
  const shared = (roles: readonly string[]): readonly string[] => {
    const key = JSON.stringify(roles)
    if (!lists.has(key)) lists.set(key, roles)
    return lists.get(key) ?? roles
  }
  return {
    version: file.version,
    digest,
    people: file.people.map((person) => ({
      id: person.id,
      name: person.name,
      accounts: accountsOf(person, platforms),
      roles: shared(person.roles),
      ...defined({ zone: person.zone, manager: person.manager }),
    })),
    agents: file.agents.map((agent) => ({ ...agent, accounts: agentAccounts(agent, platforms) })),
    groups: file.groups,
    roles: file.roles,
    everyone: file.everyone,
    approvals: file.approvals,
    administrators: file.administrators,
    policies: file.policies.map(({ expiresIn, hold, remind, escalate, ...rule }) => ({
      ...rule,
      ...defined({
        expiresInMs: expiresIn,
        holdMs: hold,
        remindMs: remind?.toSorted((one, other) => one - other),
        escalate: escalate && { afterMs: escalate.after, to: escalate.to },
      }),
    })),
    budgets: file.budgets.map(({ window, ...budget }) => ({ ...budget, windowMs: window })),
    duplicates: file.duplicates ? { windowMs: file.duplicates.window } : null,
    unseen: file.unseen,
    reasons: file.reasons,
    zone: file.zone,
    bulk: file.bulk,
    links: file.links,
    guesses: { ...defaultGuesses(), ...file.guesses },
    anchor: file.anchor ? anchorOf(file.anchor) : null,
    stream: file.stream ?? null,
    webhooks: file.webhooks,
    seal: file.seal ?? null,
    emergency: file.emergency ? emergencyOf(file.emergency) : null,
  }
}

function emergencyOf({ for: forMs, ...rule }: NonNullable<PolicyFile['emergency']>): EmergencyRule {
  return { ...rule, forMs }
}

function anchorOf({ every, folder, tsa, ...channels }: NonNullable<PolicyFile['anchor']>): AnchorRule {
  return { everyMs: every, channels: channels as Record<string, string>, ...defined({ folder, tsa }) }
}

const agentAccounts = (
  { id, token }: PolicyFile['agents'][number],
  platforms: readonly PlatformKeys[],
): Record<string, string> =>
  Object.fromEntries(
    platforms.flatMap((platform) => {
      const account = hasAccounts(platform)
        ? 'workflow' in token && platform.accounts.workflow
        : platform.accounts === 'agents' && !('workflow' in token) && id
      return account ? [[platform.name, account]] : []
    }),
  )

function accountsOf(person: PolicyFile['people'][number], platforms: readonly PlatformKeys[]) {
  const given: Record<string, unknown> = person
  const entries = platforms.map((platform) => [
    platform.name,
    hasAccounts(platform) ? given[platform.name] : platform.accounts === 'people' ? person.id : undefined,
  ])
  return Object.fromEntries(entries.filter(([, account]) => account !== undefined)) as Record<string, string>
}
