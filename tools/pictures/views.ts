import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConsole } from '../../adapters/console/console.ts'
import { discordDefinition } from '../../adapters/discord/definition.ts'
import { autocompleteOption } from '../../adapters/discord/inbound/autocomplete.ts'
import type { CommandInteraction } from '../../adapters/discord/protocol/payload.ts'
import { messengers } from '../../adapters/index.ts'
import { slackDefinition } from '../../adapters/slack/definition.ts'
import { optionOf } from '../../adapters/slack/forms/input-element.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { readConfig } from '../../src/cli/start/config.ts'
import { openRuntime } from '../../src/cli/start/runtime.ts'
import type { MessengerDefinition, Previews } from '../../src/kernel/messenger/definition.ts'
import type { Form } from '../../src/kernel/messenger/form.ts'
import type { Reply, Sender } from '../../src/kernel/messenger/inbound.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createLog } from '../../src/lib/log.ts'
import type { View } from '../../src/lib/view/view.ts'
import { commandsWith } from '../../test/harness/commands.ts'

/** What people see on an ordinary day, by the kind of view: said and decided for real against the sandbox. */
export type Day = {
  views: Record<string, View>
  form: Form
  /** What Slack's and Discord's pickers offer for the payment of a refund, once the customer is chosen. */
  payments: string[]
  choices: string[]
  /** The id of what was refunded. */
  done: string
  /** Where the console of this bot is. */
  page: string
  close(): Promise<void>
}

const senderOf = (account: string): Sender => ({ platform: 'terminal', account, name: account, groups: [] })

const previewOf =
  ({ preview }: Pick<MessengerDefinition, 'preview'>): Previews[string] =>
  async (view) =>
    (await preview?.(view)) ?? { json: null, drawing: '' }

/** What Discord sends while somebody types a refund. */
const typing = (given: Record<string, string>, focused: string): CommandInteraction =>
  ({
    type: 4,
    user: { id: '1', username: 'sam' },
    data: {
      name: 'refund',
      options: [
        ...Object.entries(given).map(([name, value]) => ({ type: 3, name, value })),
        { type: 3, name: focused, value: '', focused: true },
      ],
    },
  }) as unknown as CommandInteraction

export const openDay = async (): Promise<Day> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-pictures-'))
  const registry = commandsWith()
  const config = readConfig({ DATA_DIR: dataDir }, registry.all, messengers)
  const sandbox = await startSandbox()
  const log = createLog('silent')
  const runtime = await openRuntime(config, { registry, log, sandbox })
  const { app } = runtime
  const http = createHttpServer()
  const previews = { Slack: previewOf(slackDefinition), Discord: previewOf(discordDefinition) }
  const page = createConsole({
    bot: app.bot,
    http,
    config: { entry: { kind: 'demo', token: null }, host: '127.0.0.1', port: 0 },
    previews,
    log,
  })
  app.join(page.messenger)
  await app.start()
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  const say = async (person: string, line: string): Promise<Extract<Reply, { view: View }>> => {
    const reply = await app.handle({
      delivery: crypto.randomUUID(),
      from: senderOf(person),
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent: { kind: 'line', line },
    })
    if (!('view' in reply)) throw new Error(`${line}: ${reply.kind}`)
    return reply
  }
  /** A request, with its card as it stands where others read it too. */
  const change = async (line: string): Promise<{ id: string; shown: View }> => {
    const reply = await say('p-support', line)
    if (reply.kind !== 'change') throw new Error(`${line}: ${JSON.stringify(reply)}`)
    return { id: reply.change.id, shown: await app.bot.cards.view(reply.change, 'mirror') }
  }
  const look = async (line: string, person = 'p-support'): Promise<View> => (await say(person, line)).view
  await look('subscriber get ada@example.com')
  const person = await look('person get ada@example.com')
  const form = await app.bot.formOf(senderOf('p-support'), {
    command: 'refund',
    values: { paymentId: 'pay_1013', customer: 'cus_1001' },
  })
  if (form === undefined) throw new Error('there is no refund')
  const { suggest } = app.bot
  const payment = registry.get('refund')?.params.find(({ name }) => name === 'paymentId')
  if (payment === undefined) throw new Error('a refund names no payment')
  const payments = (
    await suggest(senderOf('p-support'), payment, '', [{ kind: 'customer', id: 'cus_1001' }])
  ).map(({ value, label }) => optionOf(value, label).text.text)
  const choices = await autocompleteOption(
    { registry, suggest: (_, ...about) => suggest(senderOf('p-support'), ...about) },
    typing({ customer: 'cus_1001' }, payment.flag),
  )
  const request = await change(
    'refund pay_1001 120 --customer cus_1001 --reason "Paid after she had cancelled"',
  )
  const small = await change(
    'refund pay_1013 49 --customer cus_1001 --reason "Charged twice, says the customer"',
  )
  const outcome = (await say('p-support', `approval approve ${small.id}`)).view
  sandbox.fault({ service: 'billing', row: 'refundPayment', kind: 'drop_after' })
  const lost = await change('refund pay_1002 20 --customer cus_1001')
  await say('p-support', `approval approve ${lost.id}`)
  const unknown = await look(`approval get ${lost.id}`, 'p-finance')
  await change(
    'refund pay_1004 200 --customer cus_1002 --at "tomorrow 9:00" --reason "Charged after cancelling"',
  )
  const views = {
    request: request.shown,
    outcome,
    unknown,
    person,
    thing: await look('transaction get pay_1001', 'p-finance'),
    list: await look('approval list', 'p-finance'),
    report: await look('report refunds --by reason', 'p-finance'),
    refusal: await look('refund pay_1013 49 --customer cus_1001'),
  }
  return {
    views,
    form,
    payments,
    choices: choices.map(({ name }) => name),
    done: small.id,
    page: `${base}/console`,
    close: async () => {
      await page.stop()
      await http.close()
      await runtime.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
