import { createCommands } from '../../commands/index.ts'
import { formatProblems, loadPolicy } from '../../src/kernel/policy/file/load.ts'
import { demoPolicy } from '../../test/harness/demo-policy.ts'
import { platforms } from '../../test/harness/platforms.ts'
import { provePolicy } from '../policy.ts'
import { createRandom, pick } from '../random.ts'
import { createFindings, type Fuzzed, type FuzzOptions } from './findings.ts'
import { mutateText } from './mutate.ts'

const sources = [
  provePolicy,
  demoPolicy.slice(demoPolicy.indexOf('version')),
  'version: 1\npeople: []\nroles: {}\n',
  'version: 1\npeople:\n  - &a { id: a, name: A, roles: [r] }\n  - *a\nroles: { r: { run: ["*"] } }\n',
]

/** A policy file is read, or refused with the place of each mistake; nothing else. */
export const fuzzPolicy = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const commands = createCommands().all
  const findings = createFindings('bellhop.yml')
  for (let at = 0; at < cases; at++) {
    const text = mutateText(random, pick(random, sources))
    try {
      const loaded = loadPolicy(text, { file: 'bellhop.yml', commands, platforms })
      findings.count(loaded.ok ? 'read' : 'refused')
      if (loaded.ok) continue
      const lines = formatProblems('bellhop.yml', loaded.problems)
      if (lines.length === 0) findings.violate(`no reason for ${JSON.stringify(text)}`)
      if (lines.some((line) => !line.startsWith('bellhop.yml'))) {
        findings.violate(`a problem without its place: ${lines.join(' / ')}`)
      }
    } catch (error) {
      findings.violate(`${JSON.stringify(text)} threw ${(error as Error).stack}`)
    }
  }
  return findings.done(cases)
}
