import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cyclesOf } from './cycles.ts'
import { floors } from './floors.ts'

export type Import = { from: string; to: string; typesOnly: boolean }

/** What no line "importing file -> project file or package" may match. */
const rules: { never: RegExp; why: string; typesMay?: true }[] = [
  {
    never:
      /^src\/cli\/(start\/(?!load-commands)|packs\/|backup\/|doctor\/).* -> (adapters|commands|packs|examples)\//,
    why: 'only src/main.ts and what people start join adapters, commands and packs to the bot',
  },
  { never: /^adapters\/([\w-]+)\/.* -> adapters\/(?!\1\/)/, why: 'adapters never see each other' },
  {
    never: /^(commands|adapters|src|packs)\/.* -> sandbox\//,
    why: 'sandbox/ is for tests, proofs and measurements; the bot starts the stand-ins of its packs',
  },
  {
    never: /^(src\/lib|packs\/[\w-]+)\/sandbox\/.* -> src\/(?!lib\/(services|sandbox)\/)/,
    why: 'a stand-in knows nothing of the bot but the tables of endpoints',
  },
  { never: /^packs\/([\w-]+)\/.* -> packs\/(?!\1\/|[\w-]+\.ts$)/, why: 'packs never see each other' },
  { never: /^adapters\/.* -> (commands|packs)\//, why: 'adapters take the commands by parameter' },
  {
    never:
      /^adapters\/.* -> src\/(?!lib\/|kernel\/((messenger|command|model)\/|tool-words\.ts$|cards\/(card|marked|pressable|signing-view)\.ts$|law\/clauses\.ts$))/,
    why: 'adapters see the bot through src/kernel/messenger/ and what it names, and nothing behind it',
  },
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
      /^src\/(lib\/view\/|kernel\/(policy\/(?!in-force\/)|command\/|law\/(law|clauses|drift)\.ts(?= ))).* -> src\/(kernel\/(store|watch)\/|lib\/(sql|http|services\/client)(\.ts$|\/))/,
    why: 'policy, command, view and the law are pure: the world comes in by parameter',
    typesMay: true,
  },
  {
    never: /^(src|commands|adapters|sandbox|packs)\/.* -> (tools|test|bench|prove)\//,
    why: 'the product needs neither tests nor the tools of its developers to run',
  },
]

/** Every import that goes the wrong way, and every cycle, as a line each. */
export async function importFaults(tsc: string): Promise<string[]> {
  const imports = await importsOf(tsc)
  if (imports.length === 0) return ['the compiler named no imports at all: this check has gone blind']
  const astray = imports.flatMap(({ from, to, typesOnly }) =>
    rules
      .filter(({ never, typesMay }) => never.test(`${from} -> ${to}`) && !(typesMay && typesOnly))
      .map(({ why }) => why)
      .concat(refuseUpward(from, to) ?? [], refuseFeature(from, to) ?? [])
      .map((why) => `${from} -> ${to}: ${why}`),
  )
  return [...new Set(astray), ...cyclesOf(imports).map((cycle) => `a cycle: ${cycle.join(' -> ')}`)]
}

/** A feature is known to its own folder, its commands and its tests, and to the features that name it in their needs. */
function refuseFeature(from: string, to: string): string | undefined {
  const feature = featureOf(to)
  const own = featureOf(from.replace(/^test\//, 'src/'))
  if (feature === undefined || own === feature) return undefined
  if (from === 'src/features/index.ts' || /^commands\/[\w-]+\//.test(from)) return undefined
  if (own === undefined)
    return `only src/features/index.ts and the commands of the feature ${feature} know it`
  if (needsOf(own).includes(feature)) return undefined
  return `the feature ${own} does not name the feature ${feature} in its needs`
}

function featureOf(file: string): string | undefined {
  return /^src\/features\/([\w-]+)\//.exec(file)?.[1]
}

/** The folders of the features that stand in `needs: [...]` of one. */
function needsOf(feature: string): string[] {
  const text = readFileSync(`src/features/${feature}/index.ts`, 'utf8')
  const needs =
    /\bneeds: \[([^\]]*)\]/
      .exec(text)?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? []
  const imports = text.matchAll(/^import \{ (\w+) \} from '\.\.\/([\w-]+)\/index\.ts'/gm)
  return [...imports].flatMap(([, name = '', folder = '']) => (needs.includes(name) ? folder : []))
}

/** Why a file may not import another one that stands on a higher floor. */
function refuseUpward(from: string, to: string): string | undefined {
  const [low, high] = [floorOf(from), floorOf(to)]
  if (low === undefined)
    return /^src\//.test(from) ? `${from} stands on no floor of tools/gate/floors.ts` : undefined
  if (high === undefined || floors.indexOf(high) <= floors.indexOf(low)) return undefined
  return `${low.name} stands below ${high.name} (tools/gate/floors.ts), and imports only go down`
}

function floorOf(file: string) {
  return floors.find(({ files }) => files.test(file))
}

let known: Promise<Import[]> | undefined

/** The compiler's own, resolved view of who imports what: types, re-exports and `import()` included. */
export const importsOf = (tsc: string): Promise<Import[]> => {
  known ??= explain(tsc).then(importsIn)
  return known
}

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
    // What comes from outside imports the surfaces by the name of the package, wherever they lie.
    const isNamed = specifier.startsWith('bellhop/') || !isOurs(file)
    imports.push({ from, to: isNamed ? specifier : file, typesOnly: isTypesOnly(from, specifier) })
  }
  return imports
}

/** Whether every mention of the specifier is an `import type` or `export type`. */
function isTypesOnly(from: string, specifier: string): boolean {
  const rest = readFileSync(from, 'utf8').replace(/^(import|export) type\b[^'"]*from\s*(['"]).*?\2/gm, '')
  return !rest.includes(`'${specifier}'`) && !rest.includes(`"${specifier}"`)
}

function isOurs(file: string): boolean {
  return /^(src|commands|adapters|packs|examples|sandbox|tools|test|bench|prove)\//.test(file)
}
