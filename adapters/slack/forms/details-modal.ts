import type { types } from '@slack/bolt'
import type { View } from '../../../src/lib/view/view.ts'
import { limits } from '../api/limits.ts'
import { renderSlackModal } from '../render/message.ts'
import { plainText } from '../render/text.ts'

/** More of what somebody looks at, over the message where they asked for it. */
export const detailsModal = (view: View): types.ModalView => ({
  type: 'modal',
  callback_id: 'details',
  title: plainText('Details', limits.view.title),
  close: plainText('Close', limits.view.title),
  // What can be done stands in the menu of the message.
  blocks: renderSlackModal({ ...view, actions: [] }) as types.KnownBlock[],
})
