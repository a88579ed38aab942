import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodePayload, signRequest } from '../../test/slack/fake/wire.ts'
import type { SiteThread } from './site-thread.ts'

/** How long each thing took that somebody else did. */
export type Waited = {
  what: string
  ms: number
  /** How much the bot's thread worked meanwhile: what they wait on a machine that is busy with nothing else. */
  worked: number
}

type OthersOptions = { base: string; site: SiteThread; signingSecret: string; workedMs(): number }

/** Sue asks for a refund, Fay decides, Finn freezes and unfreezes: each in the console, and Fay's approvals in Slack. */
export const createOthers = async ({ base, site, signingSecret, workedMs }: OthersOptions) => {
  const cookies = {
    'p-asks2': await signIn(base, await site('signIn', 'U0SUPPORT2')),
    'p-decides': await signIn(base, await site('signIn', 'U0FINANCE')),
    'p-decides2': await signIn(base, await site('signIn', 'U0FINANCE2')),
  }
  type Who = keyof typeof cookies
  const asked = async (as: Who, path: string, body?: object): Promise<string> => {
    const answer = await patiently(() =>
      fetch(`${base}/console/api/${path}`, {
        headers: { cookie: cookies[as], origin: base, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify({ as, ...body }) }),
      }),
    )
    const text = await answer.text()
    if (!answer.ok) throw new Error(`somebody else was refused: ${answer.status} ${text.slice(0, 200)}`)
    return text
  }
  const say = (as: Who, line: string) => asked(as, 'say', { line, delivery: randomUUID() })
  const waiting = async () =>
    (
      JSON.parse(await asked('p-decides', 'changes?as=p-decides')) as {
        id: string
        title: string
        by: string
      }[]
    ).filter(({ by }) => by === 'Sue Support' || by === 'Finn Finance')
  const approval = async (words: string): Promise<() => Promise<void>> => {
    const { actionId, blockId, ts, channel, team, responseUrl } = await site('approveButton', words)
    const { type, body } = encodePayload('interactive', {
      type: 'block_actions',
      team: { id: team, domain: 'home' },
      api_app_id: 'A0BELLHOP',
      token: 'legacy',
      user: { id: 'U0FINANCE', username: 'fay', name: 'fay', team_id: team },
      trigger_id: randomUUID(),
      response_url: responseUrl,
      channel: { id: channel, name: 'general' },
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
      actions: [
        { type: 'button', action_id: actionId, block_id: blockId, action_ts: String(Date.now() / 1000) },
      ],
    })
    const headers = { 'content-type': type, ...signRequest(signingSecret, body, Date.now()) }
    return async () => {
      const answer = await patiently(() => fetch(`${base}/slack/events`, { method: 'POST', headers, body }))
      if (!answer.ok) throw new Error(`a press was refused: ${answer.status} ${await answer.text()}`)
    }
  }

  let number = 0
  /** One round; what is not decided and not frozen at its end is an error. */
  return async (): Promise<Waited[]> => {
    const round = ++number
    const waited: Waited[] = []
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const [started, before] = [performance.now(), workedMs()]
      await work()
      waited.push({ what, ms: performance.now() - started, worked: workedMs() - before })
    }
    const description = `round ${round}.`
    const payment = await site('payment', round)
    await timed('ask', () =>
      say('p-asks2', `refund ${payment} 20 --customer cus_1001 --description "${description}"`),
    )
    const [change] = await waiting()
    if (change === undefined) throw new Error('the request of somebody else is not there')
    // The list names it; a decision by its id is for what somebody has read of it.
    await say('p-decides', `approval get ${change.id}`)
    if (round % 2 === 0) await timed('approve', await approval(payment))
    else await timed('reject', () => say('p-decides', `approval reject ${change.id} --reason "not now"`))
    await timed('freeze', () => say('p-decides2', 'freeze email --reason "wrong template"'))
    await timed('unfreeze', () => say('p-decides2', 'unfreeze email'))
    const left = await waiting()
    if (left.length > 0) throw new Error(`something was not decided, or not done: ${left[0]?.title}`)
    return waited
  }
}

export const signIn = async (base: string, link: string): Promise<string> => {
  const answer = await patiently(() =>
    fetch(`${base}/console/sign-in`, {
      method: 'POST',
      headers: { origin: base, 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    }),
  )
  const [pair = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  if (!answer.ok || pair === '') throw new Error(`nobody was signed in: ${answer.status}`)
  return pair
}

/** A connection that was cut is opened again, and the same thing sent, as a page and Slack do; that time counts too. */
const patiently = async (send: () => Promise<Response>): Promise<Response> => {
  for (let tries = 0; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (tries === 5) throw error
      await sleep(20)
    }
  }
}
