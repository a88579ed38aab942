import { isDeepStrictEqual } from 'node:util'
import type { REST } from '@discordjs/rest'
import type { Registry } from '../../../src/kernel/command/registry.ts'
import { createDiscordApi, type DiscordApiConfig } from '../transport/api.ts'
import { type DiscordCommand, discordCommandsOf } from './definitions.ts'

export type Registration = {
  /** What differs, a line each; empty when everything is as it should be. */
  lines: string[]
  isPut: boolean
}

/** Compares what is registered with what is defined, and puts it only when they differ. */
export const registerCommands = (
  config: DiscordApiConfig,
  registry: Registry,
  { dryRun }: { dryRun: boolean },
): Promise<Registration> =>
  putCommands(createDiscordApi(config).rest, config.applicationId, discordCommandsOf(registry), dryRun)

export const putCommands = async (
  rest: REST,
  applicationId: string,
  wanted: DiscordCommand[],
  dryRun = false,
): Promise<Registration> => {
  const route = `/applications/${applicationId}/commands` as const
  const lines = differencesOf((await rest.get(route)) as Named[], wanted as unknown as Named[])
  if (lines.length === 0 || dryRun) return { lines, isPut: false }
  await rest.put(route, { body: wanted })
  return { lines, isPut: true }
}

/** What differs between the commands that Discord lists and those of the registry, a line each. */
export const commandDifferences = (listed: readonly { name: string }[], registry: Registry): string[] =>
  differencesOf(listed as Named[], discordCommandsOf(registry) as unknown as Named[])

type Named = { name: string; options?: Named[] } & Record<string, unknown>

/** `+ /refund`, `- /old`, `~ /upgrade plan-id: description`. */
const differencesOf = (there: readonly Named[], wanted: readonly Named[], path = '/'): string[] => [
  ...wanted.flatMap((one) => {
    const other = there.find(({ name }) => name === one.name)
    const here = `${path}${one.name}`
    if (other === undefined) return [`+ ${here}`]
    const [before, after] = [normalized(other), normalized(one)]
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (key) => !isDeepStrictEqual(before[key], after[key]),
    )
    const [options, wantedOptions] = [other.options ?? [], one.options ?? []]
    const isMoved =
      isDeepStrictEqual(namesOf(options).toSorted(), namesOf(wantedOptions).toSorted()) &&
      !isDeepStrictEqual(namesOf(options), namesOf(wantedOptions))
    return [
      ...keys.map((key) => `~ ${here}: ${key}`),
      ...(isMoved ? [`~ ${here}: order of options`] : []),
      ...differencesOf(options, wantedOptions, `${here} `),
    ]
  }),
  ...there
    .filter(({ name }) => !wanted.some((one) => one.name === name))
    .map(({ name }) => `- ${path}${name}`),
]

/** What Discord adds or leaves out by itself says nothing. */
const normalized = (command: Named): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(command)
      .filter(([key, value]) => compared.has(key) && !isDefault(key, value))
      .map(([key, value]) => [key, key === 'choices' ? choicesOf(value) : value]),
  )

const compared = new Set([
  'type',
  'description',
  'required',
  'choices',
  'min_value',
  'max_value',
  'min_length',
  'max_length',
  'autocomplete',
  'default_member_permissions',
  'contexts',
  'integration_types',
  'nsfw',
])

const isDefault = (key: string, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (key === 'integration_types' && isDeepStrictEqual(value, [0]))

const choicesOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(({ name, value: chosen }) => ({ name, value: chosen })) : value

const namesOf = (all: readonly Named[]): string[] => all.map(({ name }) => name)
