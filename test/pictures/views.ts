import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommands } from '../../commands/index.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import type { Reply } from '../../src/messenger/inbound.ts'
import { openRuntime } from '../../src/runtime.ts'
import type { View } from '../../src/view/view.ts'

/** What people see on an ordinary day, said and decided for real against the sandbox. */
export const dayOfViews = async (): Promise<Record<string, View>> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-pictures-'))
  const registry = createCommands()
  const config = readConfig({ DATA_DIR: dataDir }, registry.all, [])
  const sandbox = await startSandbox()
  const runtime = await openRuntime(config, {
    registry,
    log: createLog('silent'),
    sandbox,
    tasks: false,
  })
  await runtime.app.start()
  const say = async (person: string, line: string): Promise<Extract<Reply, { view: View }>> => {
    const reply = await runtime.app.handle({
      delivery: crypto.randomUUID(),
      from: { platform: 'terminal', account: person, name: person, groups: [] },
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent: { kind: 'line', line },
    })
    if (!('view' in reply)) throw new Error(`${line}: ${reply.kind}`)
    return reply
  }
  /** `shown`: as it stands where others read it too. */
  const change = async (line: string): Promise<{ id: string; view: View; shown: View }> => {
    const reply = await say('p-support', line)
    if (reply.kind !== 'change') throw new Error(`${line}: ${reply.kind}`)
    const shown = await runtime.app.bot.cards.view(reply.change, 'mirror')
    return { id: reply.change.id, view: reply.view, shown }
  }
  const look = async (line: string): Promise<View> => (await say('p-support', line)).view
  try {
    const refund = await change('refund pay_1001 120 --description "Charged twice in October"')
    const done = await say('p-finance', `approval approve ${refund.id}`)
    const update = await change(
      'subscriber update ada@example.com --tags-to-add vip --tags-to-remove newsletter --lead-score 80',
    )
    sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'drop_after' })
    const lost = await change('refund pay_1002 20')
    const unknown = await say('p-support', `approval approve ${lost.id}`)
    const person = await look('person get ada@example.com')
    const twice = await change('refund pay_1013 49 --reason "Charged twice"')
    const later = await change(
      'refund pay_1003 150 --at "tomorrow 9:00" --description "Charged after cancelling"',
    )
    return {
      person,
      'double-charge': twice.view,
      greeting: await look('hi'),
      said: await look('what waits?'),
      offered: await look('please give back 20 of pay_1001 because she was charged twice'),
      unclear: await look('refund everybody'),
      approval: refund.view,
      done: done.view,
      confirm: update.view,
      unknown: unknown.view,
      later: later.shown,
      report: (await say('p-finance', 'report refunds --by reason')).view,
      digest: (await say('p-finance', 'report digest')).view,
      subscriber: await look('subscriber get ada@example.com'),
      stats: await look('subscriber stats'),
      campaigns: await look('campaign find'),
      help: await look('bellhop help refund'),
      refused: await look('refund pay_1001 12.50'),
    }
  } finally {
    await runtime.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
