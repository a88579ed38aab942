import { existsSync, globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Node } from 'acorn'
import type { Diagnostics } from 'recheck'

/** A regular expression of the tree, and where it stands. */
type Pattern = { file: string; line: number; source: string; flags: string }

/** The patterns that were judged to be linear, written by `npm run derive`: to judge them all takes minutes. */
const judgedFile = 'tools/gate/linear-patterns.json'

/** So that the verdict depends on nothing but the pattern: steps are counted, and no clock is looked at. */
const judging = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  maxAttackStringSize: 5_000,
  attackLimit: 10_000_000,
}

/** Every regular expression whose time can grow faster than the text that it reads, as a line each; and what is to be noted. */
export const judgePatterns = async (): Promise<{ faults: string[]; judged: Record<string, string> }> => {
  // Node says each time that taking the types out of a text is new.
  process.removeAllListeners('warning')
  const files = globSync(['{src,adapters,commands,packs,sandbox}/**/*.{ts,js,mjs}', 'verify.mjs']).map(
    (file) => file.replaceAll('\\', '/'),
  )
  const patterns = (await Promise.all(files.toSorted().map(patternsIn))).flat()
  const doubtful = [...Map.groupBy(patterns, writtenOf)].filter(([, [one]]) => one && !isPlain(one))
  const known = new Set<string>(existsSync(judgedFile) ? JSON.parse(readFileSync(judgedFile, 'utf8')) : [])
  const faults: string[] = []
  for (const [written, places] of doubtful) {
    if (known.has(written)) continue
    // In this process: its other ways start a Java machine or a program of one platform.
    process.env.RECHECK_SYNC_BACKEND = 'pure'
    const { checkSync } = await import('recheck')
    const [{ source, flags }] = places as [Pattern]
    const verdict = checkSync(source, flags, judging)
    if (verdict.status === 'safe') known.add(written)
    else faults.push(...places.map((place) => faultOf(place, verdict)))
  }
  const linear = doubtful.map(([written]) => written).filter((written) => known.has(written))
  return { faults, judged: { [judgedFile]: `${JSON.stringify(linear.toSorted(), null, 2)}\n` } }
}

const writtenOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`

const faultOf = (pattern: Pattern, verdict: Diagnostics): string => {
  const takes =
    verdict.status === 'vulnerable' ? `${verdict.complexity.type} time` : 'a time that nobody can tell'
  return `${pattern.file}:${pattern.line} ${writtenOf(pattern)} takes ${takes}: write one that reads its text once, or scan it by hand`
}

/**
 * Whether one look is enough: nothing in it repeats without end, or one thing does and only from one place on.
 * What stands in a class or behind a backslash repeats nothing.
 */
const isPlain = ({ source, flags }: Pattern): boolean => {
  const bare = source.replace(/\\./gsu, '_').replace(/\[[^\]]*\]/gu, '_')
  const repeats = bare.match(/[*+]|\{\d+,(?:\d{2,})?\}/gu)?.length ?? 0
  const isFromStart = flags.includes('y') || (/^\^[^|]*$/u.test(bare) && !flags.includes('m'))
  return repeats === 0 || (repeats === 1 && isFromStart)
}

const patternsIn = async (file: string): Promise<Pattern[]> => {
  const text = readFileSync(file, 'utf8')
  const { parse } = await import('acorn')
  const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  const found: Pattern[] = []
  const add = (node: Node, source: string, flags: string) =>
    found.push({ file, line: code.slice(0, node.start).split('\n').length, source, flags })
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    const { regex, callee, arguments: given = [] } = node as Syntax
    if (regex !== undefined) add(node, regex.pattern, regex.flags)
    const [source, flags] = given.map(constantOf)
    if (callee?.name === 'RegExp' && source !== undefined) add(node, source, flags ?? '')
  })
  return found
}

type Syntax = Node & {
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
  arguments?: Syntax[]
  value?: unknown
  quasis?: { value: { cooked: string } }[]
}

/** The text that an expression always is, if it is one. */
const constantOf = ({ type, value, quasis }: Syntax): string | undefined => {
  if (type === 'Literal' && typeof value === 'string') return value
  return type === 'TemplateLiteral' && quasis?.length === 1 ? quasis[0]?.value.cooked : undefined
}

const visit = (value: unknown, see: (node: Node) => void): void => {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) visit(one, see)
    return
  }
  if ('type' in value) see(value as Node)
  for (const part of Object.values(value)) visit(part, see)
}
