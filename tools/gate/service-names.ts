import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Nouns that mean something else in the core as well: the plan of a change, a list of anything, the code of an error. */
const words = new Set(['list', 'plan', 'message', 'code', 'transaction', 'license', 'product'])

/** Lines that may name a service, by their file and a part of them, and why. */
const allowed: readonly { file: RegExp; line?: RegExp; why: string }[] = [
  {
    file: /^src\/cli\/(?!(start|packs|backup|doctor)\/)|^src\/cli\/start\/load-commands\.ts$/,
    why: 'tools for developers and their examples; only these join packs to the bot',
  },
  {
    file: /^src\/kernel\/(store\/database\/(migrations|fields-written)|model\/fact-roles)\.ts$/,
    why: 'what older databases hold',
  },
  {
    file: /^src\/lib\/things\/link\.ts$/,
    line: /addressKind = 'email'/,
    why: 'the word in stored links for an address',
  },
  {
    file: /./,
    line: /\bemail address|format.*'email'|valid email|isEmail|shapeOfEmail/,
    why: 'an address that people are known by, whatever service keeps it',
  },
  {
    file: /./,
    line: /such as|^\s*(\/\/|\/?\*)|try: refund/,
    why: 'an example, in words that people read or in a comment',
  },
  {
    file: /^src\/(kernel\/policy\/file\/[\w-]+|features\/on-call\/(sources|doctor|index))\.ts$/,
    line: /\bemail\b/,
    why: 'the key of people that holds their address, and what those who keep schedules call it',
  },
  { file: /./, line: /chat platform|and chat links/, why: 'a messenger, in words that people read' },
  {
    file: /^src\/(lib\/(things\/link-rows|view\/outside)|kernel\/policy\/file\/descriptions|features\/[\w-]+\/section)\.ts$/,
    line: /\bcustomers?\b/,
    why: 'whom the bot is about, in words that people read',
  },
  {
    file: /^src\/(kernel\/model\/purpose|features\/reports\/figures)\.ts$/,
    line: /\bcustomer\b/,
    why: 'whom a change was for, as plans on record call it',
  },
]

/** Every line of src/ that names a service, a noun of one or an environment name of one. */
export async function serviceNameFaults(): Promise<string[]> {
  const packs = foldersIn('packs')
  if (packs.length === 0) return []
  const endpoints = packs.map((pack) => textOf(`packs/${pack}/endpoints.ts`)).join('\n')
  const kinds = packs.map((pack) => textOf(`packs/${pack}/kinds.ts`)).join('\n')
  const nouns = [...endpoints.matchAll(/\bnoun: '([\w-]+)'/g), ...kinds.matchAll(/^ {2}'?([\w-]+)'?: \{/gm)]
    .map(([, noun = '']) => noun)
    .filter((noun) => !words.has(noun))
  const variables = [...endpoints.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map(([, name = '']) => name)
  const named = new RegExp(`\\b(?:${[...new Set([...packs, ...nouns, ...variables])].join('|')})s?\\b`, 'i')
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`)
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, at) => {
          const found = named.exec(line)?.[0]
          const isAllowed = allowed.some((one) => one.file.test(file) && (one.line?.test(line) ?? true))
          return found === undefined || isAllowed
            ? []
            : [`${file}:${at + 1} names ${found}: src/ knows no service, say it in its pack`]
        }),
    )
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const foldersIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : []
