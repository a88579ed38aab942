import { faultInMessage } from './blocks.ts'
import { type FakeState, now } from './state.ts'
import { replace, toMessage } from './web-api.ts'

const keys = new Set(['text', 'blocks', 'response_type', 'replace_original', 'delete_original', 'thread_ts'])

/** A post to a response_url: five of them within half an hour, whether the bot is in the channel or not. */
export const respondTo = (
  state: FakeState,
  id: string,
  body: Record<string, unknown>,
): { status: number; text: string } => {
  const responseUrl = state.responseUrls.get(id)
  if (responseUrl === undefined) return { status: 404, text: 'no_such_url' }
  if (now(state) - responseUrl.at > 30 * 60_000) return { status: 404, text: 'expired_url' }
  if (responseUrl.uses >= 5) return { status: 404, text: 'used_url' }
  if (Object.keys(body).some((key) => !keys.has(key))) return { status: 400, text: 'invalid_payload' }
  responseUrl.uses++
  const { original } = responseUrl
  if (body.delete_original === true) {
    if (original !== undefined) original.isDeleted = true
    return { status: 200, text: 'ok' }
  }
  const fault = faultInMessage(body.text, body.blocks, state.refusedBlocks)
  if (fault !== undefined) return { status: 400, text: fault }
  if (body.replace_original === true && original !== undefined && !original.isDeleted) {
    replace(original, body)
    return { status: 200, text: 'ok' }
  }
  const onlyFor = body.response_type === 'in_channel' ? undefined : responseUrl.user
  const message = toMessage(state, responseUrl.channel, body, onlyFor, true)
  if (typeof message === 'string') return { status: 400, text: message }
  responseUrl.original ??= message
  return { status: 200, text: 'ok' }
}
