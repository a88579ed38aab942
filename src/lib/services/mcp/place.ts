import { basename } from 'node:path'
import { whyNoBase } from '../../codecs/public-address.ts'

/** Where an MCP server is: at a web address, or behind a command that is run on this machine. */
export type ServerPlace =
  | { url: string }
  | { command: string; args: readonly string[]; variables: Readonly<Record<string, string>> }

export const serverPlaceOf = (text: string): ServerPlace => {
  if (isAddress(text)) return { url: text }
  const words = [...text.matchAll(word)].map(([one]) => one.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
  const first = words.findIndex((one) => !isSetting(one))
  const [command = '', ...args] = first < 0 ? [] : words.slice(first)
  const settings = words.slice(0, first).map((one): [string, string] => {
    const at = one.indexOf('=')
    return [one.slice(0, at), one.slice(at + 1)]
  })
  return { command, args, variables: Object.fromEntries(settings) }
}

/** As a person says it: an origin, or the name of the program. What stands behind either may be nobody's business. */
export const placeWords = (text: string): string => {
  const place = serverPlaceOf(text)
  return 'url' in place ? new URL(place.url).origin : basename(place.command)
}

/** What is wrong with it, as the end of a sentence. */
export const whyNoPlace = (text: string): string | undefined => {
  if (isAddress(text)) return whyNoBase(text)
  const place = serverPlaceOf(text)
  if (/["']/.test(text.replaceAll(/"[^"]*"|'[^']*'/g, ''))) return 'has a quote that is not closed.'
  return 'command' in place && place.command !== ''
    ? undefined
    : 'must be a web address, or a command that starts the server, such as: npx some-server --stdio'
}

const isAddress = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text)
const isSetting = (text: string): boolean => /^[A-Za-z_]\w*=/.test(text)
const word = /(?:[^\s"']|"[^"]*"|'[^']*')+/g
