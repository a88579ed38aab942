import { App, type BlockAction, HTTPReceiver, LogLevel } from '@slack/bolt'

/**
 * What somebody writes by hand for one job: one look-up, and one refund that somebody else approves. No policy, no storage,
 * no audit log: whoever presses Approve approves.
 */
const { SLACK_SIGNING_SECRET = '', SLACK_BOT_TOKEN = '', SLACK_API_URL = '', ...services } = process.env
const receiver = new HTTPReceiver({ signingSecret: SLACK_SIGNING_SECRET, logLevel: LogLevel.ERROR })
const bolt = new App({
  receiver,
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl: SLACK_API_URL },
  authorize: async () => ({ botToken: SLACK_BOT_TOKEN, botId: 'B0', botUserId: 'U0B' }),
})

const cards = new Map<
  string,
  { payment: string; amount: string; copies: Promise<{ channel: string; ts: string }[]> }
>()
const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } })

bolt.command('/subscriber', async ({ ack, command, respond }) => {
  await ack()
  const [, email = ''] = command.text.split(' ')
  const answer = await fetch(`${services.EMAIL_BASE_URL}/subscribers/${encodeURIComponent(email)}`, {
    headers: { authorization: `Bearer ${services.EMAIL_API_KEY}` },
  })
  const { data, ...rest } = (await answer.json()) as Record<string, unknown>
  const facts = Object.entries((data ?? rest) as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `*${name}*: ${value}`)
  await respond({
    response_type: 'ephemeral',
    text: email,
    blocks: [section(facts.join('\n').slice(0, 2_900))],
  })
})

bolt.command('/refund', async ({ ack, command, client }) => {
  await ack()
  const [payment = '', amount = ''] = command.text.split(' ')
  const text = `<@${command.user_id}> asks to refund ${amount} of ${payment}`
  const id = command.trigger_id
  const buttons = {
    type: 'actions' as const,
    elements: [
      {
        type: 'button' as const,
        action_id: 'approve',
        value: id,
        text: { type: 'plain_text' as const, text: 'Approve' },
      },
    ],
  }
  // Noted before it is posted: a click may come before Slack has answered.
  const copies = Promise.all(
    [command.channel_id, 'C0APPROVALS'].map(async (channel) => {
      const posted = await client.chat.postMessage({ channel, text, blocks: [section(text), buttons] })
      return { channel, ts: posted.ts ?? '' }
    }),
  )
  cards.set(id, { payment, amount, copies })
  await copies
})

bolt.action<BlockAction>('approve', async ({ ack, action, body, client }) => {
  await ack()
  const id = 'value' in action ? (action.value ?? '') : ''
  const card = cards.get(id)
  if (card === undefined) return
  cards.delete(id)
  const { BILLING_API_KEY, BILLING_SECRET_KEY } = services
  const answer = await fetch(`${services.BILLING_BASE_URL}/transaction/refund/${card.payment}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${BILLING_API_KEY}:${BILLING_SECRET_KEY}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ amount: Number(card.amount) }),
  })
  await answer.json()
  const text = `Refunded ${card.amount} of ${card.payment}, approved by <@${body.user.id}>`
  const copies = await card.copies
  await Promise.all(copies.map((copy) => client.chat.update({ ...copy, text, blocks: [section(text)] })))
})

const server = await receiver.start({ host: '127.0.0.1', port: 0 })
const address = server.address()
console.log(`Server http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
