import { isActing } from '../../lib/view/button-labels.ts'
import type { Command, Definition } from '../command/define.ts'
import type { Registry } from '../command/registry.ts'
import type { Inbound, Intent } from '../messenger/inbound.ts'

/** Decisions and the brake: nobody's look-ups and requests hold them back, their own neither. */
export const isUrgent = (registry: Registry, intent: Intent): boolean => {
  if (intent.kind === 'press') return isActing(intent.verb)
  if (intent.kind === 'reply') return false
  return intent.kind === 'line'
    ? isUrgentLine(registry, intent.line)
    : isUrgentCommand(registry.get(intent.command))
}

export const isUrgentLine = (registry: Registry, line: string): boolean =>
  isUrgentCommand(commandIn(registry, line))

/** What was asked for and where, without anything that somebody typed. */
export const nameOf = (registry: Registry, { from, intent }: Pick<Inbound, 'from' | 'intent'>): string => {
  const command =
    intent.kind === 'press'
      ? `press ${intent.verb}`
      : intent.kind === 'reply'
        ? 'reply'
        : (intent.kind === 'line' ? commandIn(registry, intent.line) : registry.get(intent.command))?.name
  return `${from.platform}: ${command ?? 'other'}`
}

/** By its first words alone. */
const commandIn = (registry: Registry, line: string): Command | undefined => {
  const [noun = '', verb = ''] = line.slice(0, 100).trim().replace(/^\//, '').toLowerCase().split(/\s+/, 2)
  return registry.get(noun) ?? registry.get(`${noun} ${verb}`)
}

export const isUrgentCommand = (command: Definition | undefined): boolean =>
  command?.kind === 'decision' || (command?.kind === 'change' && command.urgent === true)
