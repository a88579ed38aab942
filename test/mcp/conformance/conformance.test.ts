import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { namedChangeId } from '../../../src/kernel/model/named-change-id.ts'
import { dataFolder } from '../../harness/run-folders.ts'
import { peopleOf } from '../../harness/team-policy.ts'
import { until } from '../../harness/until.ts'
import { openAgents, tokenOf } from '../harness.ts'
import { type StandIn, startFront } from './front.ts'
import { leftOut, leftOutChecks } from './left-out.ts'

const require = createRequire(import.meta.url)

const policy = `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance', finn: 'finance' })}
agents:
  - { id: suite, name: Suite, owner: sam, roles: [support], token: { env: SUITE }, rate: 100000 }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: two, commands: [list add], require: { approvals: 2, from: [finance] } }
  - { name: one, commands: [refund, list create], require: { approvals: 1, from: [finance] } }
`
const { base, app, press, sandbox } = await openAgents({ policy })
const [agent] = app.core.policy.agents
if (agent === undefined) throw new Error('no agent')

sandbox.fault({
  service: 'billing',
  path: '/transaction/refund/pay_1002',
  kind: 'status',
  status: 422,
  times: Number.POSITIVE_INFINITY,
})

let keys = 0
const idOf = (key: string) => namedChangeId(agent, key)

/** Whether the suite runs, and what Fay does meanwhile. */
const suite = { isRunning: false, approvals: [] as Promise<void>[] }

/** Fay approves it as soon as it is there, and not before so many seconds. */
const approvedAfter = (seconds: number, key: string): void => {
  const approve = async () => {
    const reply = await press('approve', idOf(key), 'fay')
    if (reply.kind === 'refused' && suite.isRunning) expect(reply.refusal.code).not.toBe('no_such_change')
  }
  suite.approvals.push(sleep(seconds * 1000).then(() => until(approve)))
}

const refund = (payment: string, secondsOf: (asked: Record<string, unknown>) => number): StandIn => ({
  as: 'refund',
  given: (asked) => {
    const request_key = `refund-${++keys}`
    approvedAfter(secondsOf(asked), request_key)
    return { payment_id: payment, amount: 1, request_key }
  },
})

const twice = 'in two steps'
const standIns: Record<string, StandIn> = {
  greet: { as: 'bellhop_whoami' },
  test_simple_text: { as: 'bellhop_whoami' },
  test_error_handling: { as: 'subscriber_get', given: () => ({ who: 'nobody@example.com' }) },
  slow_compute: refund('pay_1001', ({ seconds }) => Number(seconds ?? 0)),
  failing_job: refund('pay_1002', () => 0.2),
  test_tool_with_progress: {
    as: 'list_add',
    given: () => ({
      who: 'ada@example.com',
      list_ids: ['lst_1'],
      wait_seconds: 20,
      request_key: `${twice}-${++keys}`,
    }),
    onProgress: (count) => {
      if (count < 3) void press('approve', idOf(`${twice}-${keys}`), count === 1 ? 'fay' : 'finn')
    },
  },
  'test://static-text': { as: 'bellhop://policy' },
  test_input_required_result_elicitation: { as: 'list_create', form: 'user_name' },
  test_tool_with_task: {
    as: 'list_create',
    form: 'user_name',
    given: () => {
      const request_key = `list-${++keys}`
      approvedAfter(0, request_key)
      return { request_key }
    },
  },
}

type Check = { id: string; status: string; errorMessage?: string }

/** What the official suite finds about what a revision requires, by its scenarios. */
const findings = async (revision: string): Promise<Map<string, Check[]>> => {
  const url = await startFront(base, tokenOf('suite'), standIns)
  const folder = mkdtempSync(join(dataFolder(), 'conformance-'))
  const file = require.resolve('@modelcontextprotocol/conformance/dist/index.js')
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder]
  suite.isRunning = true
  const child = spawn(process.execPath, [file, ...args], { stdio: 'ignore' })
  await new Promise((resolve) => child.on('close', resolve))
  suite.isRunning = false
  await Promise.all(suite.approvals)
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  )
}

const failed = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')

const newest = '2026-07-28'

it.each(['2025-11-25', newest])(
  'every scenario of the official suite for %s passes, but those that are named with a reason',
  async (revision) => {
    const found = await findings(revision)
    const left = leftOut[revision] ?? {}
    const wrong: string[] = []
    const figures = { scenarios: 0, checks: 0, leftOut: 0 }
    for (const [scenario, checks] of found) {
      const bad = failed(checks).filter(({ id }) => !(id in leftOutChecks))
      if (scenario in left) {
        figures.leftOut++
        if (bad.length === 0) wrong.push(`${scenario} passes now, and is still left out`)
        continue
      }
      figures.scenarios++
      figures.checks += checks.filter(({ status }) => status === 'SUCCESS').length
      wrong.push(...bad.map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`))
    }
    wrong.push(
      ...Object.keys(left)
        .filter((name) => !found.has(name))
        .map((name) => `there is no ${name}`),
    )
    const failing = new Set([...found.values()].flatMap(failed).map(({ id }) => id))
    const checksLeft = revision === newest ? Object.keys(leftOutChecks) : []
    wrong.push(
      ...checksLeft.filter((id) => !failing.has(id)).map((id) => `${id} passes now, and is still left out`),
    )
    expect(wrong).toEqual([])
    const row = `| ${revision} | ${figures.scenarios} of ${found.size} | ${figures.checks} | ${figures.leftOut} |`
    expect([row, readFileSync('docs/agents.md', 'utf8').includes(row)]).toEqual([row, true])
  },
)
