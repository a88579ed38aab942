import { statSync } from 'node:fs'
import type { OutFile } from '../../src/command/define.ts'
import { buttonLabelOf } from '../../src/view/button-labels.ts'
import type { View } from '../../src/view/view.ts'
import { visibleData } from '../../src/view/visible.ts'
import type { ConsoleMessage } from './conversation.ts'

/** A message as the page draws it: words on buttons included, files by name only. */
export const toMessageJson = ({ body, file, ...message }: ConsoleMessage) => ({
  ...message,
  ...(file === undefined ? {} : { file: { name: file.name, size: sizeOf(file) } }),
  body: body.kind === 'line' ? body : { kind: 'view', view: toViewJson(body.view) },
})

export const toViewJson = (view: View) => ({
  ...visibleData(view),
  actions: (view.actions ?? []).map((action) => ({
    ...action,
    label: action.label ?? buttonLabelOf[action.verb],
  })),
})

/** A file that was too long for memory may be gone by now, and is then nothing. */
const sizeOf = ({ content, path }: OutFile): number =>
  path === undefined ? Buffer.byteLength(content) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
