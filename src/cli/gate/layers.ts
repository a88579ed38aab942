/** The folders of src/ and the files at its top, from low to high: each imports only what stands before it, types included. */
export const layers = [
  'log.ts',
  'small-heap.ts',
  'view/',
  'model/',
  'services/',
  'storage/',
  'audit/',
  'command/',
  'messenger/',
  'bulk/',
  'policy/',
  'core/',
  'approvals/',
  'jobs/',
  'pipeline/',
  'worker/',
  'http/',
  'app.ts',
  'config.ts',
  'runtime.ts',
  'banner.ts',
  'doctor/',
  'reference/',
  'cli/',
  'main.ts',
]

/** Why a file of src/ may not import another one, if it may not. */
export function whyUpward(from: string, to: string): string | undefined {
  const [lower, upper] = [layerOf(from), layerOf(to)]
  if (lower === undefined || upper === undefined || lower === upper) return undefined
  const unplaced = [lower, upper].find((layer) => !layers.includes(layer))
  if (unplaced !== undefined) return `src/${unplaced} has no place yet in the order of src/cli/gate/layers.ts`
  if (layers.indexOf(upper) < layers.indexOf(lower)) return undefined
  return `src/${lower} stands below src/${upper} (src/cli/gate/layers.ts), and imports only go down`
}

function layerOf(file: string): string | undefined {
  return /^src\/([^/]+\/?)/.exec(file)?.[1]
}
