import type { types } from '@slack/bolt'
import { askedWordsOf, verbs } from '../../../src/lib/view/button-labels.ts'
import type { Verb } from '../../../src/lib/view/view.ts'
import { contextBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { plainText } from '../render/text.ts'
import { type ReplyTarget, toModalMetadata } from './modal-metadata.ts'

export const reasonBlock = 'reason'
export const reasonInput = 'value'

/** Asks why, before a decision that needs a reason. */
export const reasonModal = (
  { verb, id, title }: { verb: Verb; id: string; title: string },
  replyTo: ReplyTarget,
): types.ModalView => ({
  type: 'modal',
  callback_id: 'reason',
  private_metadata: toModalMetadata<'reason'>({ ...replyTo, verb, id }),
  title: plainText(verbs[verb].label, limits.view.title),
  submit: plainText(verbs[verb].label, limits.view.title),
  close: plainText('Back', limits.view.title),
  blocks: [
    contextBlock(plainText(title, 1_000)) as types.KnownBlock,
    {
      type: 'input',
      block_id: reasonBlock,
      label: plainText(askedWordsOf(verb).label, limits.view.label),
      hint: plainText(askedWordsOf(verb).hint),
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
