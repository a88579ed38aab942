import { webApi } from '@slack/bolt'
import { describe, expect, test } from 'vitest'
import { createResponseUrlClient } from '../../../adapters/slack/api/response-url.ts'
import { whenDone } from '../../harness/when-done.ts'
import { faultInMessage, parseModal } from './blocks.ts'
import { startFakeSlack } from './slack.ts'
import { newResponseUrl, newTrigger } from './state.ts'

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
const button = (id: string) => ({ type: 'button', action_id: id, text: plain('Go') })
const cell = (text: string) => ({ type: 'raw_text', text })
const table = { type: 'table', rows: [[cell('a')]] }
const pie = (count: number) => ({
  type: 'data_visualization',
  title: 'T',
  chart: { type: 'pie', segments: Array.from({ length: count }, (_, at) => ({ label: `l${at}`, value: 1 })) },
})

describe('the Slack of these tests refuses', () => {
  test.each<[string, unknown[]]>([
    ['a header of 151', [{ type: 'header', text: plain('x'.repeat(151)) }]],
    ['a blank text', [{ type: 'section', text: plain(' ') }]],
    ['a text of 3,001', [{ type: 'section', text: plain('x'.repeat(3_001)) }]],
    ['an unknown block', [{ type: 'sparkline' }]],
    ['an unknown key', [{ type: 'divider', colour: 'red' }]],
    ['the same action twice', [{ type: 'actions', elements: [button('a'), button('a')] }]],
    [
      'the same block_id twice',
      [
        { type: 'divider', block_id: 'a' },
        { type: 'divider', block_id: 'a' },
      ],
    ],
    ['two tables', [table, table]],
    ['a table of 101 rows', [{ type: 'table', rows: Array.from({ length: 101 }, () => [cell('a')]) }]],
    ['three charts', [pie(1), pie(1), pie(1)]],
    ['a pie of seven', [pie(7)]],
    [
      'an input in a message',
      [{ type: 'input', label: plain('L'), element: { type: 'datepicker', action_id: 'a' } }],
    ],
    ['51 blocks', Array.from({ length: 51 }, () => ({ type: 'divider' }))],
    [
      '14,000 characters',
      Array.from({ length: 5 }, () => ({ type: 'section', text: plain('x'.repeat(2_900)) })),
    ],
  ])('%s', (_, blocks) => {
    expect(faultInMessage('text', blocks)).toMatch(/^(invalid_blocks|msg_blocks_too_long)$/)
  })

  test('modals with a table, a long title, or an input and no submit', () => {
    const modal = { type: 'modal', callback_id: 'c', title: plain('T'), blocks: [{ type: 'divider' }] }
    const input = { type: 'input', label: plain('L'), element: { type: 'datepicker', action_id: 'a' } }
    expect(parseModal(modal).success).toBe(true)
    expect(parseModal({ ...modal, blocks: [table] }).success).toBe(false)
    expect(parseModal({ ...modal, title: plain('x'.repeat(25)) }).success).toBe(false)
    expect(parseModal({ ...modal, blocks: [input] }).success).toBe(false)
    expect(parseModal({ ...modal, private_metadata: 'x'.repeat(3_001) }).success).toBe(false)
  })
})

describe('its Web API', async () => {
  const fake = await startFakeSlack({ scopes: ['chat:write'] })
  whenDone(() => fake.close())
  fake.person('U0SAM')
  fake.channel('C0ONE', ['U0SAM'])
  const as = (token: string) =>
    new webApi.WebClient(token, {
      slackApiUrl: fake.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
    })
  const web = as(fake.state.botToken)
  const view = {
    type: 'modal' as const,
    callback_id: 'c',
    title: plain('T'),
    blocks: [{ type: 'divider' as const }],
  }

  test('knows tokens, scopes, methods and their arguments', async () => {
    await expect(as('xoxb-other').auth.test()).rejects.toThrow('invalid_auth')
    await expect(web.usergroups.users.list({ usergroup: 'S0' })).rejects.toThrow('missing_scope')
    await expect(web.conversations.list({})).rejects.toThrow('unknown_method')
    await expect(web.chat.postMessage({ channel: 'C0ONE', text: 'x', as_user: true })).rejects.toThrow(
      'invalid_arguments',
    )
  })

  test('takes a trigger once, and for three seconds', async () => {
    const once = newTrigger(fake.state, 'U0SAM')
    await web.views.open({ trigger_id: once, view: view as never })
    await expect(web.views.open({ trigger_id: once, view: view as never })).rejects.toThrow(
      'exchanged_trigger_id',
    )
    const late = newTrigger(fake.state, 'U0SAM')
    fake.state.ahead = 3_500
    await expect(web.views.open({ trigger_id: late, view: view as never })).rejects.toThrow(
      'expired_trigger_id',
    )
    fake.state.ahead = 0
  })

  test('takes a response_url five times, and the adapter knows', async () => {
    const responder = createResponseUrlClient()
    const line = { url: newResponseUrl(fake.state, 'C0ONE', 'U0SAM'), until: Date.now() + 60_000 }
    const message = {
      text: 'x',
      blocks: [{ type: 'divider' as const }],
      response_type: 'ephemeral' as const,
      replace_original: false,
    }
    for (let use = 0; use < 5; use++) await responder.send(line, message)
    expect(responder.isUsable(line)).toBe(false)
    await expect(responder.send(line, message)).rejects.toMatchObject({ kind: 'gone' })
    const answer = await fetch(line.url, { method: 'POST', body: JSON.stringify(message) })
    expect([answer.status, await answer.text()]).toEqual([404, 'used_url'])
  })
})
