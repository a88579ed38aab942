import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../sandbox/sandbox.ts'
import type { Lock } from '../../tools/gate/lock.ts'
import { newPlace, openMachine } from '../backup/machine.ts'
import { newFolder } from '../harness/bot-process.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { findProgram } from '../harness/programs.ts'
import { whenDone } from '../harness/when-done.ts'

const page = readFileSync('docs/deploy.md', 'utf8')

/** What a reader copies into a shell: fenced as sh, or indented; not what a program answers. */
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$|^\n((?: {4}\S.*\n)+)/gm)]
  .map(([, fenced, indented]) => fenced ?? indented ?? '')
  .map((block) => block.split('\n').flatMap((line) => line.trim() || []))
  .filter(([first = '']) => !first.startsWith('{'))

type Place = Awaited<ReturnType<typeof newPlace>>
/** A folder in the place of the machine's own, the bot that runs, its place, and one that no bot has used. */
type Site = { root: string; machine: Awaited<ReturnType<typeof openMachine>>; first: Place; other: Place }
type Way =
  /** Run as it stands, but for what this changes in it; paths of the machine are below a folder of the test. */
  | {
      as?: (line: string, site: Site) => string
      place?: 'other'
      first?: (site: Site) => Promise<void>
      seen?: (site: Site, out: string) => void
    }
  | { not: string }

const noEngine = 'there is no container engine here; npm run prove:image runs the image with these options'
const noCluster = 'there is no Kubernetes here, and neither Debian nor npm has helm'
const isRoot = process.getuid?.() === 0

const ways: Record<string, Way> = {
  'useradd --system --home-dir /var/lib/bellhop --shell /usr/sbin/nologin bellhop': isRoot
    ? {
        as: (line, { root }) => line.replace('useradd', `useradd --prefix ${root}`),
        seen: ({ root }) =>
          expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(/^bellhop:.*nologin$/m),
      }
    : { not: 'only root makes users' },
  // An install from the lock file is what .ci/run begins with; here npm only says what it would do.
  'git clone "$REPOSITORY" /opt/bellhop && cd /opt/bellhop && npm ci --omit=dev': {
    as: (line) => `${line} --dry-run`,
    seen: ({ root }) => expect(existsSync(join(root, 'opt/bellhop/bin/bellhop'))).toBe(true),
  },
  'install -d -m 755 /etc/bellhop && install -m 600 .env.example /etc/bellhop/env': {
    seen: ({ root }) => expect(statSync(join(root, 'etc/bellhop/env')).mode & 0o777).toBe(0o600),
  },
  'install -m 644 deploy/bellhop.service /etc/systemd/system/': {},
  'systemctl daemon-reload': { not: 'systemd does not run in a container' },
  'systemctl enable --now bellhop':
    findProgram('systemd-analyze') === undefined
      ? { not: 'there is no systemd here' }
      : {
          as: (line, { root }) => line.replace('--now', `--root=${root}`),
          seen: ({ root }) => {
            const wanted = join(root, 'etc/systemd/system/multi-user.target.wants/bellhop.service')
            expect(readlinkSync(wanted)).toContain('bellhop.service')
          },
        },
  'docker run --read-only --env-file .env -v bellhop:/data -v ./bellhop.yml:/app/bellhop.yml:ro -p 127.0.0.1:3000:3000 bellhop':
    { not: noEngine },
  'docker run --rm --env-file .env -v ./bellhop.yml:/app/bellhop.yml:ro bellhop doctor': { not: noEngine },
  'BELLHOP_HOST=bellhop.example.com docker compose -f deploy/compose.single.yml up --build -d': {
    not: 'there is no container engine here; test/deploy/files reads the file that it is started from',
  },
  'npm run sbom --silent > bellhop.cdx.json': {
    as: (line, { root }) => line.replace('> ', `> ${root}/`),
    seen: ({ root }) => checkBom(JSON.parse(readFileSync(join(root, 'bellhop.cdx.json'), 'utf8'))),
  },
  'buildah build --format oci --timestamp "$(git log -1 --format=%ct)" -t bellhop .': {
    not: 'the images that the Dockerfile starts from cannot be had here; npm run prove:image builds it on stand-ins',
  },
  'kubectl create secret generic bellhop-env --from-env-file=.env': { not: noCluster },
  'kubectl create secret generic bellhop-policy --from-file=bellhop.yml': { not: noCluster },
  'helm install bellhop deploy/chart --set image.repository=registry.example.com/bellhop': { not: noCluster },
  'DATABASE_URL=postgres://bellhop:secret@db-1:5432,db-2:5432/bellhop?target_session_attrs=read-write': {
    not: 'there is one server here; test/storage/database opens addresses of several',
  },
  'npm run audit -- rotate --as "$PERSON" --reason "every year"': {},
  'BACKUP_PASSPHRASE_FILE=/etc/bellhop/backup-passphrase bin/bellhop backup /var/backups/bellhop-monday': {
    seen: (_, out) => expect(out).toMatch(/sha256 [0-9a-f]{64}/),
  },
  'BACKUP_PASSPHRASE_FILE=/etc/bellhop/backup-passphrase bin/bellhop restore /var/backups/bellhop-monday --drill':
    {},
  'BACKUP_PASSPHRASE_FILE=/etc/bellhop/backup-passphrase bin/bellhop restore /var/backups/bellhop-monday': {
    place: 'other',
  },
  'bin/bellhop audit restored --as "$PERSON" --reason "the database of Monday, after the disk failed"': {
    place: 'other',
    // A replica that kept its folder remembers a longer log than the one that was restored.
    first: async ({ machine, first, other }) => {
      await machine.close(0)
      const kept = 'audit-checkpoint.txt'
      copyFileSync(join(first.env.DATA_DIR, kept), join(other.env.DATA_DIR, kept))
    },
  },
}

test('each line of the page has a way to be run, or a reason why it is not, and no other line does', () => {
  expect(blocks.flat().toSorted()).toEqual(Object.keys(ways).toSorted())
})

test('the lines of the page do what they say, in their order', async () => {
  const root = newFolder()
  for (const folder of ['etc/systemd/system', 'etc/bellhop', 'opt', 'var/backups'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['passwd', 'group', 'shadow', 'gshadow']) writeFileSync(join(root, 'etc', file), '')
  writeFileSync(join(root, 'etc/bellhop/backup-passphrase'), 'correct horse battery staple', { mode: 0o600 })
  const sandbox = await startSandbox()
  whenDone(() => sandbox.close())
  const [first, other] = [await newPlace('sqlite'), await newPlace('sqlite')]
  writeFileSync(first.env.BELLHOP_CONFIG, demoPolicy)
  const machine = await openMachine(first.env, sandbox)
  whenDone(() => machine.close(0))
  const site: Site = { root, machine, first, other }
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const common = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, REPOSITORY: process.cwd(), PERSON: 'p-finance' }

  for (const block of blocks) {
    const run = block.flatMap((line) => {
      const way = ways[line]
      return way === undefined || 'not' in way ? [] : [{ line, way }]
    })
    if (run.length === 0) continue
    const script = run.map(({ line, way }) => {
      const below = line.replaceAll(/(^|[\s=])\/(?=(etc|var|opt)\/)/g, `$1${root}/`)
      return way.as?.(below, site) ?? below
    })
    const place = run.some(({ way }) => way.place === 'other') ? other : first
    const env = { ...common, ...place.env }
    for (const { way } of run) await way.first?.(site)
    const { status, stdout, stderr } = await ran(script.join('\n'), env)
    expect({ block, status, stderr: status === 0 ? '' : stderr }).toEqual({ block, status: 0, stderr: '' })
    for (const { way } of run) way.seen?.(site, stdout)
  }
})

/** Beside the bot of this process, which goes on meanwhile. */
const ran = (script: string, env: NodeJS.ProcessEnv) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    execFile('bash', ['-e', '-c', script], { env }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error)
      else resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

/** As the specification has it, with everything that the lock file says will run, each with a digest and a licence. */
const checkBom = (bom: unknown): void => {
  const component = z.object({
    'bom-ref': z.string(),
    type: z.literal('library'),
    name: z.string(),
    version: z.string(),
    purl: z.string().startsWith('pkg:npm/'),
    hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string() })).optional(),
    licenses: z
      .array(
        z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]),
      )
      .min(1),
  })
  const schema = z.object({
    bomFormat: z.literal('CycloneDX'),
    specVersion: z.literal('1.5'),
    version: z.literal(1),
    metadata: z.object({ component: z.object({ name: z.literal('bellhop') }) }),
    components: z.array(component),
    dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  })
  const { components, dependencies } = schema.parse(bom)
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  const runs = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  const named = runs.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(named))
  const refs = new Set(dependencies.map(({ ref }) => ref))
  expect(components.filter((one) => !refs.has(one['bom-ref']))).toEqual([])
}
