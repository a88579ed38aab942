import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cyclesOf } from './cycles.ts'
import { layers } from './layers.ts'

type Import = { from: string; to: string; typesOnly: boolean }

/** What no line "importing file -> project file or package" may match. */
const rules: { never: RegExp; why: string; typesMay?: true }[] = [
  {
    never: /^src\/(?!main\.ts |cli\/).* -> (adapters|commands|packs|examples)\//,
    why: 'src/ knows neither adapters, commands nor packs; only src/main.ts and src/cli/ join them',
  },
  { never: /^adapters\/([\w-]+)\/.* -> adapters\/(?!\1\/)/, why: 'adapters never see each other' },
  {
    never: /^(commands|adapters|src|packs)\/.* -> sandbox\//,
    why: 'sandbox/ is for tests, proofs and measurements; the bot starts the stand-ins of its packs',
  },
  {
    never: /^(src|packs\/[\w-]+)\/sandbox\/.* -> (adapters|commands|src\/(?!services\/|sandbox\/))/,
    why: 'a stand-in knows nothing of the bot but the tables of endpoints',
  },
  { never: /^packs\/([\w-]+)\/.* -> packs\/(?!\1\/|[\w-]+\.ts$)/, why: 'packs never see each other' },
  { never: /^adapters\/.* -> commands\//, why: 'adapters take the commands by parameter' },
  {
    never:
      /^adapters\/.* -> src\/(?!(messenger|view|command|model)\/|(log|retry|defined|tool-words|undici)\.ts$|http\/server\.ts$|doctor\/api-call\.ts$|approvals\/card\.ts$|policy\/clauses\.ts$)/,
    why: 'adapters see the bot through src/messenger/ and what it names, and nothing behind it',
  },
  { never: /^commands\/.* -> adapters\//, why: 'commands know no platform' },
  {
    never: /^(src|commands|adapters\/(?!slack\/)).* -> @slack\//,
    why: 'only adapters/slack/ talks to the Slack SDK',
  },
  {
    never: /^(src|commands|adapters\/(?!discord\/)).* -> (discord\.js|discord-api-types|@discordjs)(\/|$)/,
    why: 'only adapters/discord/ talks to the Discord SDK',
  },
  {
    never: /^(src\/(?!cli\/)|commands|adapters\/(?!mcp\/)).* -> @modelcontextprotocol\//,
    why: 'only adapters/mcp/ speaks the protocol of agents, and the client that src/cli/ starts',
  },
  {
    never:
      /^src\/(policy\/|command\/|view\/|approvals\/law\.ts(?= )).* -> src\/(storage\/|http\/|services\/client(\.ts$|\/))/,
    why: 'policy, command, view and the law are pure: the world comes in by parameter',
    typesMay: true,
  },
  {
    never: /^(src|commands|adapters|sandbox|packs)\/.* -> (test|bench|prove)\//,
    why: 'the product needs no test to run',
  },
]

/** Every import that goes the wrong way, and every cycle, as a line each. */
export async function importFaults(tsc: string): Promise<string[]> {
  const imports = importsIn(await explain(tsc))
  if (imports.length === 0) return ['the compiler named no imports at all: this check has gone blind']
  const astray = imports.flatMap(({ from, to, typesOnly }) =>
    rules
      .filter(({ never, typesMay }) => never.test(`${from} -> ${to}`) && !(typesMay && typesOnly))
      .map(({ why }) => why)
      .concat(whyUpward(from, to) ?? [])
      .map((why) => `${from} -> ${to}: ${why}`),
  )
  return [...new Set(astray), ...cyclesOf(imports).map((cycle) => `a cycle: ${cycle.join(' -> ')}`)]
}

/** Why a file of src/ may not import another one, if it may not. */
function whyUpward(from: string, to: string): string | undefined {
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

/** The compiler's own, resolved view of who imports what: types, re-exports and `import()` included. */
function explain(tsc: string): Promise<string> {
  return new Promise((resolve) => {
    const options = ['--noEmit', '--listFilesOnly', '--explainFiles', '--pretty', 'false', '-p', '.']
    // A type error makes the exit code 1 and is another check's to tell; the list is printed all the same.
    execFile(process.execPath, [tsc, ...options], { maxBuffer: 1 << 28 }, (_, stdout) => resolve(stdout))
  })
}

function importsIn(explained: string): Import[] {
  const imports: Import[] = []
  let file = ''
  for (const line of explained.split('\n')) {
    if (!line.startsWith(' ')) file = line.trim()
    const [, specifier, from] = /^\s+Imported via ['"](.+?)['"] from file '(.+?)'/.exec(line) ?? []
    if (!specifier || !from || !isOurs(from)) continue
    imports.push({ from, to: isOurs(file) ? file : specifier, typesOnly: isTypesOnly(from, specifier) })
  }
  return imports
}

/** Whether every mention of the specifier is an `import type` or `export type`. */
function isTypesOnly(from: string, specifier: string): boolean {
  const rest = readFileSync(from, 'utf8').replace(/^(import|export) type\b[^'"]*from\s*(['"]).*?\2/gm, '')
  return !rest.includes(`'${specifier}'`) && !rest.includes(`"${specifier}"`)
}

function isOurs(file: string): boolean {
  return /^(src|commands|adapters|packs|examples|sandbox|test|bench|prove)\//.test(file)
}
