import {
  type Alias,
  CST,
  type Document,
  type DocumentOptions,
  isAlias,
  isCollection,
  isPair,
  Lexer,
  type Node,
  type ParseOptions,
  Parser,
  parseDocument,
  type SchemaOptions,
} from 'yaml'
import { formatNumber } from '../view/format-number.ts'

/** How long a YAML text may be, how deep it may nest, how many aliases it may have, and how much it may be once they are what they name. */
export type YamlBounds = { characters: number; depth: number; aliases: number; values: number }

/** More than any policy file has. */
const defaults: YamlBounds = { characters: 1_000_000, depth: 60, aliases: 1_000, values: 200_000 }

export type BoundedYaml =
  | { ok: true; doc: Document; targetOf(alias: Alias): Node | undefined }
  | { ok: false; problem: string }

/**
 * The one way in which a YAML text is read here. Its tokens are counted before anything is built from them, and its aliases
 * before anything follows them, so that nothing which walks the value later meets one that is deeper or wider than it can bear.
 */
export const readYaml = (
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
  bounds: Partial<YamlBounds> = {},
): BoundedYaml => {
  const most = { ...defaults, ...bounds }
  const problem = whyTooLarge(text, most)
  if (problem !== undefined) return { ok: false, problem }
  const doc = parseDocument(text, options)
  return measured(doc, most)
}

const whyTooLarge = (text: string, most: YamlBounds): string | undefined => {
  if (text.length > most.characters)
    return `it is longer than ${formatNumber(most.characters)} characters, which is the most`
  const parser = new Parser()
  let aliases = 0
  for (const token of new Lexer().lex(text)) {
    // Nothing is made of them here.
    for (const _ of parser.next(token));
    if (parser.stack.length > most.depth + 2) return tooDeep(most)
    if (CST.tokenType(token) === 'alias' && ++aliases > most.aliases)
      return `it has more than ${formatNumber(most.aliases)} aliases, which is the most`
  }
  return undefined
}

const tooDeep = ({ depth }: YamlBounds): string => `it nests more than ${depth} deep, which is the most`

type Measure = { values: number; depth: number }

const measured = (doc: Document, most: YamlBounds): BoundedYaml => {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  const known = new Map<unknown, Measure>()
  const open = new Set<unknown>()
  let isCircular = false
  const partsOf = (node: unknown): unknown[] =>
    isPair(node) ? [node.key, node.value] : isCollection(node) ? node.items : []
  const measure = (node: unknown): Measure => {
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target === undefined) return { values: 1, depth: 1 }
      targets.set(node, target)
      isCircular ||= open.has(target)
      return known.get(target) ?? { values: 1, depth: 1 }
    }
    const { anchor } = Object(node) as { anchor?: string }
    if (anchor !== undefined) anchors.set(anchor, node as Node)
    open.add(node)
    let [values, depth] = [1, 0]
    for (const part of partsOf(node)) {
      const inner = measure(part)
      values += inner.values
      depth = Math.max(depth, inner.depth)
    }
    open.delete(node)
    const whole = { values, depth: depth + (isPair(node) ? 0 : 1) }
    known.set(node, whole)
    return whole
  }
  const { values, depth } = measure(doc.contents)
  if (isCircular) return { ok: false, problem: 'an alias stands inside of what it names' }
  if (depth > most.depth) return { ok: false, problem: tooDeep(most) }
  if (values > most.values) {
    const problem = `with its aliases it holds more than ${formatNumber(most.values)} values, which is the most`
    return { ok: false, problem }
  }
  return { ok: true, doc, targetOf: (alias) => targets.get(alias) }
}

/** As a plain value, with all that its aliases name. */
export const plainYaml = (doc: Document): unknown => doc.toJS({ maxAliasCount: -1 })

/** References lead through others; whoever follows them all goes as deep. */
const deepestReferences = 1_000

/**
 * How many values there are once each reference inside a JSON document is what it names; a reference to what it stands in
 * counts as one.
 */
export const sizeWithReferences = (root: unknown): number => {
  const known = new Map<object, number>()
  const open = new Set<object>()
  const targetOf = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, part) => (Object(at) as Record<string, unknown>)[part], root)
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || open.has(value)) return 1
    if (open.size > deepestReferences) return Number.POSITIVE_INFINITY
    const before = known.get(value)
    if (before !== undefined) return before
    open.add(value)
    const { $ref: reference } = value as { $ref?: unknown }
    const isReference = typeof reference === 'string' && reference.startsWith('#/')
    const parts = isReference ? [targetOf(reference), ...Object.values(value)] : Object.values(value)
    const size = parts.reduce<number>((sum, part) => sum + sizeOf(part), 1)
    open.delete(value)
    known.set(value, size)
    return size
  }
  return sizeOf(root)
}
