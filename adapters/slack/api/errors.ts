import * as webApi from '@slack/web-api'
import { MessengerError } from '../../../src/messenger/messenger.ts'

/** What Slack answered in its own words, if it answered. */
export const slackErrorCode = (error: unknown): string | undefined =>
  error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined

/** What the core can do about it: tell elsewhere, or try again. Nothing of the request is carried along. */
export const toSlackMessengerError = (error: unknown): MessengerError => {
  if (error instanceof MessengerError) return error
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return new MessengerError('later', 'Slack asks us to slow down', {
      retryAfterMs: error.retryAfter * 1000,
    })
  }
  const code = slackErrorCode(error)
  if (code !== undefined) {
    const kind = permanentErrors.has(code) ? 'gone' : brokenErrors.has(code) ? 'broken' : 'later'
    return new MessengerError(kind, `Slack said ${code.slice(0, 60)}`)
  }
  if (error instanceof webApi.WebAPIHTTPError) {
    return new MessengerError('later', `Slack answered with status ${error.statusCode}`)
  }
  return new MessengerError(
    'later',
    `Slack cannot be reached (${error instanceof Error ? error.name : 'error'})`,
  )
}

/** For the log: never the request, its address or its token. */
export const slackErrorFields = (error: unknown): { code: string } => ({
  code: slackErrorCode(error) ?? (error instanceof Error ? safeMessageOf(error) : 'unknown'),
})

/** What JavaScript says about a payload that is not as it should be may quote it, and Bolt repeats that in its own errors. */
const safeMessageOf = (error: Error & { code?: unknown }): string => {
  const { code, name, message } = error
  if (typeof code === 'string' && code.startsWith('slack_bolt_')) return code
  return [TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind)
    ? name
    : message.slice(0, 200)
}

/** Slack does not take our token, whatever we ask: revoked, expired, of an app or a workspace that is gone. */
export const isRefusedToken = (code: string): boolean => tokenErrors.has(code)

const tokenErrors = new Set([
  'access_denied',
  'account_inactive',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'forbidden_team',
  'invalid_auth',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'team_disabled',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
  'user_removed_from_team',
])

export const isRefusedBlocks = (error: unknown): boolean => blockErrors.has(slackErrorCode(error) ?? '')

/** Places that will never take the message, whatever we wait for. */
const permanentErrors = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'is_inactive',
  'user_not_found',
  'user_disabled',
  'user_is_restricted',
  'user_not_in_channel',
  'user_not_visible',
  'cannot_dm',
  'cannot_dm_bot',
  'cannot_dm_user',
  'messages_tab_disabled',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'no_permission',
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'thread_not_found',
  'team_access_not_granted',
  'expired_url',
  'used_url',
])

const blockErrors = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'too_many_blocks',
])

/** Slack does not take what was in the request. */
const brokenErrors = new Set([
  ...blockErrors,
  'invalid_arguments',
  'invalid_array_arg',
  'invalid_json',
  'no_text',
])
