type Import = { from: string; to: string }

/** Each ring of files that import one another, once, from its first file back to it. */
export function cyclesOf(imports: Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const path: string[] = []
  const cycles: string[][] = []

  function visit(file: string): void {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file])
    if (start >= 0 || done.has(file)) return
    path.push(file)
    for (const { to } of targets.get(file) ?? []) visit(to)
    path.pop()
    done.add(file)
  }

  for (const file of targets.keys()) visit(file)
  return cycles
}
