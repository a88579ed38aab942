import { textDigestOf } from '../../../lib/codecs/canonical-json.ts'
import { defined } from '../../../lib/defined.ts'
import { defaultGuesses } from '../../../lib/services/endpoints/tables.ts'
import type { PlatformKeys } from '../../messenger/definition.ts'
import { qualified, type Space, spaceOfId, workspaceIn } from '../../model/workspace.ts'
import type { EmergencyRule, Policy } from '../policy.ts'
import { reachFindings } from './approver-findings.ts'
import { doubtsAbout } from './doubts.ts'
import { type CommandRef, draftOf } from './draft.ts'
import { checkFindings } from './name-findings.ts'
import { fileSchema, type PolicyFile } from './schema.ts'
import { type Finding, shapeFindings, writtenAmounts } from './schema-findings.ts'
import { allPolicySections } from './sections.ts'
import { type Problem, readSource, type Source } from './source.ts'
import { hasAccounts } from './values.ts'
import { type VariableRule, variableFindings, variablesIn } from './variables.ts'

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
    whyNotVariable = () => undefined,
  }: {
    file: string
    commands: readonly CommandRef[]
    platforms: readonly PlatformKeys[]
    whyNotVariable?: VariableRule
  },
): Loaded {
  const source = readSource(text)
  const value = withoutEmptySections(source.value)
  if (value === undefined || value === null)
    return { ok: false, problems: source.problems.length > 0 ? inOrder(source.problems) : [emptyFile] }
  const read = fileSchema(platforms).safeParse(value)
  const draft = draftOf(value, read.data, commands, platforms)
  const plain = [
    ...shapeFindings(read.error?.issues ?? [], value, source),
    ...(read.success ? writtenAmounts(draft.policies.length, draft.budgets.length, source) : []),
    ...checkFindings(draft),
    ...variableFindings(value, whyNotVariable),
  ]
  // Who may approve what means nothing while the roles themselves cannot be read.
  const isRoleless = plain.some(({ path }) => path[0] === 'roles')
  const findings = isRoleless ? plain : [...plain, ...reachFindings(draft)]
  const problems = [...source.problems, ...findings.map((finding) => toProblem(finding, source))]
  if (problems.length > 0 || !read.success) return { ok: false, problems: inOrder(problems) }
  const policy = toPolicy(read.data, platforms, textDigestOf(text))
  const warnings = () => {
    const doubts = doubtsAbout(policy, { draft, commands })
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
      ...accountsOf(person, platforms),
      roles: shared(person.roles),
      ...defined({ address: person.email, zone: person.zone, manager: person.manager }),
    })),
    agents: file.agents.map((agent) => ({ ...agent, ...agentAccounts(agent, file, platforms) })),
    groups: file.groups,
    workspaces: file.workspaces as Policy['workspaces'],
    spaces: spacesNamed(file, platforms),
    roles: file.roles,
    everyone: file.everyone,
    approvals: channelsIn(file),
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
    ...linksOf(file.links),
    guesses: { ...defaultGuesses(), ...file.guesses },
    seal: file.seal ?? null,
    emergency: file.emergency ? emergencyOf(file.emergency) : null,
    variables: variablesIn(file).map(({ name }) => name),
    sections: Object.fromEntries(
      allPolicySections().map(({ key }) => [key, (file as Record<string, unknown>)[key]]),
    ),
  }
}

/** Nobody said that customers cannot write a field: what stands in it is their word. */
function linksOf({
  customersWrite,
  ...links
}: PolicyFile['links']): Pick<Policy, 'links' | 'customersWrite'> {
  return { links, customersWrite: (customersWrite as readonly string[] | undefined) ?? 'all' }
}

function emergencyOf({ for: forMs, ...rule }: NonNullable<PolicyFile['emergency']>): EmergencyRule {
  return { ...rule, forMs }
}

/** Workflows ask in every workspace where the owner of their agent is listed. */
function agentAccounts(
  { id, token, owner }: PolicyFile['agents'][number],
  { people }: PolicyFile,
  platforms: readonly PlatformKeys[],
): Accounts {
  const person = people.find((one) => one.id === owner)
  return firstOfEach(
    platforms.flatMap((platform): [string, string[]][] => {
      if (!hasAccounts(platform))
        return platform.accounts === 'agents' && !('workflow' in token) ? [[platform.name, [id]]] : []
      const { workflow } = platform.accounts
      if (!('workflow' in token) || workflow === undefined) return []
      const own = (person && idsIn(person, platform.name)) ?? []
      const workspaces = own.length === 0 ? [undefined] : own.map(workspaceIn)
      return [[platform.name, workspaces.map((workspace) => qualified(workspace, workflow))]]
    }),
  )
}

const accountsOf = (person: PolicyFile['people'][number], platforms: readonly PlatformKeys[]): Accounts =>
  firstOfEach(
    platforms.map((platform): [string, readonly string[]] => [
      platform.name,
      hasAccounts(platform)
        ? idsIn(person, platform.name)
        : platform.accounts === 'people'
          ? [person.id]
          : [],
    ]),
  )

type Accounts = Pick<Policy['people'][number], 'accounts' | 'elsewhere'>

/** In the first workspace before all others. */
const idsIn = (record: object, platform: string): readonly string[] => {
  const ids = ((record as Record<string, unknown>)[platform] ?? []) as readonly string[]
  return ids.toSorted(
    (one, other) => Number(workspaceIn(one) !== undefined) - Number(workspaceIn(other) !== undefined),
  )
}

const firstOfEach = (byPlatform: readonly (readonly [string, readonly string[]])[]): Accounts => {
  const elsewhere = byPlatform.flatMap(([platform, ids]) =>
    ids.slice(1).map((account) => ({ platform, account })),
  )
  return {
    accounts: Object.fromEntries(
      byPlatform.flatMap(([platform, [first]]) => (first === undefined ? [] : [[platform, first]])),
    ),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
  }
}

const channelsIn = ({ approvals }: PolicyFile): Policy['approvals'] =>
  Object.keys(approvals).flatMap((platform) =>
    idsIn(approvals, platform).map((channel) => ({ platform, channel })),
  )

/** By what is written of them, and the listed ones of which nothing is. */
const spacesNamed = (file: PolicyFile, platforms: readonly PlatformKeys[]): Space[] => {
  const named = platforms.filter(hasAccounts).flatMap(({ name, accounts: { workspace } }) => {
    const written = [
      ...file.people.flatMap((person) => idsIn(person, name)),
      ...Object.keys((file.groups as Policy['groups'])[name] ?? {}),
      ...idsIn(file.approvals, name),
    ]
    const listed = idsIn(file.workspaces, name).filter((id) => !workspace?.isOrganization?.(id))
    return [...written.map((id) => spaceOfId(name, id)), ...listed.map((id) => `${name}:${id}`)]
  })
  return [...new Set([undefined, ...named])]
}
