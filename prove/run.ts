import { parseArgs } from 'node:util'
import type { Proof, ProveOptions } from './proof.ts'
import { circumstances, markdownTable, plainTable, writeSection } from './report.ts'

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

Written by \`npm run prove\`, which makes each promise fail if it can. Every part can be repeated alone
(\`npm run prove:crash\`, \`prove:frozen\`, \`prove:replicas\`, \`prove:chaos\`, \`prove:failover\`, \`prove:fuzz\`, \`prove:authority\`, \`prove:stream\`, \`prove:webhooks\`, \`prove:isolation\`, \`prove:neighbours\`, \`prove:image\`) and exits non-zero when a promise was not kept.
The tests run a sample of each.
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
    writeSection('docs/proof.md', intro, { name, title: proof.title, text: pageOf(proof) })
  }
  if (proof.violations.length > 0) process.exitCode = 1
}

function tell(name: string, { title, claim, figures, tables, violations }: Proof): void {
  console.log(`\n${title}\n${claim}\n\n${tables.map(plainTable).join('\n\n')}\n\n${figures.join('\n')}`)
  for (const violation of violations) console.log(`VIOLATED  ${violation}`)
  console.log(`prove:${name}: ${violations.length} violations`)
}

function pageOf({ claim, figures, tables, violations }: Proof): string {
  return [
    claim,
    figures.map((figure) => `- ${figure}`).join('\n'),
    ...tables.map(markdownTable),
    violations.length === 0
      ? 'Violations: none.'
      : `Violations: ${violations.length}\n\n${violations.map((each) => `- ${each.split('\n')[0]}`).join('\n')}`,
    `Run: ${circumstances()}.`,
  ].join('\n\n')
}
