type Edit = { start: number; end: number; replacement: string; kind: string }

const statement = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY)\b/
const changes: { pattern: RegExp; to: (found: string) => string }[] = [
  // One of several conditions: the text up to the next keyword, the next line or the end.
  { pattern: /\b(?:AND|OR) [^\n;()]+?(?=\s+(?:AND|OR|ORDER|LIMIT|RETURNING|FOR)\b|[\n;)]|$)/g, to: () => '' },
  { pattern: /(?<=\s)(?:<=|>=|<>|<|>|=)(?=\s)/g, to: (found) => comparisons[found] ?? found },
  { pattern: /\b(?:ASC|DESC)\b/g, to: (found) => (found === 'ASC' ? 'DESC' : 'ASC') },
  { pattern: / FOR UPDATE(?: SKIP LOCKED)?/g, to: () => '' },
  { pattern: /\b(?:MIN|MAX)(?=\()/g, to: (found) => (found === 'MIN' ? 'MAX' : 'MIN') },
  { pattern: /\bIS (?:NOT )?NULL\b/g, to: (found) => (found === 'IS NULL' ? 'IS NOT NULL' : 'IS NULL') },
]
const comparisons: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
}

/** Faults in a text of SQL: a condition left out, a bound moved, an order turned round, a lock not taken. */
export const sqlFaults = (text: string, start: number, end: number): Edit[] => {
  const sql = text
    .slice(start, end)
    .replace(/^['"`}]/, ' ')
    .replace(/(?:['"`]|\$\{)$/, '')
  if (!statement.test(sql)) return []
  const sets = [...sql.matchAll(/\bSET\b.*?(?=\bWHERE\b|$)/gs)]
  // Between SET and WHERE an equals sign assigns, and another sign is no SQL.
  const assigns = ({ index }: RegExpExecArray) =>
    sets.some((set) => index > set.index && index < set.index + set[0].length)
  return changes.flatMap(({ pattern, to }) =>
    [...sql.matchAll(pattern)]
      .filter((found) => !assigns(found))
      .map((found) => ({
        start: start + found.index,
        end: start + found.index + found[0].length,
        replacement: to(found[0]),
        kind: 'SQL',
      })),
  )
}
