import type { Area } from '../approvals/change.ts'
import type { Registry } from '../command/registry.ts'

/** The commands as the policy file may name them. One that can reach any service counts as billing: the strictest. */
export const knownCommands = (registry: Registry): { name: string; area: Area }[] =>
  registry.all.map((command) => ({
    name: command.name,
    area: command.kind === 'switch' ? 'billing' : command.kind === 'decision' ? 'bellhop' : command.area,
  }))
