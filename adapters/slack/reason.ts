import type { types } from '@slack/bolt'
import type { Verb } from '../../src/view/view.ts'
import { labelOf } from '../../src/view/words.ts'
import { context } from './blocks.ts'
import { limits } from './limits.ts'
import { type Back, toMetadata } from './metadata.ts'
import { plain } from './plain.ts'

export const reasonBlock = 'reason'
export const reasonInput = 'value'

/** Asks why, before a decision that needs a reason. */
export const reasonModal = (
  { verb, id, title }: { verb: Verb; id: string; title: string },
  back: Back,
): types.ModalView => ({
  type: 'modal',
  callback_id: 'reason',
  private_metadata: toMetadata<'reason'>({ ...back, verb, id }),
  title: plain(labelOf[verb], limits.view.title),
  submit: plain(labelOf[verb], limits.view.title),
  close: plain('Back', limits.view.title),
  blocks: [
    context(plain(title, 1_000)) as types.KnownBlock,
    {
      type: 'input',
      block_id: reasonBlock,
      label: plain('Reason', limits.view.label),
      hint: plain(
        verb === 'reject' ? 'The requester reads it.' : 'How do you know? It goes into the record.',
      ),
      element: {
        type: 'plain_text_input',
        action_id: reasonInput,
        multiline: true,
        max_length: 500,
        focus_on_load: true,
      },
    },
  ],
})
