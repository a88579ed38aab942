import { App, HTTPReceiver, LogLevel } from '@slack/bolt'
import { createCommands } from '../../commands/index.ts'

/** What a Bolt app costs that does nothing: as many slash commands as ours, each acknowledged and forgotten. */
const receiver = new HTTPReceiver({
  signingSecret: process.env.SLACK_SIGNING_SECRET ?? '',
  logLevel: LogLevel.ERROR,
})
const bolt = new App({
  receiver,
  logLevel: LogLevel.ERROR,
  convoStore: false,
  authorize: async () => ({ botToken: 'xoxb-bench', botId: 'B0', botUserId: 'U0' }),
})
const { nouns } = createCommands()
for (const noun of nouns) bolt.command(`/${noun}`, ({ ack }) => ack())
const server = await receiver.start({ host: '127.0.0.1', port: 0 })
const address = server.address()
console.log(`Server http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
