import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAlone } from './image/alone.ts'
import { createContainers } from './image/container.ts'
import { checkContents } from './image/contents.ts'
import { runDeployment } from './image/deployment.ts'
import { openNetwork } from './image/network.ts'
import { type Check, timeOf, writeSettings } from './image/site.ts'
import { type Buildah, makeStandIns } from './image/stand-ins.ts'
import { requireTools, run } from './image/tools.ts'
import type { Proof, ProveOptions } from './proof.ts'

/** Builds the Dockerfile, and runs what it gives alone and as compose.yml says. */
export const proveImage = async ({ say }: ProveOptions): Promise<Proof> => {
  await requireTools()
  // Users in the containers read what is written from here on.
  const umask = process.umask(0o022)
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-image-'))
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const buildah: Buildah = (...args) => run('buildah', ...storage, ...args)
  const network = await openNetwork(['alone', 'bellhop-1', 'bellhop-2', 'balancer', 'database'])
  const containers = createContainers(buildah, network, folder)
  // Ctrl-C ends the commands that run; what they leave behind is removed as after any other failure.
  const carryOn = () => undefined
  process.on('SIGINT', carryOn)
  try {
    say('making stand-ins for the base images from Debian packages')
    await makeStandIns(buildah)
    say('building')
    const built = await build(buildah, folder)
    const contents = await checkContents(buildah, admitted())
    writeSettings(folder)
    say('running it alone')
    const alone = await runAlone({ folder, containers, network })
    say('running it as compose.yml says')
    const deployment = await runDeployment({ folder, containers, network })
    return proofOf([built, ...contents, ...alone, ...deployment])
  } finally {
    await containers.close()
    await network.close()
    await buildah('rm', '--all')
    await run('rm', '-rf', '--one-file-system', folder)
    process.off('SIGINT', carryOn)
    process.umask(umask)
  }
}

const build = async (buildah: Buildah, folder: string): Promise<Check> => {
  const context = join(folder, 'context')
  for (const path of ['Dockerfile', '.dockerignore', ...admitted()]) {
    cpSync(path, join(context, path), { recursive: true })
  }
  await run('chmod', '-R', 'go-rwx', context)
  const began = performance.now()
  await buildah('build', '--isolation=chroot', '--format=docker', '--pull-never', '--tag=bellhop', context)
  return {
    what: 'the Dockerfile builds, from a clone that only its owner may read',
    seen: `in ${timeOf(performance.now() - began)}, at a load of ${loadavg()[0]?.toFixed(1)}`,
    ok: true,
  }
}

/** What .dockerignore lets the build see. */
const admitted = (): string[] =>
  readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))

const proofOf = (checks: Check[]): Proof => ({
  title: 'Image',
  claim:
    'The Dockerfile builds; its image runs as a user without rights, keeps what it must in its volume, and serves as compose.yml says.',
  figures: [
    "Built with buildah and run with runc, as an engine does: namespaces of its own, the image's user, environment, volume and health check.",
    "The images that the Dockerfile and compose.yml name were not fetched. Stand-ins: Debian bookworm with our Node and npm for node:24-bookworm-slim; the Debian packages of distroless/cc, unpacked as that image does it; Debian's nginx; the PostgreSQL of this machine. What the real ones bring themselves is not shown here.",
  ],
  tables: [{ head: ['promise', 'seen'], rows: checks.map(({ what, seen }) => [what, seen]) }],
  violations: checks.filter(({ ok }) => !ok).map(({ what, seen }) => `${what}: ${seen}`),
})
