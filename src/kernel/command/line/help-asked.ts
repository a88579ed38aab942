import type { Registry } from '../registry.ts'
import type { Raw } from './coerce.ts'
import type { Token } from './lexer.ts'
import type { OpenLine } from './parse.ts'

/**
 * The line that shows help, if this line asks for it: `refund help`, `refund --help`, `refund ?`, `subscriber help` or
 * `?` alone. In quotes the same words are a value.
 */
export const helpLineOf = (registry: Registry, { tokens: read, named }: OpenLine): string | undefined => {
  if (!read.ok || read.value.length === 0) return undefined
  const tokens = read.value
  if (named.ok) {
    const { command, words } = named.value
    const rest = tokens.slice(words)
    const isAsked = rest.some(isHelpFlag) || (rest.length === 1 && isHelpWord(rest[0]))
    return isAsked && command.name !== 'bellhop help' ? `bellhop help ${command.name}` : undefined
  }
  const [first, second] = tokens
  if (tokens.length === 1 && isHelp(first)) return 'bellhop help'
  const noun = first?.kind === 'word' ? first.text.toLowerCase() : ''
  return tokens.length === 2 && registry.nouns.includes(noun) && isHelp(second)
    ? `bellhop help ${noun}`
    : undefined
}

/** The same for the options of a command: help is asked for where nothing else is given. */
export const helpLineOfValues = (command: string, values: Record<string, Raw>): string | undefined => {
  const given = Object.values(values)
  const [only] = given
  return given.length === 1 && typeof only === 'string' && helpWords.has(only.trim().toLowerCase())
    ? `bellhop help ${command}`
    : undefined
}

const helpWords: ReadonlySet<string> = new Set(['help', '--help', '-h', '?'])

const isHelp = (token: Token | undefined): boolean => isHelpFlag(token) || isHelpWord(token)

const isHelpFlag = (token: Token | undefined): boolean =>
  token?.kind === 'flag' && token.name.toLowerCase() === 'help'

const isHelpWord = (token: Token | undefined): boolean =>
  token?.kind === 'word' && !token.quoted && helpWords.has(token.text.toLowerCase())
