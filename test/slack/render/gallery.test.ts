import { expect, it } from 'vitest'
import { newerBlocks } from '../../../adapters/slack/api/block-kit.ts'
import { idPressed } from '../../../adapters/slack/render/buttons.ts'
import { drawSlack } from '../../../adapters/slack/render/drawing.ts'
import { withMarked } from '../../../adapters/slack/render/marks.ts'
import { renderSlack, renderSlackModal, renderSlackPlain } from '../../../adapters/slack/render/message.ts'
import { list, table, type View } from '../../../src/lib/view/view.ts'
import { gallery } from '../../messenger/gallery.ts'
import { outlineOf } from '../../messenger/outline.ts'
import { faultInMessage, whyInvalid } from '../fake/blocks.ts'

const views = Object.entries(gallery)

it.each(views)('%s', (_, view) => {
  const shown = renderSlack(view, { blockId: 'card' })
  expect(faultInMessage(shown.text, shown.blocks), whyInvalid(shown.blocks)).toBeUndefined()
  const older = renderSlack(view, { refused: new Set(newerBlocks) })
  expect(faultInMessage(older.text, older.blocks), whyInvalid(older.blocks)).toBeUndefined()
  expect(older.blocks.filter(({ type }) => (newerBlocks as readonly string[]).includes(type))).toEqual([])
})

it.each(views)('in text alone: %s', (_, view) => {
  const { text, blocks } = renderSlackPlain(view)
  expect(faultInMessage(text, blocks), whyInvalid(blocks)).toBeUndefined()
})

it('each looks as it did: read out, drawn, with older blocks and in text alone', async () => {
  const drawn = views.map(([name, view]) =>
    [
      `# ${name}`,
      renderSlack(view).text,
      ...[
        renderSlack(view, { blockId: 'card' }),
        renderSlack(view, { refused: new Set(newerBlocks) }),
        renderSlackPlain(view),
      ].map((shown) => outlineOf(drawSlack(shown))),
    ].join('\n\n'),
  )
  await expect(`${drawn.join('\n\n')}\n`).toMatchFileSnapshot('gallery.txt')
})

it('a modal has the same without anything to press, to notify or that only a message takes', () => {
  for (const [name, view] of views) {
    const types = renderSlackModal(view).map(({ type }) => type as string)
    const isKnown = (type: string) => ['header', 'rich_text', 'section', 'context'].includes(type)
    const pressed = view.blocks.some(({ kind }) => kind === 'requests') ? ['actions'] : []
    expect(
      types.filter((type) => !isKnown(type) && !pressed.includes(type)),
      name,
    ).toEqual([])
    expect(JSON.stringify(renderSlackModal(view))).not.toMatch(/user_id|usergroup_id|bh-marks|bh-menu/)
  }
})

it('what was marked goes with the press of its button, from a message as from a tab', () => {
  const chosen = (...ids: string[]) => ({ 'bh-marks': { selected_options: ids.map((value) => ({ value })) } })
  const state = { values: { 'bh-marks0': chosen('c1', 'c2'), 'bh-marks1': chosen('c9'), other: {} } }
  const review = { verb: 'review' as const, id: 'marked' }
  expect(withMarked(review, { state })).toEqual({ verb: 'review', id: 'c1,c2,c9' })
  expect(withMarked(review, { view: { state } })).toEqual({ verb: 'review', id: 'c1,c2,c9' })
  expect(withMarked(review, {})).toEqual({ verb: 'review', id: '' })
  expect(withMarked({ verb: 'approve', id: 'c1' }, { state })).toEqual({ verb: 'approve', id: 'c1' })
  expect([idPressed('bh-more', 'bh:why:c1'), idPressed('bh-more', undefined), idPressed('x', 'y')]).toEqual([
    'bh:why:c1',
    '',
    'x',
  ])
})

it('a card closes its evidence where that is long, and only where all of it can be closed', () => {
  const cardOf = (size: number, over: Partial<View> = {}): View => ({
    title: 'Send',
    tone: 'warn',
    blocks: [{ kind: 'turn', lines: ['Needs one.'], by: 'Sam' }, list(['x'.repeat(size)])],
    essential: 1,
    ...over,
  })
  const typesOf = (view: View) => renderSlack(view).blocks.map(({ type }) => type as string)
  const sizeOf = (size: number) => JSON.stringify(renderSlack(cardOf(size)).blocks.slice(3)).length
  const whole = 1_500 - (sizeOf(100) - 100)
  expect(typesOf(cardOf(whole))).not.toContain('container')
  expect(typesOf(cardOf(whole + 1))).toEqual(['header', 'rich_text', 'context', 'container'])
  expect(outlineOf(drawSlack(renderSlack(cardOf(2_000))))).toContain('x'.repeat(2_000))
  expect(typesOf(cardOf(2_000, { essential: 0 }))).not.toContain('container')
  const { blocks } = cardOf(2_000)
  const charted = [...blocks, { kind: 'progress' as const, label: 'L', done: 1, total: 2 }]
  expect(typesOf(cardOf(0, { blocks: charted }))).not.toContain('container')
  // A table of which not all fits says so below.
  const rows = Array.from({ length: 500 }, (_, at) => [String(at)])
  const tabled = renderSlack(cardOf(0, { blocks: [...blocks, table(['A'], rows)] }), {
    refused: new Set(['data_table']),
  }).blocks.flatMap((block) => (block.type === 'container' ? block.child_blocks.map(({ type }) => type) : []))
  expect(tabled).toEqual(['rich_text', 'table', 'context'])
  const lists = (count: number) => [
    ...blocks.slice(0, 1),
    ...Array.from({ length: count }, () => list(['x'.repeat(300)])),
  ]
  expect(typesOf(cardOf(0, { blocks: lists(10) }))).toContain('container')
  expect(typesOf(cardOf(0, { blocks: lists(11) }))).not.toContain('container')
})
