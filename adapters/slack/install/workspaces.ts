import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import { createPlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import { type Messenger, MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { botWithin } from '../../../src/kernel/messenger/workspaces.ts'
import { qualified } from '../../../src/kernel/model/workspace.ts'
import { longAgo, msBetween } from '../../../src/lib/clock.ts'
import type { Log } from '../../../src/lib/log.ts'
import { isRefusedToken, slackErrorCode, slackErrorFields } from '../api/errors.ts'
import type { SlackConfig } from '../config.ts'
import { type OpenedContext, openContext } from '../context/open-context.ts'
import type { SlackContext } from '../context/slack-context.ts'
import type { Installed, InstalledTokens } from './installations.ts'
import { type Where, whereOf } from './where.ts'

type Body = Record<string, unknown>

/** The workspaces that the app is installed in: which of them a delivery is of, and the way to each. */
export type SlackWorkspaces = {
  /** The workspace of a delivery, which is looked for in the database once if it is not known here. */
  of(body: Body): SlackContext | Promise<SlackContext>
  /** The id that the rest of the bot knows an account of this delivery by. */
  named(body: Body, account: string): string
  /** Throws where the app is not installed, or may not be used. */
  messengerIn(team: string): Promise<Messenger>
  /** The app was removed, or its token: false if that was where the bot is at home. */
  uninstalled(body: Body): Promise<boolean>
  contexts(): SlackContext[]
  stop(): void
}

type WorkspacesDeps = {
  bot: Bot
  log: Log
  config: Pick<SlackConfig, 'apiUrl' | 'classicBlocks' | 'publicUrl'>
  home: SlackContext
  /** Undefined where nobody can install the app anywhere else. */
  tokens: InstalledTokens | undefined
  onCardChange(): void
}

type Opened = OpenedContext & { token: string; stop(): void }

/** What another replica was told of, it tells us no later than this. */
const refreshMs = 60_000

export const createWorkspaces = ({
  bot,
  log,
  config,
  home,
  tokens,
  onCardChange,
}: WorkspacesDeps): SlackWorkspaces => {
  const opened = new Map<string, Opened>()
  /** The organization of a workspace, as far as Slack has said it. */
  const organizations = new Map<string, string>()
  let askedOrganizations = longAgo

  const open = (team: string, { token, botUserId, id }: Installed): Opened => {
    const known = opened.get(team)
    if (known?.token === token) return known
    known?.stop()
    const ids = { teamId: team, botUserId, botId: undefined }
    const connection = createPlatformConnection({
      platform: 'slack',
      name: `api ${team}`,
      brings: 'answers',
      log,
      now: bot.now,
      ticks: bot.ticks,
    })
    const context = openContext({
      bot: botWithin(bot, 'slack', team),
      log,
      config,
      token,
      connection,
      identity: { known: () => ids, soon: async () => ids, ask: async () => undefined },
      team: id === team ? undefined : team,
      onCardChange,
    })
    const stop = () => {
      connection.stop()
      context.context.home.stop()
    }
    const one = { ...context, token, stop }
    opened.set(team, one)
    return one
  }
  /** Only where the policy lists it now, whatever was installed before. */
  const find = ({ team, enterprise }: Where): Opened | undefined => {
    if (team === undefined || tokens === undefined) return undefined
    const listed = bot.workspacesOf('slack')
    const organization = enterprise ?? organizations.get(team)
    for (const id of [team, organization]) {
      const installed = id !== undefined && listed.includes(id) ? tokens.of(id) : undefined
      if (installed === undefined) continue
      if (organization !== undefined) organizations.set(team, organization)
      return open(team, installed)
    }
    return undefined
  }
  const isHome = ({ team }: Where): boolean =>
    tokens === undefined || team === undefined || team === home.identity.known()?.teamId
  const refresh = async (): Promise<void> => {
    await tokens?.refresh()
    for (const [team, one] of opened) {
      const isKept = [team, organizations.get(team) ?? ''].some((id) => tokens?.of(id)?.token === one.token)
      if (isKept) continue
      one.stop()
      opened.delete(team)
    }
  }
  /** Which workspaces the organizations have, whose tokens are for all of them. */
  const askOrganizations = async (): Promise<void> => {
    if (tokens === undefined || msBetween(askedOrganizations, bot.ticks()) < refreshMs) return
    askedOrganizations = bot.ticks()
    for (const { id, token } of tokens.all().filter((one) => one.id.startsWith('E'))) {
      const { web } = open(id, { id, token }).context
      for await (const page of web.paginate('auth.teams.list', { limit: 200 })) {
        const { teams = [] } = page as { teams?: { id: string }[] }
        for (const team of teams) organizations.set(team.id, id)
      }
    }
  }
  const warned = (words: string) => (error: unknown) => log.warn(slackErrorFields(error), words)
  const timer =
    tokens === undefined
      ? undefined
      : setInterval(() => void refresh().catch(warned('installations could not be read')), refreshMs).unref()
  return {
    of: (body) => {
      const where = whereOf(body)
      if (isHome(where)) return home
      const known = find(where)
      if (known !== undefined) return known.context
      return refresh()
        .catch(warned('installations could not be read'))
        .then(() => find(where)?.context ?? home)
    },
    named: (body, account) => {
      const where = whereOf(body)
      return isHome(where) || find(where) === undefined ? account : qualified(where.team, account)
    },
    messengerIn: async (team) => {
      const at = { team, enterprise: undefined }
      const known = find(at)
      if (known !== undefined) return known.messenger
      try {
        await refresh()
        if (find(at) === undefined) await askOrganizations()
      } catch (error) {
        throw new MessengerError('later', `it is not known whether the app is in the workspace ${team}`, {
          cause: slackErrorFields(error),
        })
      }
      const found = find(at)
      if (found !== undefined) return found.messenger
      throw new MessengerError('gone', `Bellhop is not installed in the Slack workspace ${team}`, {
        reason: 'not_installed',
        remedy: `list it under workspaces in bellhop.yml, and install the app there${config.publicUrl === undefined ? '' : ` by ${config.publicUrl}/slack/install`}`,
      })
    },
    uninstalled: async (body) => {
      const where = whereOf(body)
      if (isHome(where)) return false
      const { team = '', enterprise } = where
      const id = [team, enterprise ?? ''].find((one) => tokens?.of(one) !== undefined)
      if (id === undefined) return true
      // An organization takes the app from one of its workspaces, and goes on with the others.
      if (id !== team && (await isTaken(id))) return true
      await tokens?.remove(id)
      await bot.installations.record('uninstalled', 'slack', id)
      log.warn({ team: id }, 'the app was removed from a further workspace')
      await refresh()
      return true
    },
    contexts: () => [home, ...[...opened.values()].map(({ context }) => context)],
    stop: () => {
      clearInterval(timer)
      for (const one of opened.values()) one.stop()
    },
  }

  async function isTaken(id: string): Promise<boolean> {
    const installed = tokens?.of(id)
    if (installed === undefined) return false
    return open(id, installed)
      .context.web.auth.test()
      .then(
        () => true,
        // A Slack that does not answer has not taken it away.
        (error: unknown) => !isRefusedToken(slackErrorCode(error) ?? ''),
      )
  }
}
