import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Containers } from './container.ts'
import type { Network } from './network.ts'

/** One promise, what was seen of it, and whether it was kept. */
export type Check = { what: string; seen: string; ok: boolean }

/** Where the image is run: a folder with the two files that docs/deploy.md asks for, and a network. */
export type Site = { folder: string; containers: Containers; network: Network }

const policy = `version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
roles:
  support: { run: [refund, "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
`

export const writeSettings = (folder: string): void => {
  writeFileSync(`${folder}/.env`, 'SANDBOX=on\nLOG_LEVEL=info\n')
  writeFileSync(`${folder}/bellhop.yml`, policy)
}

/** How long it takes until the image's own health check passes. */
export const healthyAfter = async ({ config, exec, output, ended }: Container): Promise<number> => {
  const began = performance.now()
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  const [, ...test] = config.Healthcheck?.Test ?? []
  for (; performance.now() - began < 60_000 && !isOver; await sleep(100)) {
    if ((await exec(...test)).code === 0) return performance.now() - began
  }
  throw new Error(`the container did not get healthy: ${output()}`)
}

/** A line said in the terminal, inside the container. */
export const say = async (
  container: Container,
  line: string,
): Promise<{ code: number | null; output: string }> =>
  container.exec(...(container.config.Entrypoint ?? []), entryOf('say'), '--as', 'sam', line)

/** The file that a script of package.json starts. */
export const entryOf = (script: string): string => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  return scripts[script]?.split(' ').at(-1) ?? ''
}

/** Nobody in the container is root or has a right of root's. */
export const checkProcesses = async (where: string, container: Container): Promise<Check> => {
  const processes = await container.processes()
  const isHarmless = ({
    Uid = '',
    Gid = '',
    CapEff = '',
    CapPrm = '',
    CapAmb = '',
  }: Record<string, string>) =>
    [Uid, Gid].every((ids) => ids.split('\t').every((id) => id === '65532')) &&
    [CapEff, CapPrm, CapAmb].every((rights) => /^0+$/.test(rights))
  return {
    what: `${where}, every process belongs to user 65532 and has no right of root's`,
    seen: processes.map(({ Uid, CapPrm }) => `user ${Uid?.split('\t')[0]}, rights ${CapPrm}`).join('; '),
    ok: processes.length > 0 && processes.every(isHarmless),
  }
}

export const timeOf = (ms: number): string =>
  ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
