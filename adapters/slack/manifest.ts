import { stringify } from 'yaml'
import type { Command } from '../../src/kernel/command/define.ts'
import { hintOf } from '../../src/kernel/command/line/usage.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import { limits } from './api/limits.ts'
import { ellipsize } from './render/text.ts'
import { changeEntityType } from './work-objects/entity.ts'
import { stepDefinitions } from './workflow/step-definitions.ts'

/** How Slack names our shortcuts when somebody chooses them. */
export const shortcutIds = { pick: 'run_command', lookUp: 'look_up_email' } as const

/** The scopes that the bot cannot do without, with what each is for; docs/slack.md has the same list. */
export const scopes: Record<string, string> = {
  'app_mentions:read': 'to hear lines that mention the bot',
  'channels:read': 'to see whether somebody is in a channel before a scheduled look-up is posted there',
  'chat:write': 'to post answers and cards, and to edit them',
  commands: 'for the slash commands and the shortcuts',
  'files:read': 'to take a file that somebody attaches, such as a list of recipients',
  'files:write': 'to hand over an export as a file',
  'groups:read': 'the same for private channels',
  'im:history': 'to read lines in the conversation with the bot',
  'users:read': 'to know the time zone of whoever writes a time',
  'usergroups:read': 'to see who is in the user groups that bellhop.yml gives roles',
}

/** Scopes that it can do without: then a question is answered by its button alone, and links stay links. */
export const optionalScopes: Record<string, string> = {
  'channels:history': 'to read answers below a card, in a thread of a channel that the bot is in',
  'groups:history': 'the same in private channels',
  'links:read': 'to see links into the console that somebody pastes',
  'links:write': 'to show what such a link is about',
}

/** manifest.yml, from which a workspace makes its app. Valid for both ways of connecting. */
export const manifestOf = (registry: Registry): string =>
  `${fileHeader}${stringify(manifest(registry), { lineWidth: 0 })}`

const fileHeader = `# Made by npm run derive: change the commands, not this file.
# For links into the console: put the host of PUBLIC_URL in the place of bellhop.example.com.
# Over HTTP: put your own host in the place of YOUR-HOST. For Socket Mode: set socket_mode_enabled to true.
`
const url = 'https://YOUR-HOST/slack/events'

/** As in PUBLIC_URL. A name that Slack takes as one, for those who leave it as it is. */
const linkHost = 'bellhop.example.com'

/** The last two tell that the bot is no longer wanted. */
const botEvents = [
  'app_home_opened',
  'app_mention',
  'entity_details_requested',
  'function_executed',
  'link_shared',
  'message.im',
  'message.channels',
  'message.groups',
  'app_uninstalled',
  'tokens_revoked',
]

/**
 * Slack keeps these for itself: an app's command of the same name may never arrive. Its older and hidden ones are here
 * too, because they still answer.
 */
const slackOwn: ReadonlySet<string> = new Set(
  (
    'active apps archive away call canvas close collapse contract dm dnd expand feed feedback files genie help huddle ' +
    'invite invite_people join keys kick leave list-channels me msg mute open part prefs remind remove rename search ' +
    'shortcuts shrug star status tableflip topic trigger unarchive unmute who whois'
  ).split(' '),
)

/** Ours that Slack keeps for itself, and that people therefore reach as `/bellhop away ...`. */
export const throughBellhop: ReadonlySet<string> = new Set(['away'])

const manifest = (registry: Registry) => {
  const taken = registry.nouns.filter((noun) => slackOwn.has(noun) && !throughBellhop.has(noun))
  if (taken.length > 0) {
    const names = taken.map((noun) => `/${noun}`).join(', ')
    throw new Error(`Slack keeps ${names} for itself: choose another name, or list it in throughBellhop`)
  }
  const commands = registry.nouns
    .filter((noun) => !throughBellhop.has(noun))
    .map((noun) => slashCommand(noun, registry.under(noun)))
  atMost('slash commands', commands.length, limits.command.count)
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: within('app name', 'Bellhop', limits.app.name),
      description: within('app description', description, limits.app.description),
      long_description: longDescription,
      background_color: '#2b4c7e',
    },
    features: {
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: 'bellhop', always_online: true },
      shortcuts: [
        {
          name: within('shortcut', 'Run a command', limits.shortcut.name),
          type: 'global',
          callback_id: shortcutIds.pick,
          description: 'Choose a command and fill in its form',
        },
        {
          name: within('shortcut', "Look up sender's email", limits.shortcut.name),
          type: 'message',
          callback_id: shortcutIds.lookUp,
          description: 'Find the subscriber whose address is in the message',
        },
      ],
      slash_commands: commands,
      unfurl_domains: [linkHost],
      rich_previews: { is_active: true, entity_types: [changeEntityType] },
    },
    oauth_config: { scopes: { bot: Object.keys(scopes), bot_optional: Object.keys(optionalScopes) } },
    settings: {
      event_subscriptions: { request_url: url, bot_events: botEvents },
      interactivity: { is_enabled: true, request_url: url, message_menu_options_url: url },
      // Slack takes steps of workflows only from apps that a whole organization could install.
      org_deploy_enabled: true,
      function_runtime: 'remote',
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
    functions: stepDefinitions(registry),
  }
}

/** Whatever follows it is a line of its own. */
const anyCommand = 'bellhop'

/** One for each noun: `/subscriber get`, `/subscriber find`; a command of one word is its own. */
const slashCommand = (noun: string, commands: readonly Command[]) => {
  const [only] = commands
  const isOne = only !== undefined && only.name === noun
  const words = isOne
    ? only.summary
    : `${noun}: ${commands.map(({ name }) => name.slice(noun.length + 1)).join(', ')}${noun === anyCommand ? ', or any other command' : ''}`
  return {
    command: within('slash command', `/${noun}`, limits.command.name),
    url,
    description: within(`description of /${noun}`, words, limits.command.description),
    usage_hint: isOne
      ? ellipsize(hintOf(only.params), limits.command.hint) || 'no arguments'
      : within(
          `usage hint of /${noun}`,
          `[${[...commands.map(({ name }) => name.slice(noun.length + 1)), ...(noun === anyCommand ? throughBellhop : [])].join(' | ')}] …`,
          limits.command.hint,
        ),
    // People type addresses and amounts, not names of members: the text comes as it was typed.
    should_escape: false,
  }
}

const description =
  'Subscribers, campaigns, messages, refunds and plan changes from Slack, with approvals where money moves'

const longDescription =
  'Bellhop runs the everyday work of support, growth and finance from Slack instead of three dashboards. Looking things up is instant. ' +
  'Anything that touches customers is previewed first. Anything that moves money needs the right people to press a button, happens at most once, ' +
  'and leaves a record that an auditor can check.'

/** Slack refuses a manifest past its limits, so a bad definition dies here. */
const within = (what: string, text: string, most: number): string => {
  atMost(`characters in the ${what} "${text.slice(0, 40)}"`, text.length, most)
  return text
}

const atMost = (what: string, count: number, most: number): void => {
  if (count > most) throw new Error(`Slack takes at most ${most} ${what}, and there are ${count}`)
}
