import { formatProblems, inOrder, toProblem } from '../../kernel/policy/file/load.ts'
import { type PolicyTest, testFileSchema } from '../../kernel/policy/file/schema.ts'
import { shapeFindings } from '../../kernel/policy/file/schema-findings.ts'
import { readSource } from '../../kernel/policy/file/source.ts'

/** A test, and the file and line where it stands. */
export type PlacedTest = PolicyTest & { at: string }

/** The tests under `tests:` of a policy file without mistakes, or of a file that holds nothing else. */
export const testsIn = (
  text: string,
  { file, isPolicy }: { file: string; isPolicy: boolean },
): { ok: true; tests: PlacedTest[] } | { ok: false; problems: string[] } => {
  const source = readSource(text)
  const value = isPolicy ? { tests: Object(source.value).tests ?? [] } : source.value
  const read = testFileSchema.safeParse(value)
  const findings = shapeFindings(read.error?.issues ?? [], value, source)
  const problems = [...source.problems, ...findings.map((finding) => toProblem(finding, source))]
  if (problems.length > 0 || !read.success) {
    return { ok: false, problems: formatProblems(file, inOrder(problems)) }
  }
  return {
    ok: true,
    tests: read.data.tests.map((test, n) => ({ ...test, at: `${file}:${source.at(['tests', n]).line}` })),
  }
}
