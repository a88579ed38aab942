import { z } from 'zod'
import { canonicalJson } from '../../codecs/canonical-json.ts'
import { quoted } from '../../view/outside.ts'

/** A tool as its server lists it: all that says what it is and what it takes. */
export type McpTool = {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
  readonly execution?: unknown
}

/** What a pack says of the MCP server behind it. */
export type McpServer = {
  /** The tools of its rows, as somebody looked at them: a server that lists one of them otherwise is refused. */
  readonly tools: readonly McpTool[]
  /** The variable in which a server that is started as a command finds the token. */
  readonly tokenAs?: string
  /** Where a client id and its secret get a token (OAuth client credentials); they are sent nowhere else. */
  readonly signIn?: { readonly tokenUrl: string; readonly scope?: string }
}

/** As a server lists one. What else it says of it, such as icons, changes nothing. */
export const toolSchema = z.object({
  name: z.string().min(1).max(256),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  execution: z.record(z.string(), z.unknown()).optional(),
})

const fields = {
  title: 'title',
  description: 'description',
  inputSchema: 'arguments',
  outputSchema: 'answer',
  annotations: 'hints',
  execution: 'way of running',
} as const

/** What a server says otherwise than when somebody looked, a sentence each. Tools that no row uses say nothing. */
export const toolChanges = (pinned: readonly McpTool[], listed: readonly McpTool[]): string[] =>
  pinned.flatMap((tool) => {
    const now = listed.find(({ name }) => name === tool.name)
    if (now === undefined) return [`${tool.name} is no longer there.`]
    return (Object.keys(fields) as (keyof typeof fields)[]).flatMap((field) => {
      const [before, after] = [textOf(tool[field]), textOf(now[field])]
      if (before === after) return []
      const [old, other] = apart(before, after)
      return [`${tool.name}: the ${fields[field]} said ${said(old)}, and says ${said(other)}.`]
    })
  })

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : canonicalJson(value)

const said = (words: string): string => (words === '' ? 'nothing' : quoted(words, 160))

/** Two texts without what they have in common before and behind where they differ, but for a few words of it. */
const apart = (one: string, other: string): [string, string] => {
  const shortest = Math.min(one.length, other.length)
  let start = 0
  while (start < shortest && one[start] === other[start]) start++
  let end = 0
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const cut = (text: string) => {
    const [from, to] = [Math.max(0, start - around), Math.min(text.length, text.length - end + around)]
    return `${from === 0 ? '' : '…'}${text.slice(from, to)}${to === text.length ? '' : '…'}`
  }
  return [cut(one), cut(other)]
}
const around = 24
