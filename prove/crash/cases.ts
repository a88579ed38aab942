import type { Command } from '../../src/command/define.ts'
import { parseLine } from '../../src/command/line/parse.ts'
import type { Registry } from '../../src/command/registry.ts'

export type CrashCase = { command: string; line: string; hasRequest: boolean; freezesFirst: boolean }

/** One line per change command; of a command that only sometimes changes something, every example that does. */
export const crashCases = (registry: Registry): CrashCase[] =>
  registry.all.flatMap((command) =>
    changingLines(registry, command).map((line, at) => ({
      command: at === 0 ? command.name : `${command.name} (${at + 1})`,
      line,
      hasRequest: command.kind === 'switch' || (command.kind === 'change' && command.area !== 'bellhop'),
      freezesFirst: command.name === 'unfreeze',
    })),
  )

const changingLines = (registry: Registry, command: Command): string[] => {
  // Long work from a file cannot be said in a line, and lives in chunks: test/jobs/crash.test.ts kills that.
  if (command.params.some(({ type, required }) => type === 'file' && required)) return []
  if (command.kind === 'change') return command.examples.slice(0, 1)
  if (command.kind !== 'switch') return []
  return command.examples.filter((line) => {
    const parsed = parseLine(registry, line)
    const chosen = parsed.ok ? command.choose(parsed.value.input) : undefined
    return chosen?.ok && chosen.value.kind === 'change'
  })
}
