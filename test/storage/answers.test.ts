import { expect, it } from 'vitest'
import { createAnswers } from '../../src/kernel/store/answers.ts'
import { openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'

let at = 0
const { db, close } = await openTestDatabase('sqlite')
whenDone(close)

it.each<[string, (answers: ReturnType<typeof createAnswers>) => Promise<unknown>]>([
  ['one is looked for', (answers) => answers.get('a')],
  ['the newest are', async (answers) => (await answers.recent('sam', 0, 9))[0]],
])('what is being stored is there when %s', async (_, read) => {
  const held = Promise.withResolvers<void>()
  const run: typeof db.together.run = async (...statement) => {
    await held.promise
    return db.together.run(...statement)
  }
  const answers = createAnswers({ ...db, together: { ...db.together, run } }, 'answers')
  const answer = { id: 'a', at: ++at, person: 'sam', doc: {} }
  const putting = answers.put(answer)
  const reading = read(answers)
  held.resolve()
  expect(await reading).toEqual(answer)
  await putting
})
