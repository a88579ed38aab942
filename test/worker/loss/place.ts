import type { Change } from '../../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../../src/kernel/model/shown.ts'
import { lossIn } from '../../../src/kernel/model/store-loss.ts'
import { textOf } from '../../discord/fake/person.ts'
import { allComponents } from '../../discord/fake/rules.ts'
import { channels as rooms } from '../../discord/harness.ts'
import { fromOf } from '../../harness/app.ts'
import { keptFolder } from '../../harness/kept-folder.ts'
import { approvalsPlaces, peopleOf } from '../../harness/team-policy.ts'
import { openBoth } from '../../messenger/both-harness.ts'
import { changeOf } from '../../pipeline/harness.ts'
import { textOfMessage } from '../../slack/fake/reading.ts'
import { channels } from '../../slack/harness.ts'

export const policyWith = (approvals: number, more = '') => `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance', finn: 'finance' })}
administrators: [finn]
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
${approvalsPlaces}
policies:
  - { name: refunds, commands: [refund], require: { approvals: ${approvals}, from: [finance] } }
  - { name: own, commands: [unfreeze], require: none }
links: { customer: billing_id, customersWrite: [] }
unseen: pass
${more}`

type Both = Awaited<ReturnType<typeof openBoth>>

/** A folder with the embedded database, and the processes that run on it, one after the other, with both messengers. */
export const openPlace = (policy: string) => {
  const { folder, open, ...copies } = keptFolder()
  let first: Both | undefined
  const start = async () => {
    const kept = await open()
    const both = await openBoth({
      policy,
      ...kept,
      like: first,
      front: async (own) => (first?.sandbox ?? own).services,
    })
    first ??= both
    const stop = async () => {
      await both.app.drain()
      await both.leave()
      await both.app.stop(1_000)
      await kept.database.close()
    }
    const { app, store, handle } = both
    const say = (line: string, person: string) =>
      handle({ from: fromOf(person), intent: { kind: 'line', line } })
    return {
      ...both,
      say,
      stop,
      ask: async (line: string): Promise<Change> => {
        const change = changeOf(await say(line, 'sam'))
        await app.drain()
        return change
      },
      loss: async () => lossIn(await store.freezes.all()),
      losses: async () =>
        (await store.audit.find({ limit: 200 })).filter(({ kind }) => kind === 'store lost').length,
    }
  }
  return {
    folder,
    start,
    refunds: () => first?.sandbox.wire.filter(({ row }) => row === 'refundPayment').length ?? 0,
    ...copies,
  }
}

/** What people do and read, whichever messenger it is. */
export const messengers = {
  Slack: {
    card: ({ slackFake }: Both, change: Change) =>
      slackFake.state.messages.findLast(
        ({ channel, blocks }) =>
          channel === channels.approvals && JSON.stringify(blocks).includes(buttonIdOf(change)),
      ),
    approve: async (both: Both, change: Change) => {
      const on = messengers.Slack.card(both, change)
      if (on === undefined) throw new Error('there is no card')
      await both.inSlack.fay.clicks('Approve', { on })
      return () => textOfMessage(on)
    },
    types: (both: Both, line: string) => both.inSlack.sam.types(`/${line}`, channels.general),
    reads: ({ slackFake }: Both) => slackFake.state.messages.map(textOfMessage).join('\n'),
  },
  Discord: {
    card: ({ discordFake }: Both, change: Change) =>
      [...discordFake.state.messages.values()].findLast(
        ({ channel, body }) =>
          channel === rooms.approvals &&
          allComponents(body.components).some(({ custom_id }) =>
            String(custom_id ?? '').includes(buttonIdOf(change)),
          ),
      ),
    approve: async (both: Both, change: Change) => {
      const on = messengers.Discord.card(both, change)
      if (on === undefined) throw new Error('there is no card')
      await both.inDiscord.fay.press(on, 'Approve')
      return () => textOf(both.discordFake.state.messages.get(on.id) ?? on)
    },
    types: (both: Both, line: string) => {
      const [, payment = '', amount] = line.split(' ')
      return both.inDiscord.sam.slash(rooms.general, 'refund', {
        'payment-id': payment,
        amount: Number(amount),
      })
    },
    reads: ({ discordFake }: Both) => [...discordFake.state.messages.values()].map(textOf).join('\n'),
  },
}

export const isLost = /The database lost what was stored since/
