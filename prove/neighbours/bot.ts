import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A bot of whichever version is in the folder that is named: it takes lines of people over the channel of its parent, and
 * says what became of each. It knows that version by the few names that all of them share; one of before has a list of
 * migrations in the place of its newest.
 */
const [, , root = ''] = process.argv
const load = (file: string) => import(pathToFileURL(join(root, file)).href)
const [
  { messengers },
  { loadCommands },
  { readConfig },
  { openRuntime },
  { createLog },
  { newestVersion, migrations },
] = await Promise.all([
  load('adapters/index.ts'),
  load('src/cli/start/load-commands.ts'),
  load('src/cli/start/config.ts'),
  load('src/cli/start/runtime.ts'),
  load('src/lib/log.ts'),
  load('src/kernel/store/database/migrations.ts'),
])
const registry = await loadCommands(messengers)
const config = readConfig(process.env, registry.all, messengers)
const { app, close } = await openRuntime(config, { registry, log: createLog('silent') })
await app.start()

process.on('message', async ({ n, account, intent }: { n: number; account: string; intent: object }) => {
  const reply = await app.handle({
    delivery: crypto.randomUUID(),
    from: { platform: 'slack', account, name: account, groups: [] },
    place: { channel: null, handle: null, direct: true },
    forms: false,
    intent,
  })
  process.send?.({
    n,
    kind: reply.kind,
    change: reply.change,
    said: reply.view?.title ?? reply.refusal?.message,
  })
})
process.on('disconnect', () => close(0).finally(() => process.exit(0)))
process.send?.({ n: 0, kind: 'started', version: newestVersion ?? migrations.at(-1)?.id })
