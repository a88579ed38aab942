const around = 3
/** Of larger differences the middle is one piece: it is right all the same. */
const maxCells = 4_000_000

type Line = { sign: ' ' | '-' | '+'; text: string }

/** The difference of two texts as `patch` and `git apply` take it; empty where there is none. */
export const patchOf = (name: string, before: string, after: string): string => {
  if (before === after) return ''
  const lines = comparedLines(linesOf(before), linesOf(after))
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' '),
  )
  const hunks: string[] = []
  const passed = { '-': 0, '+': 0 }
  for (let at = 0; at < lines.length; at++) {
    const end = isNear[at] ? isNear.indexOf(false, at) : at + 1
    const part = lines.slice(at, end === -1 ? undefined : end)
    const count = (sign: '-' | '+') => part.filter((line) => line.sign === ' ' || line.sign === sign).length
    const place = (sign: '-' | '+') => `${sign}${passed[sign] + (count(sign) === 0 ? 0 : 1)},${count(sign)}`
    if (isNear[at])
      hunks.push(
        `@@ ${place('-')} ${place('+')} @@\n${part.map(({ sign, text }) => `${sign}${text}`).join('')}`,
      )
    passed['-'] += count('-')
    passed['+'] += count('+')
    at += part.length - 1
  }
  return `--- a/${name}\n+++ b/${name}\n${hunks.join('')}`
}

/** With their ends; the last one says if it has none. */
const linesOf = (text: string): string[] => {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [
    ...lines.map((line) => `${line}\n`),
    ...(last === '' ? [] : [`${last}\n\\ No newline at end of file\n`]),
  ]
}

const comparedLines = (old: readonly string[], now: readonly string[]): Line[] => {
  const both = Math.min(old.length, now.length)
  let head = 0
  while (head < both && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < both - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const same = (text: string): Line => ({ sign: ' ', text })
  return [
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ]
}

/** By the longest common subsequence. */
const middle = (old: readonly string[], now: readonly string[]): Line[] => {
  const width = now.length + 1
  const isSmall = (old.length + 1) * width <= maxCells
  const common = new Uint32Array(isSmall ? (old.length + 1) * width : 0)
  const at = (row: number, column: number): number => common[row * width + column] ?? 0
  if (isSmall)
    for (let row = old.length - 1; row >= 0; row--)
      for (let column = now.length - 1; column >= 0; column--)
        common[row * width + column] =
          old[row] === now[column]
            ? at(row + 1, column + 1) + 1
            : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    const [gone, added] = [old[row], now[column]]
    if (isSmall && gone !== undefined && gone === added) {
      lines.push({ sign: ' ', text: gone })
      row += 1
      column += 1
    } else if (gone !== undefined && (added === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ sign: '-', text: gone })
      row += 1
    } else {
      lines.push({ sign: '+', text: added ?? '' })
      column += 1
    }
  }
  return lines
}
