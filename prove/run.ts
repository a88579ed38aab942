import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Proof, ProveOptions } from './proof.ts'
import { circumstances, markdownTable, plainTable, runOf, writeSection } from './report.ts'

const proofs: Record<string, () => Promise<(options: ProveOptions) => Promise<Proof>>> = {
  crash: async () => (await import('./crash.ts')).proveCrash,
  frozen: async () => (await import('./frozen.ts')).proveFrozen,
  replicas: async () => (await import('./replicas.ts')).proveReplicas,
  chaos: async () => (await import('./chaos.ts')).proveChaos,
  failover: async () => (await import('./failover.ts')).proveFailover,
  fuzz: async () => (await import('./fuzz.ts')).proveFuzz,
  authority: async () => (await import('./authority.ts')).proveAuthority,
  stream: async () => (await import('./stream.ts')).proveStream,
  webhooks: async () => (await import('./webhooks.ts')).proveWebhooks,
  isolation: async () => (await import('./isolation.ts')).proveIsolation,
  neighbours: async () => (await import('./neighbours.ts')).proveNeighbours,
  image: async () => (await import('./image.ts')).proveImage,
}

const intro = `# Proof

\`npm run prove\` makes each promise fail if it can, and writes this page: for each part the promise, what was tried, the violations, the commit, and the command that repeats it. Each ends with an error when a promise was not kept. Its tables (each state after each kill, each fault) are printed and kept in \`prove/results/\`.
The tests run a sample of each part.
`

/** `npm run prove [-- crash fuzz] [--sample] [--seed 7] [--many 20000] [--no-docs]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    sample: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261115' },
    many: { type: 'string' },
    docs: { type: 'boolean', default: true },
  },
})
const unknown = positionals.filter((name) => !(name in proofs))
if (unknown.length > 0) {
  console.error(`there is no proof called ${unknown.join(', ')}, only ${Object.keys(proofs).join(', ')}`)
  process.exit(2)
}
for (const name of positionals.length > 0 ? positionals : Object.keys(proofs)) {
  const prove = await proofs[name]?.()
  if (prove === undefined) continue
  const proof = await prove({
    sample: values.sample,
    many: values.many === undefined ? undefined : Number(values.many),
    seed: Number(values.seed),
    say: (line) => console.error(`${name}: ${line}`),
  })
  tell(name, proof)
  if (!values.sample && values.docs) {
    mkdirSync('prove/results', { recursive: true })
    writeFileSync(`prove/results/${name}.md`, `# ${proof.title}\n\n${wholeOf(proof)}\n`)
    writeSection('docs/proof.md', intro, { name, title: proof.title, text: shortOf(name, proof) })
  }
  if (proof.violations.length > 0) process.exitCode = 1
}

function tell(name: string, { title, claim, figures, tables, violations }: Proof): void {
  console.log(`\n${title}\n${claim}\n\n${tables.map(plainTable).join('\n\n')}\n\n${figures.join('\n')}`)
  for (const violation of violations) console.log(`VIOLATED  ${violation}`)
  console.log(`prove:${name}: ${violations.length} violations`)
}

function shortOf(name: string, { claim, figures, violations }: Proof): string {
  const [first = ''] = figures
  return `${claim}\n\n${first}\n\n${violationsOf(violations)}\n\n${runOf(`prove:${name}`, circumstances())}`
}

function wholeOf({ claim, figures, tables, violations }: Proof): string {
  return [
    claim,
    figures.map((figure) => `- ${figure}`).join('\n'),
    ...tables.map(markdownTable),
    violationsOf(violations),
    `Run: ${circumstances()}.`,
  ].join('\n\n')
}

function violationsOf(violations: readonly string[]): string {
  return violations.length === 0
    ? 'Violations: none.'
    : `Violations: ${violations.length}\n\n${violations.map((each) => `- ${each.split('\n')[0]}`).join('\n')}`
}
