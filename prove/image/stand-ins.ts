import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './tools.ts'

/** buildah on a store of its own. */
export type Buildah = (...args: string[]) => Promise<string>

/** What takes the place of the images that the Dockerfile and compose.yml name; nothing is fetched from a registry of images. */
export const standIns = {
  node: 'docker.io/library/node:24-bookworm-slim',
  distroless: 'gcr.io/distroless/cc-debian12:nonroot',
  nginx: 'docker.io/library/nginx:1.29-alpine',
}

/** The packages that distroless/cc consists of. */
const ccPackages = [
  'base-files',
  'netbase',
  'tzdata',
  'libc6',
  'libssl3',
  'libgcc-s1',
  'libgomp1',
  'libstdc++6',
]
const certificates = 'etc/ssl/certs/ca-certificates.crt'
const downloaded = 'var/cache/apt/archives'

export const makeStandIns = async (buildah: Buildah): Promise<void> => {
  const build = await emptyContainer(buildah)
  const include = ['ca-certificates', 'nginx-light', ...ccPackages].join(',')
  const mirror = 'http://deb.debian.org/debian'
  await run('debootstrap', '--variant=minbase', `--include=${include}`, 'bookworm', build.root, mirror)
  const base = await emptyContainer(buildah)
  await unpackDistroless(base.root, build.root)
  await buildah('config', '--user=65532', `--env=SSL_CERT_FILE=/${certificates}`, base.id)
  await buildah('commit', '--rm', base.id, standIns.distroless)

  rmSync(join(build.root, downloaded), { recursive: true })
  rmSync(join(build.root, 'etc/nginx/sites-enabled/default'))
  await installNode(build.root)
  const env = trustAsHere(build.root)
  await buildah('config', ...env, build.id)
  await buildah('commit', build.id, standIns.node)
  await buildah('config', '--cmd=nginx -g "daemon off;"', build.id)
  await buildah('commit', '--rm', build.id, standIns.nginx)
}

const emptyContainer = async (buildah: Buildah): Promise<{ id: string; root: string }> => {
  const id = await buildah('from', 'scratch')
  await buildah('config', '--env=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', id)
  return { id, root: await buildah('mount', id) }
}

/** As distroless is made: packages unpacked and not installed, the certificates in one file, three accounts. */
const unpackDistroless = async (root: string, debian: string): Promise<void> => {
  const archives = join(debian, downloaded)
  const files = readdirSync(archives).filter((name) => ccPackages.includes(name.split('_')[0] ?? ''))
  for (const file of files) await run('dpkg-deb', '--extract', join(archives, file), root)
  mkdirSync(dirname(join(root, certificates)), { recursive: true })
  copyFileSync(join(debian, certificates), join(root, certificates))
  const accounts = [
    'root:x:0:0::/root:',
    'nobody:x:65534:65534::/nonexistent:',
    'nonroot:x:65532:65532::/home/nonroot:',
  ]
  writeFileSync(join(root, 'etc/passwd'), accounts.map((line) => `${line}/sbin/nologin\n`).join(''))
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n')
}

/** Our own Node, and the npm that comes with it. */
const installNode = async (root: string): Promise<void> => {
  copyFileSync(`node_modules/node-linux-${process.arch}/bin/node`, join(root, 'usr/local/bin/node'))
  await run('npm', 'install', '--global', '--prefix', join(root, 'usr/local'), 'npm@11')
}

/** Where this machine reaches the registry of packages through certificates of its own, the build needs them as well. */
const trustAsHere = (root: string): string[] => {
  const { NODE_EXTRA_CA_CERTS: file } = process.env
  if (!file) return []
  cpSync(file, join(root, file), { dereference: true })
  return [`--env=NODE_EXTRA_CA_CERTS=${file}`]
}
