import * as webApi from '@slack/web-api'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'

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
    const said = `Slack said ${code.slice(0, 60)}`
    if (!isRefusal(code)) return new MessengerError('later', said)
    const kind = brokenErrors.has(code) ? 'broken' : 'gone'
    return new MessengerError(kind, said, { reason: code, remedy: remedies[code] })
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

/** A word of Slack's for what it does not do, and not one of those for what it cannot do just now. */
const isRefusal = (code: string): boolean => /^[a-z][a-z0-9_]{2,59}$/.test(code) && !passingErrors.has(code)

/**
 * Slack is in trouble or limits us, or does not take the token, which somebody will correct. Whatever else it answers it
 * will answer again.
 */
const passingErrors = new Set([
  ...tokenErrors,
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'accesslimited',
  'team_added_to_org',
  'deprecated_endpoint',
])

const invite = 'invite the bot to the channel'
const reinstall = 'bring the app up to date with manifest.yml and install it to the workspace again'
const letPost = 'only some people may post there; let the bot, or name another channel'

/** What makes Slack take it. */
const remedies: Readonly<Record<string, string>> = {
  not_in_channel: invite,
  channel_not_found: `the channel was deleted, or it is private and the bot is not in it; ${invite}, or name another one`,
  is_archived: 'the channel is archived; unarchive it, or name another one',
  restricted_action: letPost,
  restricted_action_read_only_channel: letPost,
  restricted_action_thread_only_channel: letPost,
  restricted_action_non_threadable_channel: letPost,
  posting_to_general_channel_denied: letPost,
  no_permission: letPost,
  missing_scope: reinstall,
  messages_tab_disabled: 'turn the Messages tab of the app on, as in manifest.yml',
  cannot_dm_user: 'they take no direct messages from apps',
  cannot_dm_bot: 'the account is a bot',
  user_disabled: 'the account is deactivated; correct it in bellhop.yml',
  user_not_found: 'there is no such account; correct it in bellhop.yml',
}

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
