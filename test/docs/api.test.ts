import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openAgents, tokenOf } from '../mcp/harness.ts'

const run = promisify(execFile)

/** Each command of each block of a shell. */
const examples = [...readFileSync('docs/api.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(
  ([, block = '']) => block.trim().split('\n\n'),
)

it('what docs/api.md shows can be called as it stands there', async () => {
  const { base } = await openAgents()
  const env = { ...process.env, BELLHOP: base, TOKEN: tokenOf('helper') }
  const answers: string[] = []
  for (const example of examples) answers.push((await run('bash', ['-c', example], { env })).stdout)
  expect(answers.map((answer) => answer.slice(0, 40))).toEqual([
    expect.stringContaining('"openapi":"3.1.0"'),
    expect.stringContaining('"state":"answered"'),
    expect.stringContaining('"state":"answered"'),
    expect.stringContaining('HTTP/1.1 202'),
    expect.stringContaining('{"requests":['),
  ])
  expect(answers[3]).toMatch(/^location: \/api\/requests\/\w+/im)
  expect(JSON.parse(answers[4] as string).requests).toHaveLength(1)
})
