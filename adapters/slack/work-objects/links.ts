import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { Sender } from '../../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { slackErrorFields } from '../api/errors.ts'
import { slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { detailedEntity, unfurledEntity } from './entity.ts'

type Event<T extends string> = SlackEventMiddlewareArgs<T> & AllMiddlewareArgs

/**
 * Somebody pasted links to changes in the console: those that they may see unfurl. Everybody in the conversation sees that,
 * so it says nothing that not everybody may know.
 */
export const onLinkShared =
  (slack: SlackContext, publicUrl: string | undefined) =>
  ({ event, body }: Event<'link_shared'>): Promise<void> =>
    orLog(slack, 'a link to a change did not unfurl', async () => {
      const { user, links, channel, message_ts: ts, unfurl_id, source } = event
      const named = links.flatMap(({ url }) => {
        const id = changeIdIn(url, publicUrl)
        return id === undefined ? [] : [{ url, id }]
      })
      if (named.length === 0) return
      const reader = await readerOf(slack, user, body.team_id)
      const entities = await Promise.all(
        named.map(async ({ url, id }) => {
          const change = await seenBy(slack, reader, id)
          // Everybody there reads it: one of another workspace is for the eyes of whoever may see it alone.
          if (change?.requester.space !== slack.bot.readsOf(reader).actor.space) return []
          return change === undefined ? [] : [unfurledEntity(change, url)]
        }),
      )
      if (entities.flat().length === 0) return
      const metadata = { entities: entities.flat() }
      const isPosted = unfurl_id === undefined || source === undefined
      const { warning } = isPosted
        ? await slack.web.chat.unfurl({ channel, ts, metadata })
        : await slack.web.chat.unfurl({ unfurl_id, source: sourceOf(source), metadata })
      // Slack says "ok" to what it does not understand, and shows nothing.
      if (warning !== undefined) slack.log.warn({ code: String(warning) }, 'Slack did not take a work object')
    })

const sourceOf = (source: string) => (source === 'composer' ? 'composer' : 'conversations_history')

/** Somebody opened a link that had unfurled: they see what they may see, which others may not. */
export const onDetailsRequested =
  (slack: SlackContext, publicUrl: string | undefined) =>
  ({ event, body }: Event<'entity_details_requested'>): Promise<void> =>
    orLog(slack, 'the details of a change could not be shown', async () => {
      const { user, trigger_id, external_ref, entity_url: url } = event
      const id = changeIdIn(url, publicUrl)
      const isOurs = id !== undefined && (external_ref === undefined || external_ref.id === id)
      const reader = await readerOf(slack, user, body.team_id)
      const change = isOurs ? await seenBy(slack, reader, id) : undefined
      if (change === undefined) {
        // The same for what is not there and for what they may not see.
        await slack.web.entity.presentDetails({ trigger_id, error: { status: 'not_found' } })
        return
      }
      const view = await slack.bot.cards.view(change, 'mirror')
      const metadata = detailedEntity(change, view, url, slack.bot.now())
      await slack.web.entity.presentDetails({ trigger_id, metadata })
    })

/** The change that a link into the console is about. */
const changeIdIn = (url: string, publicUrl: string | undefined): string | undefined => {
  if (publicUrl === undefined || !URL.canParse(url)) return undefined
  const { origin, pathname, searchParams } = new URL(url)
  const id = searchParams.get('change') ?? ''
  return origin === publicUrl && pathname === '/console' && /^\w+$/.test(id) && id.length <= 100
    ? id
    : undefined
}

const seenBy = ({ bot }: SlackContext, reader: Sender, id: string): Promise<Change | undefined> =>
  bot.readsOf(reader).records.change(id)

/** These events do not say where their sender is from, and a channel may be shared with others: Slack is asked. */
const readerOf = async (slack: SlackContext, account: string, team: string): Promise<Sender> => {
  const { user } = await slack.web.users.info({ user: account })
  const teams = [user?.team_id, ...(user?.enterprise_user?.teams ?? [])]
  return slackSenderOf(slack, { account, name: '', team: teams.includes(team) ? team : user?.team_id })
}

const orLog = async (slack: SlackContext, words: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    slack.log.warn(slackErrorFields(error), words)
  }
}
