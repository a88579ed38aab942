import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { type BoundedYaml, plainYaml, readYaml } from '../../../lib/codecs/bounded-yaml.ts'

type Readable = Extract<BoundedYaml, { ok: true }>

export type Path = readonly (string | number)[]
export type Problem = { line: number; column: number; message: string }

/** A policy file as text: its plain value, and where each part of it stands. */
export type Source = {
  value: unknown
  problems: Problem[]
  /** Where a value stands, or its key; for what is missing, where it should have been. */
  at(path: Path, on?: 'key' | 'value'): { line: number; column: number }
  /** A single value as it was written, since a long number is no longer what it was once it is read. */
  writtenAt(path: Path): string | undefined
}

/** The text that was read last, for a moment: a start looks at the same one for its packs, its policy and its seal. */
let last: { text: string; source: Source; forget: NodeJS.Timeout } | undefined
const keptMs = 2_000

export function readSource(text: string): Source {
  if (last?.text === text) return last.source
  clearTimeout(last?.forget)
  const forget = setTimeout(() => {
    last = undefined
  }, keptMs).unref()
  last = { text, source: readText(text), forget }
  return last.source
}

function readText(withMark: string): Source {
  const text = withMark.replace(/^\uFEFF/, '')
  const lines = new LineCounter()
  const read = readYaml(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    // It would compare each key with all before it.
    uniqueKeys: false,
    logLevel: 'error',
  })
  if (!read.ok) {
    const start = { line: 1, column: 1 }
    const problems = [{ ...start, message: `this cannot be read: ${read.problem}.` }]
    return { value: undefined, problems, at: () => start, writtenAt: () => undefined }
  }
  const { doc } = read
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const problems = [
    ...[...doc.errors, ...doc.warnings].map((error) => ({
      ...place(error.pos[0]),
      message: messageOf(error),
    })),
    ...oddities(read).map(({ offset, message }) => ({ ...place(offset), message })),
  ]
  return {
    value: doc.errors.length === 0 ? plainOf(doc) : undefined,
    problems,
    at: (path, on = 'value') => {
      const found = find(read, path)
      return place(startOf(on === 'key' ? (found.key ?? found.node) : (found.node ?? found.key)))
    },
    writtenAt: (path) => {
      const { node, isWhole } = find(read, path)
      return isWhole && isScalar(node) && node.type === 'PLAIN' ? node.source : undefined
    },
  }
}

const messageOf = (error: YAMLError): string => {
  if (error.code === 'MULTIPLE_DOCS') return 'a second document starts here. Expected one, without "---".'
  return `this is not valid YAML: ${error.message}.`
}

const startOf = (node: Node | null): number => node?.range?.[0] ?? 0

/** What YAML allows and a policy cannot mean. */
function oddities({ doc, targetOf }: Readable): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = []
  visit(doc, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) {
          const message = `duplicate key "${key.source}". Expected each key once.`
          found.push({ offset: startOf(key), message })
        }
        seen.add(key.value)
      }
    },
    Pair: (_, { key }) => {
      if (isScalar(key) && typeof key.value === 'string' && key.value !== '__proto__') return
      if (isScalar(key) && typeof key.value === 'symbol') return
      const written = isScalar(key) ? (key.source ?? '') : 'that is not text'
      const advice = /^\d+$/.test(written)
        ? `Expected it in quotes: "${written}" (a bare number loses its last digits).`
        : 'Expected a text.'
      found.push({ offset: startOf(key as Node), message: `wrong key ${written}. ${advice}` })
    },
    Alias: (_, alias) => {
      if (targetOf(alias)) return
      const message = `unknown anchor "${alias.source}". Expected it to be set with &${alias.source} further up.`
      found.push({ offset: startOf(alias), message })
    },
  })
  return found
}

/** An alias of nothing makes the library throw; it is among the problems already. */
function plainOf(doc: Document): unknown {
  try {
    return plainYaml(doc)
  } catch {
    return undefined
  }
}

type Found = { node: Node | null; key: Node | null; isWhole: boolean }

/** As far down the path as the file goes. */
function find({ doc, targetOf }: Readable, path: Path): Found {
  let node = doc.contents as Node | null
  let key: Node | null = null
  for (const step of path) {
    const here = isAlias(node) ? targetOf(node as Alias) : node
    const pair = isMap(here) ? pairOf(targetOf, here, String(step)) : undefined
    const next = isSeq(here) && typeof step === 'number' ? (here.items[step] as Node | undefined) : undefined
    if (!pair && !next) return { node, key, isWhole: false }
    key = pair ? (pair.key as Node) : null
    node = pair ? (pair.value as Node | null) : (next as Node)
  }
  return { node, key, isWhole: true }
}

type Keys = { own: Map<string, Pair>; merged: Pair[] }

/** Each map is gone through once, however many places in it are asked for; of equal keys the first counts. */
const keysOfMaps = new WeakMap<YAMLMap, Keys>()
function keysOf(map: YAMLMap): Keys {
  const known = keysOfMaps.get(map)
  if (known) return known
  const keys: Keys = { own: new Map(), merged: [] }
  for (const pair of map.items) {
    if (!isScalar(pair.key)) continue
    const { value } = pair.key
    const name = String(value)
    if (typeof value === 'symbol') keys.merged.push(pair)
    else if (!keys.own.has(name)) keys.own.set(name, pair)
  }
  keysOfMaps.set(map, keys)
  return keys
}

/** A key of the map itself, or one that it was given by a merge. */
function pairOf(targetOf: Readable['targetOf'], map: unknown, name: string): Pair | undefined {
  if (!isMap(map)) return undefined
  const { own, merged } = keysOf(map)
  const found = own.get(name)
  if (found) return found
  for (const { value } of merged) {
    const maps = isSeq(value) ? value.items : [value]
    for (const each of maps) {
      const pair = pairOf(targetOf, isAlias(each) ? targetOf(each) : each, name)
      if (pair) return pair
    }
  }
  return undefined
}
