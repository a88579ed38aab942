import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Container } from './container.ts'
import { type Check, checkProcesses, entryOf, healthyAfter, type Site, say, timeOf } from './site.ts'
import { variablesOf } from './spec.ts'

/** Prints where a file can be made, and why not elsewhere. */
const tryToWrite = `const { writeFileSync } = require('node:fs')
  const places = ['/app', '/usr/local/bin', '/tmp', '/data', require('node:os').tmpdir()]
  const tried = places.map((place) => {
    try { writeFileSync(place + '/tried', '') } catch ({ code }) { return place + ' ' + code }
    return place + ' written'
  })
  console.log(tried.join(', '))`
const writesToVolume = '/app EROFS, /usr/local/bin EROFS, /tmp EROFS, /data written, /data written'

/** As `docker run --read-only --env-file .env -v bellhop:/data -v ./bellhop.yml:/app/bellhop.yml:ro bellhop` does it. */
export const runAlone = async ({ folder, containers, network }: Site): Promise<Check[]> => {
  const policy = { source: join(folder, 'bellhop.yml'), destination: '/app/bellhop.yml', readOnly: true }
  const start = (volume: string, command?: string[]): Promise<Container> =>
    containers.start({
      image: 'bellhop',
      host: 'alone',
      command,
      env: variablesOf(readFileSync(join(folder, '.env'), 'utf8').split('\n')),
      mounts: [policy, { source: join(folder, volume), destination: '/data', readOnly: false }],
      readOnly: true,
      unprivileged: false,
    })
  const doctor = await (await start('volume-1', [entryOf('doctor')])).ended

  const container = await start('volume-2')
  const ms = await healthyAfter(container)
  const [answer] = await network.ask('http://alone:3000/healthz')
  const processes = await checkProcesses('alone', container)
  const [main] = await container.processes()
  const written = (await container.exec('node', '-e', tryToWrite)).output.trim()
  const asked = await say(container, 'refund pay_1001 120')
  const stopped = await container.stop()

  const listIn = async (volume: string): Promise<string> => {
    const next = await start(volume)
    await healthyAfter(next)
    const { output } = await say(next, 'approval list')
    await next.stop()
    return output
  }
  const isKept = (await listIn('volume-2')).includes('pay_1001')
  const isNew = !(await listIn('volume-3')).includes('pay_1001')
  return [
    {
      what: 'another entry of the image runs: the doctor finds nothing to do',
      seen: `exit code ${doctor.code}`,
      ok: doctor.code === 0,
    },
    {
      what: 'it starts, and its own health check passes',
      seen: `after ${timeOf(ms)}, with ${megabytesOf(main?.VmRSS)} MB of memory`,
      ok: true,
    },
    {
      what: '/healthz answers outside the container',
      seen: `${answer?.status} ${answer?.body}`,
      ok: answer?.status === 200,
    },
    processes,
    {
      what: 'with --read-only it writes to /data and nowhere else, temporary files included',
      seen: written,
      ok: written === writesToVolume,
    },
    {
      what: 'SIGTERM ends it with exit code 0',
      seen: `exit code ${stopped.code} after ${timeOf(stopped.ms)}`,
      ok: stopped.code === 0,
    },
    {
      what: 'a request that waits for approval is there in the next container on the same volume, and in none on another',
      seen: `exit code ${asked.code} (waiting); then ${isKept ? 'there' : 'gone'}; elsewhere ${isNew ? 'nothing' : 'something'}`,
      ok: asked.code === 3 && isKept && isNew,
    },
  ]
}

const megabytesOf = (kilobytes = ''): string => (Number.parseInt(kilobytes, 10) / 1024).toFixed(0)
