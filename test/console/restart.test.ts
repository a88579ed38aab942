import { expect, test } from 'vitest'
import { createConsole } from '../../adapters/console/console.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createLog } from '../../src/lib/log.ts'
import { createApiClient, openEventStream, viewIn } from './api-client.ts'
import { openConsoleHarness } from './harness.ts'

test('a second start shows what waited at the first, to the same people, and the cards still work', async () => {
  const first = await openConsoleHarness()
  const client = createApiClient(first)
  await client.say('refund pay_1001 120 --customer cus_1001')
  await client.say('refund pay_1002 9 --customer cus_1001')
  await client.say('bellhop whoami')
  await first.app.drain()
  await first.stopConsole()

  const http = createHttpServer()
  const again = createConsole({
    bot: first.app.bot,
    http,
    config: { entry: { kind: 'demo', token: null }, host: '127.0.0.1', port: 0 },
    previews: {},
    log: createLog('silent'),
  })
  first.app.join(again.messenger)
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  const [sam, fay] = [
    await openEventStream({ base }, 'p-support'),
    await openEventStream({ base }, 'p-finance'),
  ]
  const titles = (stream: typeof sam) => stream.messages().map((message) => viewIn(message).title)
  await sam.view(({ title }) => title.includes('9 USD to'))
  const about = (id: string) => expect.stringContaining(id)
  expect(titles(sam)).toEqual([about('120 USD to'), about('Refund 9 USD to')])
  expect(titles(fay)).toEqual([about('120 USD to')])

  const [card] = fay.messages()
  const [approve] = card === undefined ? [] : viewIn(card).actions
  await createApiClient({ base }).press(approve ?? { verb: '', id: '' }, 'p-finance')
  const settled = await sam.view(({ title, tone }) => title.includes('120 USD to') && tone === 'good')
  expect(settled).toBeDefined()
  expect(fay.messages().map(({ id }) => id)).toContain(card?.id)
  await sam.close()
  await fay.close()
  await again.stop()
  await http.close()
})
