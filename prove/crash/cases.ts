import { settle } from '../../examples/square/settling.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { ChangeCommand, Command } from '../../src/kernel/command/define.ts'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import type { Party } from '../../src/kernel/model/change.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { addRow, addSchedule } from '../../test/storage/rows.ts'

export type CrashCase = {
  command: string
  line: string
  hasRequest: boolean
  /** Its service accepts it, and settles it when this is called. */
  settle: ((sandbox: Sandbox) => void) | undefined
  /** What must be there for somebody to change it. */
  before: ((store: Store) => Promise<void>) | undefined
}

/** One line per change command; of a command that only sometimes changes something, every example that does. */
export const crashCases = (registry: Registry): CrashCase[] =>
  registry.all.filter(isProved).flatMap((command) =>
    changing(registry, command).map(({ line, area }, at) => ({
      command: at === 0 ? command.name : `${command.name} (${at + 1})`,
      // The examples speak of the people of the demo.
      line: line.replace('p-finance2', 'p-decides2').replace('p-support', 'p-looks'),
      hasRequest: area !== 'bellhop',
      settle: command.name === settlingCommand ? settleAll : undefined,
      before: preparations[command.name],
    })),
  )

export const settlingCommand = 'square refund-payment'

/** Of the provider that a description gave, the one that it settles later: its others are as those of every pack. */
const isProved = ({ name }: Command): boolean => !name.startsWith('square ') || name === settlingCommand

const settleAll = ({ state }: Sandbox): void => {
  const { square } = state as unknown as { square: Parameters<typeof settle>[0] }
  for (const { id } of square.refunds) settle(square, id, 'COMPLETED', Date.now())
}

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
  'webhook resend': (store) =>
    addRow(store, 'webhook_events', {
      ...{ hook: 'gone', change_id: 'earlier', n: 1, type: 'asked', at: Date.now(), body: '{}' },
      ...{ attempts: 1, due_at: Date.now(), error: 'proof', is_dead: 1 },
    }),
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
  'schedule delete': (store) => addSchedule(store, { id: '7k2m9qwx4p', by: asks, line: 'approval list' }),
}

/** In one step with its request: nobody decides on it. */
const happensAtOnce: ReadonlySet<string> = new Set(['freeze', 'grant end'])

const changing = (registry: Registry, command: Command): { line: string; area: ChangeCommand['area'] }[] => {
  // Long work from a file cannot be said in a line, and lives in chunks: test/features/jobs/crash.test.ts kills that.
  if (command.params.some(({ type, required }) => type === 'file' && required)) return []
  // It needs a file that changes while the bot runs: test/start/reload.test.ts.
  if (command.name === 'policy reload') return []
  if (happensAtOnce.has(command.name)) return []
  const [first = ''] = command.examples
  if (command.kind === 'change') return [{ line: first, area: command.area }]
  if (command.kind !== 'switch') return []
  return command.examples.flatMap((line) => {
    const parsed = parseLine(registry, line)
    const chosen = parsed.ok ? command.choose(parsed.value.input) : undefined
    return chosen?.ok && chosen.value.kind === 'change' ? [{ line, area: chosen.value.area }] : []
  })
}
