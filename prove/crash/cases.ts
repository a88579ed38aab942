import type { ChangeCommand, Command } from '../../src/command/define.ts'
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
    changing(registry, command).map(({ line, area }, at) => ({
      command: at === 0 ? command.name : `${command.name} (${at + 1})`,
      // The examples speak of the people of the demo.
      line: line.replace('p-finance2', 'p-decides2'),
      hasRequest: area !== 'bellhop',
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
  'bellhop passkeys': async ({ passkeys }) => {
    const made = { id: 'key', person: 'p-decides2', name: 'Laptop', publicKey: 'k', counter: 0 }
    await passkeys.add({ ...made, isCopied: false, madeAt: Date.now() })
    await passkeys.enrol('key', { changeId: 'earlier', approvedBy: 'Fay Finance', at: Date.now() })
  },
  'webhook resend': async ({ webhooks }) => {
    const step = { hook: 'gone', changeId: 'earlier', n: 1, type: 'asked', at: Date.now(), body: '{}' }
    await webhooks.owe([step])
    for (const owed of await webhooks.due(step.hook, Date.now(), 1))
      await webhooks.failed(owed, { dueAt: Date.now(), error: 'proof', isDead: true })
  },
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

const changing = (registry: Registry, command: Command): { line: string; area: ChangeCommand['area'] }[] => {
  // Long work from a file cannot be said in a line, and lives in chunks: test/jobs/crash.test.ts kills that.
  if (command.params.some(({ type, required }) => type === 'file' && required)) return []
  // It needs a file that changes while the bot runs: test/start/reload.test.ts.
  if (command.name === 'policy reload') return []
  const [first = ''] = command.examples
  if (command.kind === 'change') return [{ line: first, area: command.area }]
  if (command.kind !== 'switch') return []
  return command.examples.flatMap((line) => {
    const parsed = parseLine(registry, line)
    const chosen = parsed.ok ? command.choose(parsed.value.input) : undefined
    return chosen?.ok && chosen.value.kind === 'change' ? [{ line, area: chosen.value.area }] : []
  })
}
