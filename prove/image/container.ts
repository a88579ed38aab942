import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Network } from './network.ts'
import { type ContainerOptions, type ImageConfig, type Spec, specFor } from './spec.ts'
import type { Buildah } from './stand-ins.ts'
import { run } from './tools.ts'

export type Exit = { code: number | null; ms: number; output: string }

export type Container = {
  config: ImageConfig
  output(): string
  ended: Promise<Exit>
  /** Runs another process in it, as an engine runs the health check. */
  exec(...args: string[]): Promise<Exit>
  stop(): Promise<Exit>
  /** The `status` files of its processes. */
  processes(): Promise<Record<string, string>[]>
}

export type Containers = ReturnType<typeof createContainers>

/** Runs images with runc, which is what an engine runs them with too. */
export const createContainers = (buildah: Buildah, network: Network, folder: string) => {
  const state = join(folder, 'runc')
  const hosts = join(folder, 'hosts')
  writeFileSync(hosts, network.hosts)
  const runc = (...args: string[]) => ['--root', state, ...args]
  const started: Container[] = []

  const start = async (options: ContainerOptions): Promise<Container> => {
    const bundle = mkdtempSync(join(folder, `${options.host}-`))
    const id = bundle.slice(folder.length + 1)
    const config = await configOf(buildah, options.image)
    const root = await buildah('mount', await buildah('from', '--pull-never', options.image))
    await run('runc', 'spec', '--bundle', bundle)
    const file = join(bundle, 'config.json')
    const spec: Spec = JSON.parse(readFileSync(file, 'utf8'))
    const mounts = [...options.mounts, { source: hosts, destination: '/etc/hosts', readOnly: true }]
    const networkSpace = network.spaceOf(options.host)
    writeFileSync(
      file,
      JSON.stringify(specFor(spec, { ...options, mounts }, { config, root, bundle, networkSpace })),
    )

    const main = follow('runc', runc('run', '--bundle', bundle, id))
    const container: Container = {
      config,
      output: main.output,
      ended: main.ended,
      exec: (...args) => follow('runc', runc('exec', id, ...args)).ended,
      stop: async () => {
        const asked = performance.now()
        await run('runc', ...runc('kill', id, 'TERM'))
        return { ...(await main.ended), ms: performance.now() - asked }
      },
      processes: async () =>
        (JSON.parse(await run('runc', ...runc('ps', '--format', 'json', id))) as number[]).map(statusOf),
    }
    started.push(container)
    return container
  }

  /** Whatever still runs is killed. */
  const close = async (): Promise<void> => {
    const ids = await run('runc', ...runc('list', '--quiet'))
    for (const id of ids.split('\n').filter(Boolean)) await run('runc', ...runc('delete', '--force', id))
    await Promise.all(started.map(({ ended }) => ended))
  }
  return { start, close }
}

const configOf = async (buildah: Buildah, image: string): Promise<ImageConfig> =>
  JSON.parse(await buildah('inspect', '--type', 'image', image)).Docker.config

const statusOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s+/))
      .map(([name = '', value = '']) => [name, value]),
  )

const follow = (command: string, args: string[]): { output(): string; ended: Promise<Exit> } => {
  const began = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ms: performance.now() - began, output }))
  })
  return { output: () => output, ended }
}
