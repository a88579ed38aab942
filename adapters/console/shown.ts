import { labelOf } from '../../src/view/words.ts'
import type { Message } from './conversation.ts'

/** A message as the page draws it: words on buttons included, files by name only. */
export const toShown = ({ body, file, ...message }: Message) => ({
  ...message,
  ...(file === undefined ? {} : { file: { name: file.name, size: Buffer.byteLength(file.content) } }),
  body:
    body.kind === 'line'
      ? body
      : {
          kind: 'view',
          view: {
            ...body.view,
            actions: (body.view.actions ?? []).map((action) => ({ ...action, label: labelOf[action.verb] })),
          },
        },
})
