import { describe, expect, test } from 'vitest'
import { createSlack } from '../../../adapters/slack/slack.ts'
import { createApp } from '../../../src/cli/start/app.ts'
import { createHttpServer } from '../../../src/lib/http/server.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, approvals } = channels

describe('two replicas on one database', async () => {
  const { app, fake, sam, fay, finn, url, sandbox, store } = await openSlackHarness()
  const { registry, policy, services, log } = app.core
  const second = createApp({ registry, policy, services, store, log })
  const http = createHttpServer()
  const { botToken, signingSecret } = fake.state
  const slack = await createSlack({
    bot: second.bot,
    http,
    log,
    config: { botToken, signingSecret, apiUrl: fake.apiUrl },
  })
  second.join(slack.messenger)
  await second.start()
  fake.useHttp(url, `${await http.listen({ host: '127.0.0.1', port: 0 })}/slack/events`)
  whenDone(async () => {
    await slack.stop()
    await http.close()
    await second.stop(1_000)
  })

  test('take what comes to both of them once', async () => {
    await sam.types('/refund pay_1001 100', general, { times: 4 })
    const card = await until(() => fay.finds('[Approve]', approvals))
    await until(() => sam.finds('[Approve]', general))
    await Promise.all([
      fay.clicks('Approve', { on: card, times: 4 }),
      finn.clicks('Approve', { on: card, times: 4 }),
    ])
    await until(() => expect(card.text).toMatch(/refunded/i))
    await until(() => expect(sam.finds('approved by ', general).text).toContain('Refunded'))
    expect(await store.changes.list({ limit: 10 })).toHaveLength(1)
    expect(sandbox.wire.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(sam.answers(general)).toHaveLength(1)
    expect(fay.sees(approvals).filter((text) => text.includes('of payment'))).toHaveLength(1)
  })
})
