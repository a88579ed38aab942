import { statSync } from 'node:fs'
import type { OutFile } from '../../src/command/define.ts'
import { buttonLabelOf } from '../../src/view/button-labels.ts'
import { type Action, type Block, leadColumns, type View } from '../../src/view/view.ts'
import { visibleData } from '../../src/view/visible.ts'
import type { ConsoleMessage } from './conversation.ts'

/** A message as the page draws it: words on buttons included, files by name only. */
export const toMessageJson = ({ body, file, ...message }: ConsoleMessage) => ({
  ...message,
  ...(file === undefined ? {} : { file: { name: file.name, size: sizeOf(file) } }),
  body: body.kind === 'line' ? body : { kind: 'view', view: toViewJson(body.view) },
})

export const toViewJson = (view: View) => ({
  ...visibleData({ ...view, blocks: view.blocks.map(shownBlock) }),
  actions: (view.actions ?? []).map(labelled),
})

/** Of a table the columns that tell rows apart; the words on buttons. */
const shownBlock = (block: Block): Block => {
  if (block.kind === 'table') return leadColumns(block)
  if (block.kind !== 'requests') return block
  return { ...block, requests: block.requests.map((one) => ({ ...one, actions: one.actions.map(labelled) })) }
}

const labelled = (action: Action) => ({ ...action, label: action.label ?? buttonLabelOf[action.verb] })

/** A file that was too long for memory may be gone by now, and is then nothing. */
const sizeOf = ({ content, path }: OutFile): number =>
  path === undefined ? Buffer.byteLength(content) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
