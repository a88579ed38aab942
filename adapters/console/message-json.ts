import { statSync } from 'node:fs'
import type { OutFile } from '../../src/kernel/command/define.ts'
import { defined } from '../../src/lib/defined.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { drawable } from '../../src/lib/view/drawable.ts'
import { type Action, type Block, leadColumns, type Request, type View } from '../../src/lib/view/view.ts'
import { visibleData } from '../../src/lib/view/visible.ts'
import type { ConsoleMessage } from './conversation.ts'

/** A message as the page draws it: words on buttons included, files by name only. */
export const toMessageJson = ({ body, file, ...message }: ConsoleMessage) => ({
  ...message,
  ...(file === undefined ? {} : { file: { name: file.name, size: sizeOf(file) } }),
  body: body.kind === 'line' ? body : { kind: 'view', view: toViewJson(body.view) },
})

export const toViewJson = (given: View) => {
  // What was offered stands on the buttons.
  const { offers: _, ...view } = drawable(given)
  return {
    ...visibleData({ ...view, blocks: view.blocks.map(shownBlock) }),
    actions: (view.actions ?? []).map(labelled),
  }
}

/** Of a table the columns that tell rows apart; the words on buttons. */
const shownBlock = (block: Block): Block => {
  if (block.kind === 'table') return leadColumns(block)
  if (block.kind !== 'requests') return block
  return { ...block, requests: block.requests.map((one) => ({ ...one, actions: one.actions.map(labelled) })) }
}

/** Rows of what waits, as the page draws them. */
export const toRowsJson = (requests: readonly Request[]) =>
  toViewJson({
    title: '',
    tone: 'plain',
    blocks: [{ kind: 'requests', requests: [...requests] }],
  }).blocks.flatMap((block) => (block.kind === 'requests' ? block.requests : []))

const labelled = (action: Action) => ({
  ...action,
  label: action.label ?? verbs[action.verb].label,
  ...defined({ look: verbs[action.verb].look }),
})

/** A file that was too long for memory may be gone by now, and is then nothing. */
const sizeOf = ({ content, path }: OutFile): number =>
  path === undefined ? Buffer.byteLength(content) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
