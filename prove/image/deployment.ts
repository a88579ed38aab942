import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { stopCluster } from '../../test/harness/postgres.ts'
import { openOwnCluster } from '../databases.ts'
import { type Compose, readCompose } from './compose.ts'
import type { Container } from './container.ts'
import { type Check, checkProcesses, healthyAfter, type Site, say, timeOf } from './site.ts'
import { type Mount, variablesOf } from './spec.ts'
import { run } from './tools.ts'

const password = 'onlyForThisRun'

/** As `POSTGRES_PASSWORD=... docker compose up` would: the replicas, nginx with the configuration given there, PostgreSQL of this machine. */
export const runDeployment = async (site: Site): Promise<Check[]> => {
  const compose = readCompose({ POSTGRES_PASSWORD: password })
  const database = await openDatabase(site, compose)
  try {
    const one = await startReplica(site, compose, 'bellhop-1')
    const two = await startReplica(site, compose, 'bellhop-2')
    const ms = [await healthyAfter(one), await healthyAfter(two)]
    await startBalancer(site, compose)
    return [
      {
        what: 'compose.yml: the health check of its database passes',
        seen: database.health.split(' - ').at(-1) ?? '',
        ok: database.health.includes('accepting'),
      },
      {
        what: 'compose.yml: both replicas start and are healthy',
        seen: `after ${ms.map(timeOf).join(' and ')}`,
        ok: true,
      },
      await checkProcesses('in a replica', one),
      await checkBalancer(site),
      await checkShared(one, two),
      ...(await checkStop(site, compose, one)),
    ]
  } finally {
    await database.close()
  }
}

const startReplica = (
  { folder, containers }: Site,
  { services }: Compose,
  host: 'bellhop-1' | 'bellhop-2',
) => {
  const { image, env_file, environment, volumes, read_only } = services[host]
  return containers.start({
    image,
    host,
    env: { ...variablesOf(readFileSync(join(folder, env_file), 'utf8').split('\n')), ...environment },
    mounts: volumes.map((volume): Mount => {
      const [source = '', destination = ''] = volume.split(':')
      return { source: join(folder, source), destination, readOnly: volume.endsWith(':ro') }
    }),
    readOnly: read_only,
    unprivileged: true,
  })
}

const startBalancer = async ({ folder, containers, network }: Site, { services, configs }: Compose) => {
  const {
    image,
    configs: [config],
  } = services.balancer
  const source = join(folder, 'balancer.conf')
  writeFileSync(source, configs.balancer.content)
  const mounts = [{ source, destination: config.target, readOnly: true }]
  const { output } = await containers.start({
    image,
    host: 'balancer',
    mounts,
    readOnly: false,
    unprivileged: false,
  })
  for (let tries = 0; tries < 50; tries++) {
    if (await network.ask(balanced('/healthz')).catch(() => undefined)) return
  }
  throw new Error(`the balancer does not answer: ${output()}`)
}

const balanced = (path: string): string => `http://balancer:8080${path}`

const checkBalancer = async ({ network }: Site): Promise<Check> => {
  const passed = ['/slack/events', '/discord/interactions', '/healthz', '/readyz']
  const refused = ['/metrics', '/console', '/']
  const seen: string[] = []
  for (const path of [...passed, ...refused]) {
    const [answer] = await network.ask(balanced(path))
    // An error page of nginx's own means that no replica was asked.
    seen.push(`${path} ${answer?.body.includes('<center>nginx') ? 'refused' : 'passed'}`)
  }
  const expected = [...passed.map((path) => `${path} passed`), ...refused.map((path) => `${path} refused`)]
  return {
    what: 'compose.yml: the balancer passes on what the messengers call and the two checks, and nothing else',
    seen: seen.join(', '),
    ok: seen.join() === expected.join(),
  }
}

const checkShared = async (one: Container, two: Container): Promise<Check> => {
  const asked = await say(one, 'refund pay_1001 120')
  const listed = await say(two, 'approval list')
  return {
    what: 'compose.yml: what was asked for in one replica waits in the other',
    seen: `exit code ${asked.code}, then ${/refund.*/i.exec(listed.output)?.[0] ?? listed.output}`,
    ok: asked.code === 3 && listed.output.includes('pay_1001'),
  }
}

const checkStop = async ({ network }: Site, { services }: Compose, one: Container): Promise<Check[]> => {
  const asking = network.ask(balanced('/healthz'), 150)
  await network.ask(balanced('/healthz'), 5)
  const { code, ms } = await one.stop()
  const statuses = [...(await asking), ...(await network.ask(balanced('/readyz'), 20))].map(
    ({ status }) => status,
  )
  const grace = services['bellhop-1'].stop_grace_period
  return [
    {
      what: `compose.yml: SIGTERM ends a replica with exit code 0 within its ${grace}`,
      seen: `exit code ${code} after ${timeOf(ms)}`,
      ok: code === 0 && ms < Number.parseInt(grace, 10) * 1000,
    },
    {
      what: 'compose.yml: the balancer answers all the while, and after that from the other replica',
      seen: `${statuses.filter((status) => status === 200).length} of ${statuses.length} answered with 200`,
      ok: statuses.every((status) => status === 200),
    },
  ]
}

/** PostgreSQL of this machine, at the address and with the account that compose.yml gives. */
const openDatabase = async ({ network }: Site, { services }: Compose) => {
  const cluster = await openOwnCluster()
  if (cluster === null) throw new Error('there is no PostgreSQL on this machine')
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  await client.query(`CREATE ROLE bellhop LOGIN PASSWORD '${password}'`)
  await client.query('CREATE DATABASE bellhop OWNER bellhop')
  await client.end()
  const [, command = '', ...args] = services.database.healthcheck.test
  const health = await run(join(cluster.bin, command), '--host', cluster.folder, ...args)
  const [ip, ...rest] = network.on(
    'database',
    process.execPath,
    '-e',
    forward,
    join(cluster.folder, '.s.PGSQL.5432'),
  )
  const forwarding = spawn(ip, rest, { stdio: 'ignore' })
  return {
    health,
    close: async () => {
      forwarding.kill()
      await stopCluster(cluster.folder)
    },
  }
}

/** The cluster has a socket and no port, so something must listen where the replicas look for it. */
const forward = `const { connect, createServer } = require('node:net')
  createServer((client) => {
    const server = connect(process.argv[1])
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  }).listen(5432)`
