import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/cli/start/metrics.ts'
import { features } from '../../src/features/index.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { defaultTimings } from '../../src/kernel/timings.ts'
import { createServices } from '../../src/lib/services/client/client.ts'
import { defaultSettings } from '../../src/lib/services/client/settings.ts'
import { postgresLimits } from '../../src/lib/sql/postgres.ts'
import { openTestDatabase } from '../harness/database.ts'

const page = readFileSync('docs/deploy.md', 'utf8')

test('the environment table names every variable that the configuration reads, and no other', () => {
  const files = [
    'src/cli/start/config.ts',
    'src/cli/backup/place.ts',
    ...globSync(['adapters/*/config.ts', 'packs/*/endpoints.ts']),
  ]
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const read = [
    ...features.flatMap(({ environment }) => environment?.variables ?? []),
    ...[...source.matchAll(/\benv\.([A-Z_]+)\b/g)].map(([, name]) => name),
    ...[...source.matchAll(/\b([A-Z_]+): \w+/g)].map(([, name]) => name),
    ...[...source.matchAll(/'([A-Z]+_[A-Z_]+)'/g)].map(([, name]) => name),
  ]
  expect(new Set(namesIn(sectionOf('Environment')))).toEqual(new Set(read))
})

test('the table of what it waits for has the figures of the code', () => {
  const { backoff, breaker, ...service } = defaultSettings
  const { patienceMs } = defaultTimings
  const seconds = (ms: number) => `${ms / 1_000} s`
  const figures = [
    seconds(service.readDeadlineMs),
    seconds(service.writeDeadlineMs),
    seconds(service.attemptMs),
    service.retries,
    seconds(backoff.firstMs),
    seconds(backoff.longestMs),
    service.concurrency,
    `${service.maxBytes / 2 ** 20} MiB`,
    breaker.failures,
    seconds(breaker.openMs),
    postgresLimits.max,
    seconds(postgresLimits.connectionTimeoutMillis),
    seconds(postgresLimits.statement_timeout),
    seconds(postgresLimits.query_timeout),
    seconds(postgresLimits.idle_in_transaction_session_timeout),
    seconds(patienceMs.view),
    seconds(patienceMs.form),
    seconds(patienceMs.recipient),
    seconds(patienceMs.names),
  ]
  const rows = sectionOf('What it waits for').match(/(?<=^\|.+\| )[^|-]+(?= \|$)/gm)
  expect(rows).toEqual(['at most', ...figures.map(String)])
})

test('the metrics table names every metric there is, with its labels', async () => {
  const database = await openTestDatabase('sqlite')
  const nowhere = { baseUrl: 'http://127.0.0.1:9', apiKey: 'k', secretKey: 's' }
  const services = createServices(
    { email: nowhere, chat: nowhere, billing: nowhere },
    { log: { info: () => undefined, warn: () => undefined } },
  )
  const metrics = createMetrics()
  metrics.count({ kind: 'command', command: 'refund', result: 'change', platform: 'slack', ms: 1 })
  metrics.count({ kind: 'change', state: 'pending' })
  metrics.count({ kind: 'late', contradicts: true })
  metrics.count({ kind: 'repeated', platform: 'slack' })
  metrics.count({ kind: 'refused_delivery', platform: 'slack', reason: 'forged' })
  metrics.count({ kind: 'refused_message', platform: 'slack', message: 'card', reason: 'is_archived' })
  metrics.count({ kind: 'lost_message', message: 'outcome' })
  metrics.count({ kind: 'stall', ms: 300 })
  metrics.count({ kind: 'counted', metric: 'bellhop_reader_total', labels: { result: 'line' } })
  metrics.count({ kind: 'counted', metric: 'bellhop_webhooks_total', labels: { result: 'told' } })
  metrics.count({
    kind: 'counted',
    metric: 'bellhop_hooks_total',
    labels: { service: 'shop', result: 'taken' },
  })
  metrics.count({ kind: 'agent_call', agent: 'helper', tool: 'refund', result: 'pending' })
  metrics.observe({ service: 'email', row: 'getSubscriber', status: 200, ms: 1, attempt: 1 })
  const store = createStore(database.db, { now: Date.now })
  await store.tasks.put({ kind: 'cards', key: 'a', doc: {}, dueAt: 0 })
  const text = await metrics.text({
    store,
    services,
    platforms: () => [
      {
        name: 'slack',
        isAnswering: true,
        remark: undefined,
        connections: [
          {
            name: 'api',
            state: 'connected',
            since: 0,
            why: undefined,
            heardAt: 1,
            refusedAt: 1,
            isHeldBack: false,
          },
        ],
      },
    ],
    measured: async () =>
      features.flatMap(({ gauges = [] }) =>
        gauges.map(({ name, labels = [] }) => ({
          metric: name,
          labels: Object.fromEntries(labels.map((label) => [label, 'one'])),
          value: 1,
        })),
      ),
  })
  await services.close()
  await database.close()

  const told = [...sectionOf('Metrics and alerts').matchAll(/^\| `(bellhop_\w+)` \| ([\w, ]*) \|/gm)].map(
    ([, name = '', labels = '']) => [name, labels === '' ? [] : labels.split(', ').toSorted()],
  )
  const there = [...text.matchAll(/^# TYPE (bellhop_\w+)/gm)].map(([, name = '']) => [
    name,
    labelsOf(text, name),
  ])
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(there))
})

const alerts = (
  parse(readFileSync('deploy/alerts.yml', 'utf8')) as {
    groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[]
  }
).groups.flatMap(({ rules }) => rules)

test('the runbook has a section for each alert, which the alert names, and no other', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8')
  const sections = runbook.split(/^## /m).slice(1)
  expect(sections.map((section) => section.split('\n')[0])).toEqual(alerts.map(({ alert }) => alert))
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`)
  for (const section of sections)
    for (const part of ['It means', 'Look', 'Do', 'Do not']) expect(section).toContain(`**${part}:**`)
})

test('the alerts are about metrics that exist', () => {
  const known = [...page.matchAll(/^\| `(bellhop_\w+)`/gm)].map(([, name]) => name)
  for (const { expr } of alerts) {
    for (const [name] of expr.matchAll(/bellhop_\w+/g)) {
      expect(known).toContain(name.replace(/_bucket$/, ''))
    }
  }
})

test('the unit starts what npm start starts', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
  const [, started] = /^ExecStart=\S+\/node (.+)$/m.exec(readFileSync('deploy/bellhop.service', 'utf8')) ?? []
  expect(`node ${started}`).toBe(scripts.start)
})

const sectionOf = (title: string): string => page.split(/^## /m).find((part) => part.startsWith(title)) ?? ''

const namesIn = (section: string): string[] =>
  [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  )

/** Without the bounds of a histogram's buckets. */
const labelsOf = (text: string, metric: string): string[] => {
  const [, labels = ''] = new RegExp(`^${metric}(?:_bucket)?\\{(.+?)\\}`, 'm').exec(text) ?? []
  return [...labels.matchAll(/(\w+)="/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'le')
    .toSorted()
}
