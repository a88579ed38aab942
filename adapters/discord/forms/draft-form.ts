import type { Registry } from '../../../src/command/registry.ts'
import type { Bot, FormDraft } from '../../../src/messenger/bot.ts'
import { type Form, formFor } from '../../../src/messenger/form.ts'

/** The form for a draft, as the core would ask. */
export const formOf = (
  { registry, reasons }: Pick<Bot, 'registry' | 'reasons'>,
  { command: name, values }: FormDraft,
): Form | undefined => {
  const command = registry.get(name)
  return command && formFor(command, byParamName(registry, name, values), { usual: reasons() })
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
