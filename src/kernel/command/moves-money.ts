import { isMoneyIn } from '../../lib/services/endpoints/tables.ts'
import type { Change } from '../model/change.ts'
import type { ChangeCommand, Command } from './define.ts'
import { definitionOf, type Registry } from './registry.ts'

/** Whether a change that was asked for moves money. */
export const movesMoney = (
  { movesMoney: said, uses }: Pick<ChangeCommand, 'movesMoney' | 'uses'>,
  input: Record<string, unknown>,
): boolean => (typeof said === 'function' ? said(input) : (said ?? isMoneyIn(uses)))

/** Whether every request of a command moves money. */
export const isMoneyCommand = (command: Command): boolean =>
  command.kind === 'change' &&
  (command.movesMoney === undefined ? isMoneyIn(command.uses) : command.movesMoney === true)

/** The same of a change on record. What no command knows any more is judged as if it did. */
export const isMoneyChange = (registry: Registry, change: Pick<Change, 'command' | 'input'>): boolean => {
  const definition = definitionOf(registry, change)
  return definition === undefined || movesMoney(definition, change.input)
}
