import { expect, it } from 'vitest'
import { discordLimits } from '../../../adapters/discord/protocol/limits.ts'
import { drawDiscord } from '../../../adapters/discord/render/drawing.ts'
import { messageOf } from '../../../adapters/discord/render/message.ts'
import { renderMessage } from '../../../adapters/discord/render/render.ts'
import { gallery } from '../../messenger/gallery.ts'
import { outlineOf } from '../../messenger/outline.ts'
import { messageFaults } from '../fake/rules.ts'

it.each(Object.entries(gallery))('%s', (_, view) => {
  const shown = renderMessage(view)
  const files = shown.body.attachments.map(({ filename }) => filename)
  expect(messageFaults(shown.body as never, { files })).toEqual([])
})

it('each looks as it did', async () => {
  const drawn = Object.entries(gallery).map(
    ([name, view]) => `# ${name}\n\n${outlineOf(drawDiscord(renderMessage(view)))}`,
  )
  await expect(`${drawn.join('\n\n')}\n`).toMatchFileSnapshot('gallery.txt')
})

it('a file that goes along is drawn by its name', () => {
  const shown = renderMessage({ title: 'T', tone: 'plain', blocks: [] }, { file: { filename: 'people.csv' } })
  expect(outlineOf(drawDiscord(shown))).toContain('line file "people.csv"')
})

it('a file goes along under a name that Discord takes, unless it is more than Discord takes', async () => {
  const view = { title: 'T', tone: 'plain' as const, blocks: [] }
  const fileOf = (length: number) => ({ name: 'a b/ü.csv', type: 'text/csv', content: 'x'.repeat(length) })
  const taken = await messageOf(view, { file: fileOf(discordLimits.message.fileBytes) })
  expect(taken.files).toMatchObject([{ name: 'a_b_.csv', contentType: 'text/csv' }])
  expect(taken.body.attachments).toEqual([{ id: '0', filename: 'a_b_.csv' }])
  const named = await messageOf(view, { file: { ...fileOf(1), name: `${'x'.repeat(80)}.csv` } })
  expect(named.files[0]?.name).toBe(`${'x'.repeat(56)}.csv`)
  const refused = await messageOf(view, { file: fileOf(discordLimits.message.fileBytes + 1) })
  expect(refused.files).toEqual([])
  const megabytes = Math.ceil((discordLimits.message.fileBytes + 1) / 1_000_000)
  expect(JSON.stringify(refused.body)).toContain(`has ${megabytes} MB, more than Discord takes`)
})
