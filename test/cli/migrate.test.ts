import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newestVersion } from '../../src/kernel/store/database/migrations.ts'
import { newFolder } from '../harness/bot-process.ts'
import { runTool } from '../harness/tool.ts'

const newest = newestVersion

test('the database goes forward, one version back and no further', async () => {
  const DATA_DIR = join(newFolder(), 'data')
  const to = async (version: string) => {
    const { code, out, err } = await runTool('migrate', ['--to', version], { env: { DATA_DIR } })
    return { code, words: out + err }
  }
  expect(await to('x')).toMatchObject({ code: 2, words: expect.stringContaining('is no version') })
  expect(await to(String(newest + 1))).toMatchObject({
    code: 2,
    words: expect.stringContaining('a newer one'),
  })
  expect(await to(String(newest))).toMatchObject({
    code: 0,
    words: expect.stringContaining('from version 0'),
  })
  expect(await to(String(newest - 2))).toMatchObject({
    code: 2,
    words: expect.stringContaining('restore a backup'),
  })
  expect(await to(String(newest - 1))).toMatchObject({
    code: 0,
    words: expect.stringContaining(`back to ${newest - 1}`),
  })
})
