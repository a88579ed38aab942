import type { Registry } from '../../src/kernel/command/registry.ts'
import { formatProblems, loadPolicy } from '../../src/kernel/policy/file/load.ts'
import type { PolicyReading, PolicySource } from '../../src/kernel/policy/in-force/policy-source.ts'
import { platforms } from './platforms.ts'

/** A policy file that has this text at the start, and then what is read. */
export const sourceOf = (text: string, reads: () => string, registry: Registry): PolicySource => {
  const load = (given: string): PolicyReading => {
    const loaded = loadPolicy(given, { file: 'bellhop.yml', commands: registry.all, platforms })
    return loaded.ok
      ? { ok: true, policy: loaded.policy, text: given, signatures: '', warnings: loaded.warnings }
      : { ok: false, problems: formatProblems('bellhop.yml', loaded.problems) }
  }
  return { from: 'bellhop.yml', text, signatures: '', load, read: () => load(reads()) }
}
