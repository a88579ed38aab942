import { z } from 'zod'
import type { MessengerDefinition } from '../../src/kernel/messenger/definition.ts'
import { readSlackConfig, type SlackConfig } from './config.ts'
import { workflowAccount } from './workflow/account.ts'

/** Of another workspace, with that before it: `T012ABCDEF/U012ABCDEF`. */
const slackId = (phrase: string) => z.string(phrase).regex(/^(?:T[A-Z0-9]+\/)?[A-Za-z0-9_-]+$/, phrase)
const workspacePhrase = 'Slack workspaces or organizations by their ids, such as T012ABCDEF or E012ABCDEF'

export const slackDefinition: MessengerDefinition<SlackConfig> = {
  name: 'slack',
  title: 'Slack',
  variables: ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN'],
  secrets: [
    'SLACK_BOT_TOKEN',
    'SLACK_SIGNING_SECRET',
    'SLACK_APP_TOKEN',
    'SLACK_CLIENT_SECRET',
    'INSTALL_KEY',
  ],
  switches: [],
  accounts: {
    account: slackId('a Slack member id such as U012ABCDEF'),
    group: { id: slackId('a Slack user group id such as S012ABCDEF'), plural: 'Slack user groups' },
    channel: slackId('a Slack channel id such as C012ABCDEF, not its name'),
    workspace: {
      id: z.string(workspacePhrase).regex(/^[TE][A-Z0-9]+$/, workspacePhrase),
      isOrganization: (id) => id.startsWith('E'),
    },
    workflow: workflowAccount,
  },
  turnOn: 'SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET, or SLACK_APP_TOKEN',
  readConfig: readSlackConfig,
  check: async (config, _, named) => {
    const [{ checkSlack }, { scopes }] = await Promise.all([import('./doctor.ts'), import('./manifest.ts')])
    return checkSlack(config, Object.keys(scopes), named)
  },
  create: async (deps) => (await import('./slack.ts')).createSlack(deps),
  preview: async (view) => {
    const [{ renderSlack }, { drawSlack }] = await Promise.all([
      import('./render/message.ts'),
      import('./render/drawing.ts'),
    ])
    const json = renderSlack(view)
    return { json, drawing: drawSlack(json) }
  },
}
