import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { plainYaml, readYaml } from '../../lib/codecs/bounded-yaml.ts'
import { asTyped } from '../../lib/view/outside.ts'

/** `roles.support.run + "audit verify"`: a place in bellhop.yml, and what is put there, added or taken out. */
export type Edit = { path: readonly string[]; how: '=' | '+' | '-'; value: unknown }

type Read<T> = { ok: true; value: T } | { ok: false; why: string }
const wrong = (why: string): { ok: false; why: string } => ({ ok: false, why })

/** What is signed, or is code: nothing of it is changed by a press. */
const closed = new Set(['version', 'follows', 'seal', 'packs', 'features'])

/** Several edits have ";" between them. */
export const readEdits = (written: string): Read<Edit[]> => {
  const edits: Edit[] = []
  for (const part of partsOf(written)) {
    const read = readEdit(part)
    if (!read.ok) return read
    edits.push(read.value)
  }
  return edits.length === 0 ? wrong('it says nothing to change') : { ok: true, value: edits }
}

const partsOf = (written: string): string[] => {
  const parts = ['']
  let quote = ''
  for (const char of written) {
    if (quote === '' ? char === '"' || char === "'" : char === quote) quote = quote === '' ? char : ''
    if (char === ';' && quote === '') parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const readEdit = (part: string): Read<Edit> => {
  const path: string[] = []
  let at = 0
  for (;;) {
    const isQuoted = part[at] === '"'
    const end = isQuoted ? part.indexOf('"', at + 1) : at + part.slice(at).search(/[.\s"=+]|$/)
    const step = part.slice(isQuoted ? at + 1 : at, end === -1 ? undefined : end)
    if (step === '') return wrong(`${asTyped(part)} does not begin with a place such as roles.support.run`)
    path.push(step)
    at = (end === -1 ? part.length : end) + (isQuoted ? 1 : 0)
    if (part[at] !== '.') break
    at += 1
  }
  const [, how, rest = ''] = /^([=+-])\s*(.*)$/s.exec(part.slice(at).trimStart()) ?? []
  if (how !== '=' && how !== '+' && how !== '-')
    return wrong(`${asTyped(part)} does not say =, + or - after ${asTyped(path.join('.'))}`)
  if (rest === '' && how !== '-') return wrong(`${asTyped(part)} does not say what to put there`)
  if (closed.has(path[0] ?? '')) return wrong(`${path[0]} is changed in the file alone`)
  const value = rest === '' ? { ok: true as const, value: undefined } : valueIn(rest)
  return value.ok ? { ok: true, value: { path, how, value: value.value } } : value
}

const valueIn = (written: string): Read<unknown> => {
  const read = readYaml(written)
  if (!read.ok) return wrong(`${asTyped(written)} cannot be read: ${read.problem}`)
  return read.doc.errors.length > 0 || read.doc.contents === null
    ? wrong(`${asTyped(written)} is no value of YAML`)
    : { ok: true, value: plainYaml(read.doc) }
}

/** The text with these edits; all that they leave alone, comments included, stays as it is written. */
export const editedText = (text: string, edits: readonly Edit[]): Read<string> => {
  let edited = text
  for (const edit of edits) {
    const next = editedOnce(edited, edit)
    if (!next.ok) return next
    edited = next.value
  }
  return { ok: true, value: edited }
}

const editedOnce = (text: string, edit: Edit): Read<string> => {
  const before = plainOf(text)
  if (before === undefined) return wrong('the file cannot be read')
  const wanted = editedValue(before, edit)
  if (!wanted.ok) return wanted
  for (const write of [spliced, rewritten]) {
    const next = write(text, edit)
    if (next !== undefined && isDeepStrictEqual(plainOf(next), wanted.value)) return { ok: true, value: next }
  }
  return wrong(`${asTyped(edit.path.join('.'))} is not written in a way that can be changed from here`)
}

const docOf = (text: string): Document | undefined => {
  const read = readYaml(text, { logLevel: 'error' })
  return read.ok && read.doc.errors.length === 0 ? read.doc : undefined
}

const plainOf = (text: string): unknown => {
  const doc = docOf(text)
  return doc && plainYaml(doc)
}

type Inside = Record<string, unknown> | unknown[]
const isInside = (value: unknown): value is Inside => typeof value === 'object' && value !== null

/** Those of a list go by their id or their name. */
const keyIn = (inside: Inside, step: string): string | number | undefined => {
  if (!Array.isArray(inside)) return step
  const at = inside.findIndex((one) => isInside(one) && !Array.isArray(one) && (one.id ?? one.name) === step)
  return at === -1 ? undefined : at
}

const valueAt = (inside: Inside, key: string | number): unknown =>
  Object.hasOwn(inside, key) ? (inside as Record<string | number, unknown>)[key] : undefined

/** The same edit of the plain value, for comparison with what was written. */
const editedValue = (before: unknown, { path, how, value }: Edit): Read<unknown> => {
  const after: unknown = structuredClone(before)
  let inside = after as Inside
  for (const step of path.slice(0, -1)) {
    const key = isInside(inside) ? keyIn(inside, step) : undefined
    const next = key === undefined ? undefined : valueAt(inside, key)
    if (!isInside(next)) return wrong(`there is no ${asTyped(step)} in ${asTyped(path.join('.'))}`)
    inside = next
  }
  const last = path.at(-1) ?? ''
  const key = keyIn(inside, last)
  if (key === undefined) return wrong(`there is no ${asTyped(last)} in ${asTyped(path.join('.'))}`)
  const now = valueAt(inside, key)
  const put = (what: unknown): Read<unknown> => {
    if (what === undefined && Array.isArray(inside)) inside.splice(Number(key), 1)
    else if (what === undefined) delete (inside as Record<string, unknown>)[key]
    else (inside as Record<string | number, unknown>)[key] = what
    return { ok: true, value: after }
  }
  if (how === '=')
    return isDeepStrictEqual(now, value) ? wrong(`${asTyped(path.join('.'))} is that already`) : put(value)
  if (how === '-' && value === undefined)
    return now === undefined ? wrong(`there is no ${asTyped(path.join('.'))}`) : put(undefined)
  if (now !== undefined && !Array.isArray(now)) return wrong(`${asTyped(path.join('.'))} is no list`)
  const list = now ?? []
  const at = list.findIndex((one) => isDeepStrictEqual(one, value))
  if (how === '+')
    return at === -1 ? put([...list, value]) : wrong(`${asTyped(path.join('.'))} has that already`)
  return at === -1 ? wrong(`${asTyped(path.join('.'))} does not have that`) : put(list.toSpliced(at, 1))
}

const plainWord = /^[A-Za-z][\w-]*$/
const keywords = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off'])

const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (isInside(value))
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${inline(key)}: ${inline(one)}`)
      .join(', ')} }`
  if (typeof value !== 'string') return String(value)
  return plainWord.test(value) && !keywords.has(value.toLowerCase()) ? value : JSON.stringify(value)
}

type Collection = YAMLMap | YAMLSeq
type Place = { node: Node | undefined; key: string | number | undefined; parent: Collection }

const placeIn = (contents: unknown, path: readonly string[]): Place | undefined => {
  let parent = contents
  for (const [at, step] of path.entries()) {
    if (!isMap(parent) && !isSeq(parent)) return undefined
    const key = keyIn(parent.toJSON() as Inside, step)
    const node = key === undefined ? undefined : (parent.get(key, true) as Node | undefined)
    if (at === path.length - 1) return { node, key, parent }
    parent = node
  }
  return undefined
}

/** Only the place itself is written anew. */
const spliced = (text: string, { path, how, value }: Edit): string | undefined => {
  const place = placeIn(docOf(text)?.contents, path)
  if (place === undefined) return undefined
  const { node, key, parent } = place
  if (how === '+' && isSeq(node)) return withItem(text, node, inline(value))
  if (how === '-' && value !== undefined && isSeq(node))
    return without(
      text,
      node,
      node.items.findIndex((one) => isDeepStrictEqual(plainNode(one), value)),
    )
  if (how === '-') return without(text, parent, memberAt(parent, key))
  const written = inline(how === '+' ? [value] : value)
  if ((isScalar(node) || (isInsideNode(node) && node.flow)) && node.range)
    return `${text.slice(0, node.range[0])}${written}${text.slice(node.range[1])}`
  if (node !== undefined || !isMap(parent)) return undefined
  const pair = `${inline(key)}: ${written}`
  return path.length === 1
    ? `${text}${text.endsWith('\n') ? '' : '\n'}${pair}\n`
    : withItem(text, parent, pair)
}

const isInsideNode = (node: unknown): node is Collection => isMap(node) || isSeq(node)

const plainNode = (node: unknown): unknown => (isScalar(node) ? node.value : (node as Collection).toJSON())

const memberAt = (parent: Collection, key: string | number | undefined): number =>
  isSeq(parent) ? Number(key) : parent.items.findIndex((one) => isScalar(one.key) && one.key.value === key)

/** One more in a list or a map, written as the others there are. */
const withItem = (text: string, { flow, items, range }: Collection, written: string): string | undefined => {
  if (!range) return undefined
  const [start, end] = range
  const put = (at: number, more: string) => `${text.slice(0, at)}${more}${text.slice(at)}`
  const last = items.at(-1)
  if (flow) {
    const ended = last === undefined ? undefined : endOf(last)
    return ended === undefined ? put(end - 1, written) : put(ended, `, ${written}`)
  }
  const first = isPair(items[0]) ? startOf(items[0]) : start
  const ended = last === undefined ? undefined : endOf(last)
  if (first === undefined || ended === undefined) return undefined
  const indent = ' '.repeat(first - text.lastIndexOf('\n', first - 1) - 1)
  const lineEnd = text[ended - 1] === '\n' ? ended - 1 : text.indexOf('\n', ended)
  return put(lineEnd === -1 ? text.length : lineEnd, `\n${indent}${isPair(last) ? '' : '- '}${written}`)
}

type Member = Pair | unknown
const startOf = (one: Member): number | undefined => rangeOf(isPair(one) ? one.key : one)?.[0]
const endOf = (one: Member): number | undefined => rangeOf(isPair(one) ? (one.value ?? one.key) : one)?.[1]
const rangeOf = (node: unknown) => (node as Node | null)?.range ?? undefined

const without = (text: string, { flow, items, range }: Collection, at: number): string | undefined => {
  const [one, before, next] = [items[at], items[at - 1], items[at + 1]]
  const [start, end] = [startOf(one), endOf(one)]
  if (one === undefined || start === undefined || end === undefined || !range) return undefined
  const cut = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? undefined : text.slice(0, from) + text.slice(to)
  if (items.length === 1)
    return `${text.slice(0, range[0])}${isPair(one) ? '{}' : '[]'}${text.slice(flow ? range[1] : end)}`
  if (flow) {
    if (next !== undefined) return cut(start, startOf(next))
    return cut(endOf(before), end)
  }
  const line = text.lastIndexOf('\n', start) + 1
  const after = text.indexOf('\n', end)
  return cut(line, after === -1 ? text.length : after + 1)
}

/** The whole file as the library writes it, where a place alone cannot be. */
const rewritten = (text: string, { path, how, value }: Edit): string | undefined => {
  const doc = docOf(text)
  const place = placeIn(doc?.contents, path)
  if (doc === undefined || place === undefined || place.key === undefined) return undefined
  const { node, key, parent } = place
  if (how === '-' && value === undefined) parent.delete(key)
  else if (how === '=') parent.set(key, doc.createNode(value))
  else if (how === '+' && isSeq(node)) node.add(doc.createNode(value))
  else if (how === '+') parent.set(key, doc.createNode([value], { flow: true }))
  else if (isSeq(node)) node.delete(node.items.findIndex((one) => isDeepStrictEqual(plainNode(one), value)))
  return doc.toString({ lineWidth: 0, flowCollectionPadding: false })
}
