import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
  execFileSync('git', ['init', '-q'], { cwd: project.root })
  project.write(
    'src/kernel/feature.ts',
    'export type Feature = { name: string }\nexport const put = () => 1\n',
  )
  project.write('src/kernel/worker.ts', "import { put } from './feature.ts'\n\nput()\n")
  project.write(
    'src/features/parcels/index.ts',
    "import { type Feature, put } from '../../kernel/feature.ts'\n\nput()\nexport const parcels: Feature = { name: 'parcels' }\n",
  )
  project.write(
    'src/features/index.ts',
    "import type { Feature } from '../kernel/feature.ts'\nimport { parcels } from './parcels/index.ts'\n\nexport const features: readonly Feature[] = [parcels]\n",
  )
  project.write(
    'commands/parcel/find.ts',
    "import { parcels } from '../../src/features/parcels/index.ts'\n\nexport const parcelFind = parcels\n",
  )
  project.write(
    'commands/index.ts',
    "import { features } from '../src/features/index.ts'\nimport { parcelFind } from './parcel/find.ts'\n\nexport const all: readonly { name: string }[] = [\n  ...features,\n  parcelFind,\n]\n",
  )
})
afterEach(() => project.remove())

it('passes where a feature leaves nothing but its lines in the two lists', () => {
  expect(project.check('without')).toMatchObject({ code: 0, out: expect.stringContaining('ok      without') })
})

it.each([
  [
    'another file imports it',
    [
      'src/kernel/worker.ts',
      "import type { parcels } from '../features/parcels/index.ts'\n\nexport type P = typeof parcels\n",
    ],
    'src/kernel/worker.ts -> src/features/parcels/index.ts: without the feature parcels there is no such file',
  ],
  [
    'a command of others imports one of its commands',
    [
      'commands/order/get.ts',
      "import { parcelFind } from '../parcel/find.ts'\n\nexport const orderGet = parcelFind\n",
    ],
    'commands/order/get.ts -> commands/parcel/find.ts: without the feature parcels there is no such file',
  ],
  [
    'nobody else uses what it uses of the kernel',
    ['src/kernel/worker.ts', 'export const worker = 1\n'],
    'src/kernel/feature.ts put: only the feature parcels uses it',
  ],
  [
    'what is left has other types',
    ['src/kernel/worker.ts', "import { put } from './feature.ts'\n\nexport const one: string = put()\n"],
    'without any feature: ',
  ],
])('fails where %s', (_, [file = '', text = ''], said) => {
  project.write(file, text)
  expect(project.check('without')).toMatchObject({ code: 1, out: expect.stringContaining(said) })
})
