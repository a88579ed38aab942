import type { Registry } from '../../../src/command/registry.ts'
import type { FormDraft } from '../../../src/messenger/bot.ts'
import type { Form } from '../../../src/messenger/inbound.ts'

/** The form for a draft, as the core would ask. */
export const formOf = (registry: Registry, { command: name, values }: FormDraft): Form | undefined => {
  const command = registry.get(name)
  if (command === undefined) return undefined
  const { summary: title, params: fields } = command
  return { command: name, title, fields, values: byParamName(registry, name, values) }
}

/** What came by flag, by name. */
export const byParamName = <V>(
  registry: Registry,
  command: string,
  values: Record<string, V>,
): Record<string, V> => {
  const params = registry.get(command)?.params ?? []
  const nameOf = (key: string) => params.find(({ flag, name }) => flag === key || name === key)?.name ?? key
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [nameOf(key), value]))
}
