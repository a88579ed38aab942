import type { Command } from '../../src/command/define.ts'
import { parseLine } from '../../src/command/line/parse.ts'
import type { Registry } from '../../src/command/registry.ts'
import type { Party } from '../../src/model/change.ts'
import type { Store } from '../../src/storage/store.ts'

export type CrashCase = {
  command: string
  line: string
  hasRequest: boolean
  /** What must be there for somebody to change it. */
  before: ((store: Store) => Promise<void>) | undefined
}

/** One line per change command; of a command that only sometimes changes something, every example that does. */
export const crashCases = (registry: Registry): CrashCase[] =>
  registry.all.flatMap((command) =>
    changingLines(registry, command).map((line, at) => ({
      command: at === 0 ? command.name : `${command.name} (${at + 1})`,
      // The examples speak of the people of the demo.
      line: line.replace('p-finance2', 'p-decides2'),
      hasRequest: command.kind === 'switch' || (command.kind === 'change' && command.area !== 'bellhop'),
      before: preparations[command.name],
    })),
  )

const asks: Party = {
  person: 'p-asks',
  name: 'Sam Support',
  platform: 'slack',
  account: 'U0SUPPORT',
  roles: ['support'],
}

const dayMs = 24 * 3_600_000

const preparations: Record<string, (store: Store) => Promise<void>> = {
  unfreeze: ({ freezes }) =>
    freezes.set({ area: 'billing', by: asks.person, name: asks.name, at: 1, reason: 'proof' }),
  'away end': ({ absences }) =>
    absences.set({ by: asks, to: null, at: Date.now(), endsAt: Date.now() + dayMs }),
  'person forget': ({ links }) =>
    links.learn([
      {
        pair: [
          { kind: 'email', id: 'ada@example.com' },
          { kind: 'customer', id: 'cus_1001' },
        ],
        source: 'proof',
      },
    ]),
  'schedule delete': ({ schedules }) =>
    schedules.add({
      id: '7k2m9qwx4p',
      by: asks,
      line: 'approval list',
      every: 'day at 09:00',
      zone: 'UTC',
      channel: null,
      at: Date.now(),
      nextAt: Date.now() + dayMs,
    }),
}

const changingLines = (registry: Registry, command: Command): string[] => {
  // Long work from a file cannot be said in a line, and lives in chunks: test/jobs/crash.test.ts kills that.
  if (command.params.some(({ type, required }) => type === 'file' && required)) return []
  // It needs a file that changes while the bot runs: test/start/reload.test.ts.
  if (command.name === 'policy reload') return []
  if (command.kind === 'change') return command.examples.slice(0, 1)
  if (command.kind !== 'switch') return []
  return command.examples.filter((line) => {
    const parsed = parseLine(registry, line)
    const chosen = parsed.ok ? command.choose(parsed.value.input) : undefined
    return chosen?.ok && chosen.value.kind === 'change'
  })
}
