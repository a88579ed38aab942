import { pick } from '../random.ts'

type Random = () => number

const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\u202e\u2066',
  '\ud800',
  '<!channel> @everyone <@U1> `code` *bold* [x](https://x)',
  'x'.repeat(5_000),
  '🛎️'.repeat(300),
  '{"a":1}',
  '__proto__',
  'constructor',
  "'; DROP TABLE changes; --",
  '\n'.repeat(200),
  '--',
  '—',
  '“',
  '-1e309',
  'NaN',
  '../../etc/passwd',
] as const

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0,
  2 ** 53,
  0.1,
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
  { length: -1 },
  ...oddTexts,
]

const oddValue = (random: Random): unknown =>
  random() < 0.05 ? deep(Math.floor(random() * 400)) : structuredClone(pick(random, oddValues))

/** The same value with a few places changed, taken away, doubled or put elsewhere. */
export const mutateValue = (random: Random, value: unknown): unknown => {
  const copy = structuredClone(value)
  if (random() < 0.02) return oddValue(random)
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) mutateOnce(random, copy)
  return copy
}

/** The same text with a few pieces cut, doubled, swapped or replaced. */
export const mutateText = (random: Random, text: string): string => {
  let out = text
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const at = Math.floor(random() * (out.length + 1))
    const length = Math.floor(random() * 12)
    const piece = out.slice(at, at + length)
    const put = pick(random, [
      '',
      piece + piece,
      pick(random, oddTexts),
      character(random),
      piece.toUpperCase(),
    ])
    out = out.slice(0, at) + put + out.slice(at + (random() < 0.5 ? length : 0))
    if (out.length > 20_000) out = out.slice(0, 20_000)
  }
  return out
}

export const character = (random: Random): string =>
  String.fromCharCode(random() < 0.7 ? 32 + Math.floor(random() * 95) : Math.floor(random() * 0xffff))

const mutateOnce = (random: Random, root: unknown): void => {
  const places = placesIn(root)
  if (places.length === 0) return
  const { holder, key } = pick(random, places)
  const dice = random()
  if (dice < 0.5) holder[key] = oddValue(random)
  else if (dice < 0.7) delete holder[key]
  else if (dice < 0.8) holder[key] = [holder[key], holder[key]]
  else if (dice < 0.9 && typeof holder[key] === 'string')
    holder[key] = mutateText(random, String(holder[key]))
  else {
    const from = pick(random, places)
    holder[pick(random, ['id', 'type', 'data', 'value', 'extra', key])] = structuredClone(
      from.holder[from.key],
    )
  }
}

type Holder = Record<string, unknown>

const placesIn = (root: unknown, found: { holder: Holder; key: string }[] = []) => {
  if (typeof root !== 'object' || root === null || found.length > 2_000) return found
  for (const key of Object.keys(root)) {
    const holder = root as Holder
    found.push({ holder, key })
    placesIn(holder[key], found)
  }
  return found
}

const deep = (levels: number): unknown => {
  let value: unknown = 'deep'
  for (let at = 0; at < levels; at++) value = at % 2 === 0 ? [value] : { value }
  return value
}
