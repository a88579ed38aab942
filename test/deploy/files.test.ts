import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { newFolder } from '../harness/bot-process.ts'
import { listen } from '../harness/listen.ts'
import { findProgram } from '../harness/programs.ts'
import { until } from '../harness/until.ts'

const page = readFileSync('docs/deploy.md', 'utf8')
const metrics = [...page.matchAll(/^\| `(bellhop_\w+)` \|/gm)].map(([, name = '']) => name)
const dashboard = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[]
}
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

test('the dashboard shows every metric there is, and no other', () => {
  const shown = expressions.flatMap((expr) =>
    [...expr.matchAll(/bellhop_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
  )
  expect(new Set(shown)).toEqual(new Set(metrics))
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})

test.skipIf(findProgram('promtool') === undefined)(
  'Prometheus reads every expression of the dashboard',
  () => {
    const rules = expressions.map((expr, n) => ({ record: `panel:${n}`, expr }))
    const file = join(newFolder(), 'rules.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { stdout, stderr } = spawnSync(findProgram('promtool') ?? '', ['check', 'rules', file], {
      encoding: 'utf8',
    })
    expect(`${stdout}${stderr}`).toContain(`${expressions.length} rules found`)
  },
)

test.skipIf(findProgram('systemd-analyze') === undefined)('systemd rates the unit OK or better', () => {
  const args = ['security', '--offline=yes', '--no-pager', 'deploy/bellhop.service']
  const { stdout } = spawnSync(findProgram('systemd-analyze') ?? '', args, { encoding: 'utf8' })
  expect(stdout).toMatch(/Overall exposure level for bellhop\.service: \d\.\d (OK|SAFE)/)
})

test('the chart names no secret by value, and every value that its templates read is there', () => {
  const values = readFileSync('deploy/chart/values.yaml', 'utf8')
  const names = ['deployment', 'service', 'ingress', 'network-policy', 'disruption-budget', 'service-monitor']
  const templates = names
    .map((name) => readFileSync(`deploy/chart/templates/${name}.yaml`, 'utf8'))
    .join('\n')
  for (const [, path = ''] of templates.matchAll(/\.Values\.([\w.]+)/g)) {
    expect(values, path).toMatch(new RegExp(`^ *${path.split('.').at(-1)}:`, 'm'))
  }
  expect(values).not.toMatch(/password|token:|apiKey/i)
})

/** What a proxy has in front of it is a bot that says which name it was asked under. */
const proxied = async (
  start: (ports: { bot: number; own: number }) => { args: string[]; program: string },
) => {
  const bot = await listen(
    createServer((request, response) => response.end(`${request.headers.host} ${request.url}`)),
  )
  onTestFinished(bot.close)
  const free = await listen(createSocket())
  await free.close()
  const { program, args } = start({ bot: bot.port, own: free.port })
  const child = spawn(program, args, { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ask = async (path: string) => {
    const { request } = await import('node:http')
    return new Promise<{ status: number; body: string }>((resolve, reject) => {
      const asked = request(
        { port: free.port, host: '127.0.0.1', path, headers: { host: 'bellhop.example.com' } },
        async (response) => {
          let body = ''
          for await (const chunk of response) body += chunk
          resolve({ status: response.statusCode ?? 0, body })
        },
      )
      asked.on('error', reject)
      asked.end()
    })
  }
  await until(() => ask('/healthz'))
  for (const path of ['/slack/events', '/discord/interactions', '/console', '/console/sign-in', '/readyz'])
    expect(await ask(path)).toEqual({ status: 200, body: `bellhop.example.com ${path}` })
  for (const path of ['/', '/metrics', '/slack', '/consoles'])
    expect(await ask(path)).toMatchObject({ status: 404 })
}

test.skipIf(findProgram('nginx') === undefined)(
  'nginx passes what messengers and browsers ask, under their name',
  () =>
    proxied(({ bot, own }) => {
      const folder = newFolder()
      const server = readFileSync('deploy/nginx.conf', 'utf8')
        .replace('listen 443 ssl;', `listen 127.0.0.1:${own};`)
        .replaceAll(/^ *ssl_.*\n/gm, '')
        .replace('127.0.0.1:3000', `127.0.0.1:${bot}`)
      const whole = `daemon off; pid ${folder}/pid; error_log ${folder}/error; events {}
http { access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${server} }`
      writeFileSync(join(folder, 'nginx.conf'), whole)
      return { program: findProgram('nginx') ?? '', args: ['-c', join(folder, 'nginx.conf'), '-p', folder] }
    }),
)

test.skipIf(findProgram('caddy') === undefined)(
  'Caddy passes what messengers and browsers ask, under their name',
  () =>
    proxied(({ bot, own }) => {
      const file = join(newFolder(), 'Caddyfile')
      const site = readFileSync('deploy/Caddyfile', 'utf8')
        .replace('{$BELLHOP_HOST:bellhop.example.com} {', `http://bellhop.example.com:${own} {`)
        .replace('{$BELLHOP_ADDRESS:127.0.0.1:3000}', `127.0.0.1:${bot}`)
      writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
      return {
        program: findProgram('caddy') ?? '',
        args: ['run', '--adapter', 'caddyfile', '--config', file],
      }
    }),
)

const unitsOf = (name: string) => readFileSync(`deploy/${name}`, 'utf8')

test.skipIf(findProgram('systemd-analyze') === undefined)(
  'systemd reads the units without a complaint',
  () => {
    const folder = newFolder()
    const units = ['bellhop.service', 'bellhop-backup.service', 'bellhop-backup.timer']
    for (const name of units)
      writeFileSync(join(folder, name), unitsOf(name).replaceAll('/opt/bellhop', process.cwd()))
    const files = units.map((name) => join(folder, name))
    const { stdout, stderr } = spawnSync(
      findProgram('systemd-analyze') ?? '',
      ['verify', '--man=no', ...files],
      { encoding: 'utf8' },
    )
    expect(`${stdout}${stderr}`).toBe('')
  },
)

test.skipIf(findProgram('promtool') === undefined)('Prometheus reads the alerts', () => {
  const { stdout, stderr } = spawnSync(
    findProgram('promtool') ?? '',
    ['check', 'rules', 'deploy/alerts.yml'],
    { encoding: 'utf8' },
  )
  expect(`${stdout}${stderr}`).toMatch(/SUCCESS: \d+ rules found/)
})

describe('one process, wherever it runs', () => {
  const variables = new Set(
    readFileSync('.env.example', 'utf8')
      .match(/^#[A-Z_]+(?==)/gm)
      ?.map((name) => name.slice(1)),
  )
  const single = parse(unitsOf('compose.single.yml'))
  const render = parse(unitsOf('render.yaml')).services[0]
  const fly = unitsOf('fly.toml')

  test('sets only variables that the bot reads', () => {
    const set = [
      ...Object.keys(single.services.bellhop.environment),
      ...render.envVars.flatMap(({ key }: { key?: string }) => key ?? []),
      ...(fly
        .split('[env]')[1]
        ?.split('\n[')[0]
        ?.match(/^[A-Z_]+/gm) ?? []),
    ]
    expect(set.filter((name) => !variables.has(name))).toEqual([])
    expect(set.length).toBeGreaterThan(5)
  })

  test('has its data on a volume, is asked whether it is ready, and is given the time to stop', () => {
    expect(single.services.bellhop.volumes).toContain('data:/data')
    expect(single.services.bellhop.stop_grace_period).toBe('15s')
    expect(render).toMatchObject({
      disk: { mountPath: '/data' },
      healthCheckPath: '/readyz',
      numInstances: 1,
    })
    expect(render.maxShutdownDelaySeconds).toBe(15)
    for (const line of ['destination = "/data"', 'path = "/readyz"', 'kill_timeout = "15s"'])
      expect(fly).toContain(line)
  })

  test('is reached through the Caddyfile that a machine has', () => {
    expect(single.services.caddy.volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro')
    const named = [...unitsOf('Caddyfile').matchAll(/\{\$([A-Z_]+):/g)].map(([, name]) => name)
    expect(Object.keys(single.services.caddy.environment)).toEqual(named)
  })
})

describe('the backup of each night', () => {
  /** Stands in for the bot: says what it was asked, and writes the file. */
  const backUp = (drillDay: string, bot = '[ "$1" = restore ] || echo backup > "$2"') => {
    const folder = newFolder()
    const said = join(folder, 'said')
    const stub = join(folder, 'stub')
    writeFileSync(stub, `#!/bin/sh\necho "$1 $3" >> ${said}\n${bot}\n`, { mode: 0o755 })
    const backups = join(folder, 'backups')
    mkdirSync(backups)
    const old = join(backups, 'bellhop-2026-01-01T031000.backup')
    const other = join(backups, 'notes.txt')
    for (const file of [old, other]) {
      writeFileSync(file, 'before')
      utimesSync(file, 0, 0)
    }
    const { status } = spawnSync(join('deploy', 'backup.sh'), [backups, '30', drillDay], {
      env: { ...process.env, BELLHOP: stub },
    })
    return {
      status,
      said: readFileSync(said, 'utf8').trim().split('\n'),
      files: readdirSync(backups).toSorted(),
      old: 'bellhop-2026-01-01T031000.backup',
    }
  }

  test('is kept with those of a month, is tried out on one day of the week, and removes what is too old', () => {
    const days = ['1', '2', '3', '4', '5', '6', '7']
    const nights = days.map((day) => backUp(day))
    expect(nights.map(({ status, files }) => [status, files.length])).toEqual(days.map(() => [0, 2]))
    for (const { files } of nights) expect(files[1]).toBe('notes.txt')
    expect(nights.filter(({ said }) => said.includes('restore --drill'))).toHaveLength(1)
  })

  test('removes nothing where it fails', () => {
    const { status, files, old } = backUp('0', 'exit 2')
    expect(status).toBe(2)
    expect(files).toContain(old)
  })
})
