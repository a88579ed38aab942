import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../harness/bot-process.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { runTool } from '../harness/tool.ts'

it('npm run policy -- explain judges by the file that --file names, or says why not', async () => {
  const folder = newFolder()
  const draft = join(folder, 'new.yml')
  writeFileSync(draft, demoPolicy.replace('amount: { upTo: 50 }', 'amount: { upTo: 10 }'))
  const explain = async (...args: string[]) => {
    const { code, out, err } = await runTool('policy', ['explain', ...args], { env: { DATA_DIR: folder } })
    return { code, words: `${out}${err}` }
  }
  const line = 'refund pay_1001 20 --customer cus_1001'
  expect(await explain(line, '--as', 'p-support', `--file=${draft}`)).toMatchObject({
    code: 0,
    words: expect.stringMatching(/Needs +1 approval from finance/),
  })
  expect(await explain(...line.split(' '), '--file', draft)).toMatchObject({
    code: 2,
    words: expect.stringContaining('Put the line in quotes'),
  })
  expect(await explain(line, '--file', join(folder, 'gone.yml'))).toMatchObject({
    code: 2,
    words: expect.stringContaining('gone.yml'),
  })
})
