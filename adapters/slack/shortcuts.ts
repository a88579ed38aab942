import type { SlackShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { askerOf } from '../../src/pipeline/asker.ts'
import { mayRun } from '../../src/policy/people.ts'
import type { View } from '../../src/view/view.ts'
import { type Asked, fromOf, handleOf } from './asked.ts'
import { converse } from './converse.ts'
import { tell } from './deliver.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { pickerModal } from './picker.ts'
import { lineOf } from './respond.ts'
import { shortcutIds } from './shortcut-ids.ts'

/** The two shortcuts: on a message, and everywhere. */
export const onShortcut =
  (desk: Desk) =>
  async ({ ack, shortcut }: SlackShortcutMiddlewareArgs<SlackShortcut>): Promise<void> => {
    await ack()
    const asked = askedOf(shortcut)
    if (shortcut.callback_id === shortcutIds.pick) return pick(desk, asked)
    if (shortcut.callback_id !== shortcutIds.lookUp || shortcut.type !== 'message_action') return
    const email = emailIn(shortcut.message)
    if (email !== undefined) {
      return converse(desk, asked, { kind: 'form', command: 'subscriber get', values: { who: email } })
    }
    try {
      await tell(desk, asked, noEmail, undefined)
    } catch (error) {
      desk.log.warn(faultOf(error), 'an answer could not be brought to Slack')
    }
  }

const pick = async (desk: Desk, asked: Asked): Promise<void> => {
  const { policy, registry } = desk.app.world
  try {
    const asker = askerOf(policy, await fromOf(desk, asked))
    const commands = registry.all.filter(({ name }) => mayRun(policy, asker, [name]))
    const view = pickerModal(commands, { channel: asked.channel, handle: handleOf(asked) })
    await desk.web.views.open({ trigger_id: asked.trigger ?? '', view })
  } catch (error) {
    desk.log.warn(faultOf(error), 'the command picker could not be opened')
  }
}

const askedOf = (shortcut: SlackShortcut): Asked => {
  const { user, trigger_id } = shortcut
  const isMessage = shortcut.type === 'message_action'
  return {
    delivery: `shortcut:${trigger_id}`,
    account: user.id,
    name: ('name' in user ? user.name : user.username) ?? '',
    team: user.team_id ?? shortcut.team?.id,
    channel: isMessage ? shortcut.channel.id : null,
    line: isMessage ? lineOf(shortcut.response_url) : undefined,
    trigger: trigger_id,
  }
}

/** The first address in the message: what it says, or what its blocks and attachments hold. */
const emailIn = ({ text, blocks, attachments }: Record<string, unknown>): string | undefined =>
  textsIn([text, blocks, attachments])
    .map((words) => /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u.exec(words))
    .find((found) => found !== null)?.[0]

const textsIn = (node: unknown): string[] => {
  if (typeof node === 'string') return [node]
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : []
}

const noEmail: View = { title: 'There is no email address in this message.', tone: 'warn', blocks: [] }
