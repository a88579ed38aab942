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
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'

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

export function readSource(withMark: string): Source {
  const text = withMark.replace(/^\uFEFF/, '')
  const lines = new LineCounter()
  const doc = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    logLevel: 'error',
  })
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const problems = [
    ...[...doc.errors, ...doc.warnings].map((error) => ({
      ...place(error.pos[0]),
      message: messageOf(error, text),
    })),
    ...oddities(doc).map(({ offset, message }) => ({ ...place(offset), message })),
  ]
  const isReadable = doc.errors.every((error) => error.code === 'DUPLICATE_KEY')
  return {
    value: isReadable ? plainOf(doc, problems) : undefined,
    problems,
    at: (path, on = 'value') => {
      const found = find(doc, path)
      return place((on === 'key' ? (found.key ?? found.node) : found.node)?.range?.[0] ?? 0)
    },
    writtenAt: (path) => {
      const { node, isWhole } = find(doc, path)
      return isWhole && isScalar(node) && node.type === 'PLAIN' ? node.source : undefined
    },
  }
}

const messageOf = (error: YAMLError, text: string): string => {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^["']?([^"':\s]+)/.exec(text.slice(error.pos[0]))?.[1] ?? ''
    return `duplicate key "${key}". Expected each key once.`
  }
  if (error.code === 'MULTIPLE_DOCS') return 'a second document starts here. Expected one, without "---".'
  return `this is not valid YAML: ${error.message}.`
}

/** What YAML allows and a policy cannot mean. */
function oddities(doc: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = []
  visit(doc, {
    Pair: (_, { key }) => {
      if (isScalar(key) && typeof key.value === 'string' && key.value !== '__proto__') return
      if (isScalar(key) && typeof key.value === 'symbol') return
      const written = isScalar(key) ? (key.source ?? '') : 'that is not text'
      const advice = /^\d+$/.test(written)
        ? `Expected it in quotes: "${written}" (a bare number loses its last digits).`
        : 'Expected a text.'
      found.push({ offset: (key as Node).range?.[0] ?? 0, message: `wrong key ${written}. ${advice}` })
    },
    Alias: (_, alias) => {
      if (alias.resolve(doc)) return
      const message = `unknown anchor "${alias.source}". Expected it to be set with &${alias.source} further up.`
      found.push({ offset: alias.range?.[0] ?? 0, message })
    },
  })
  return found
}

/** Aliases can be made to grow without end; the library stops them by throwing. */
function plainOf(doc: Document, problems: Problem[]): unknown {
  try {
    return doc.toJS({ maxAliasCount: 100 })
  } catch (cause) {
    if (problems.length === 0)
      problems.push({
        line: 1,
        column: 1,
        message: `the aliases cannot be read: ${(cause as Error).message}.`,
      })
    return undefined
  }
}

type Found = { node: Node | null; key: Node | null; isWhole: boolean }

/** As far down the path as the file goes. */
function find(doc: Document, path: Path): Found {
  let node = doc.contents as Node | null
  let key: Node | null = null
  for (const step of path) {
    const here = isAlias(node) ? (node as Alias).resolve(doc) : node
    const pair = isMap(here) ? pairOf(doc, here, String(step)) : undefined
    const next = isSeq(here) && typeof step === 'number' ? (here.items[step] as Node | undefined) : undefined
    if (!pair && !next) return { node, key, isWhole: false }
    key = pair ? (pair.key as Node) : null
    node = pair ? ((pair.value as Node | null) ?? key) : (next as Node)
  }
  return { node, key, isWhole: true }
}

/** A key of the map itself, or one that it was given by a merge. */
function pairOf(doc: Document, map: unknown, name: string, depth = 0): Pair | undefined {
  if (!isMap(map) || depth > 10) return undefined
  const own = map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  if (own) return own
  const merged = map.items.filter(({ key }) => isScalar(key) && key.source === '<<')
  for (const { value } of merged) {
    const maps = isSeq(value) ? value.items : [value]
    for (const each of maps) {
      const pair = pairOf(doc, isAlias(each) ? each.resolve(doc) : each, name, depth + 1)
      if (pair) return pair
    }
  }
  return undefined
}
