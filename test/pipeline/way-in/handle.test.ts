import { expect, it } from 'vitest'
import { fromOf, textOf } from '../../harness/app.ts'
import { openHarness, refusalOf } from '../harness.ts'

it('a word that points back leads a person to their last answer, and an agent of theirs nowhere', async () => {
  const { say, handle } = await openHarness({ tasks: false })
  await say('list create Thek')
  await say('list get newsletter')
  expect(textOf(await say('list get them'))).toMatch(/^Newsletter\n/)
  await say('list get newsletter')
  const reply = await handle({
    from: { ...fromOf('sam'), through: 'Assistant' },
    intent: { kind: 'line', line: 'list get them' },
  })
  expect(refusalOf(reply)).toMatchObject({
    code: 'bad_value',
    message: 'id: "them" is the name of nothing.',
    next: expect.stringMatching(/^The nearest: \w+ \(Thek\)\.$/),
  })
})
