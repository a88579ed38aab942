import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startProcess, stopProcess } from '../harness/bot-process.ts'
import { buildImage, type Image, userOf } from './image.ts'

let image: Image
beforeAll(() => {
  image = buildImage()
})
afterAll(() => image.remove())

test('what the Dockerfile puts together starts without development packages, as nobody, and writes only to its volume', async () => {
  const [node, ...args] = [...image.entrypoint, ...image.command]
  expect(node).toBe('node')
  expect(image.env).toMatchObject({ HOST: '0.0.0.0', DATA_DIR: '/data', TMPDIR: '/data' })
  const env = { ...image.env, DATA_DIR: image.data, TMPDIR: image.data, PORT: '0', HOME: '/nonexistent' }
  const bot = startProcess({ command: image.node, args, env, cwd: image.folder, ...userOf() })
  const [, port = ''] = await bot.printed(/Server +http:\/\/0\.0\.0\.0:(\d+)/)
  expect(await healthOf(image.health, port)).toBe(0)
  expect((await stopProcess(bot)).code).toBe(0)
  expect(await healthOf(image.health, port)).toBe(1)
  // How long a busy machine lets it stand still is not its own doing.
  const said = bot.err().trimEnd().split('\n')
  expect(said.filter((line) => !line.includes('stood still'))).toEqual([
    expect.stringContaining('The console is on and HOST is 0.0.0.0'),
  ])
})

test('of date-fns only what is loaded is in it, and that still tells a distance', async () => {
  const sizes = readdirSync(join(image.folder, 'node_modules/date-fns'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((one) => one.isFile())
    .map((one) => statSync(join(one.parentPath, one.name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500_000)
  const tell = `const { distance } = await import('./src/lib/view/format.ts')
    const { timeLeft } = await import('./src/features/jobs/job-view.ts')
    const job = { state: 'running', since: 0, sinceDone: 0 }
    const figures = { done: 60, failed: 0, unknown: 0, skipped: 0, left: 120, sending: 0 }
    process.stdout.write(distance(0, 7_200_000) + ', ' + timeLeft(job, figures, 60_000))`
  const told = startProcess({
    command: image.node,
    args: ['--input-type=module', '-e', tell],
    env: { ...image.env, HOME: '/nonexistent' },
    cwd: image.folder,
    ...userOf(),
  })
  await told.ended
  expect(`${told.out()}${told.err()}`).toBe('2 hours ago, 2 minutes')
})

test('what the Dockerfile puts together can draw a chart', async () => {
  const draw = `const { drawChart } = await import('./adapters/discord/render/chart-image.ts')
    const series = [{ name: 'a', points: [{ label: 'x', value: 1 }] }]
    process.stdout.write((await drawChart({ kind: 'chart', title: 't', shape: 'bar', series })).toString('latin1', 1, 4))`
  const drawn = startProcess({
    command: image.node,
    args: ['--input-type=module', '-e', draw],
    env: { ...image.env, HOME: '/nonexistent' },
    cwd: image.folder,
    ...userOf(),
  })
  await drawn.ended
  expect(`${drawn.out()}${drawn.err()}`).toBe('PNG')
})

test('the build sees exactly what it copies', () => {
  const admitted = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const copied = readFileSync('Dockerfile', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
  expect(admitted.toSorted()).toEqual(copied.toSorted())
})

test('compose runs two replicas of one image, read-only, on one PostgreSQL, and nothing else can be reached', () => {
  const { services } = parse(readFileSync('compose.yml', 'utf8'), { merge: true })
  const [one, two] = [services['bellhop-1'], services['bellhop-2']]
  expect(one).toEqual(two)
  expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], image: 'bellhop' })
  expect(one.environment.DATABASE_URL).toMatch(
    /^postgres:\/\/bellhop:\$\{POSTGRES_PASSWORD.*@database:5432\/bellhop$/,
  )
  const published = Object.keys(services).filter((name) => services[name].ports !== undefined)
  expect(published).toEqual(['balancer'])
})

const healthOf = async ([, ...args]: string[], port: string): Promise<number | null> =>
  (await startProcess({ args, env: { PORT: port } }).ended).code
