import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { openRefusingDiscord, openRefusingSlack } from './refusing-places.ts'

const payments = ['pay_1001', 'pay_1003', 'pay_1004', 'pay_1006', 'pay_1007']

describe.each([
  ['slack', openRefusingSlack],
  ['discord', openRefusingDiscord],
] as const)('an approvals channel of %s that refuses cards', async (platform, open) => {
  const messenger = await open()
  const { store, app, counted, approvals, reads, asks, presses } = messenger
  const entries = async () =>
    (await store.audit.find({ limit: 200 })).filter(({ kind }) => kind === 'undelivered')
  const notices = () =>
    reads('finn').split(`The approvals channel ${approvals} does not take cards`).length - 1
  /** The time has come to try the channel again. */
  const tryAgain = async () => {
    const doc = { platform, channel: approvals, since: 0 }
    await store.tasks.put({
      kind: 'closed_channel',
      key: `closed_channel:${platform}:${approvals}`,
      doc,
      dueAt: 0,
    })
    app.core.wake()
  }

  it.each(Object.keys(messenger.close).map((code, at) => [code, payments[at] as string] as const))(
    '(%s): the requester and an administrator read why, those who may approve have it in person, and it is posted when the channel is back',
    async (code, payment) => {
      const before = { notices: notices(), entries: (await entries()).length }
      const reopen = messenger.close[code]?.()
      await asks(`refund ${payment} 60`)
      await until(() => {
        expect(reads('sam')).toContain(code)
        expect(reads('sam')).toContain('Fay Finance, Finn Finance have it in person')
      })
      for (const who of ['fay', 'finn'] as const) await until(() => expect(reads(who)).toContain(payment))
      await until(() => expect(notices()).toBe(before.notices + 1))
      expect(counted).toContainEqual({ kind: 'refused_message', platform, message: 'card', reason: code })
      expect((await entries()).length).toBeGreaterThan(before.entries)

      // A second request tells administrators nothing that they do not know.
      await asks(`refund ${payment} 61`)
      await until(() => expect(reads('fay')).toContain('61'))
      await tryAgain()
      await app.drain()
      expect(notices()).toBe(before.notices + 1)
      expect(reads('approvals')).not.toContain(payment)

      reopen?.()
      await tryAgain()
      await until(() => expect(reads('approvals').split(`payment ${payment}`).length - 1).toBe(2))
      await until(() => expect(reads('sam')).not.toContain(code))

      await presses('fay', payment, 'Approve')
      await until(() => expect(reads('approvals')).toContain(`payment ${payment}`))
      await until(() => expect(reads('fay')).toContain(`payment ${payment}`))
    },
  )

  it('says that nobody has seen a request when those who may approve take no messages either', async () => {
    const reopen = [
      messenger.close[Object.keys(messenger.close)[0] as string]?.(),
      messenger.shut('fay'),
      messenger.shut('finn'),
    ]
    await asks('refund pay_1001 77')
    await until(() => {
      expect(reads('sam')).toContain('Fay Finance, Finn Finance could not be reached in person')
      expect(reads('sam')).toContain('Nobody who may decide about it has it in person')
    })
    for (const undo of reopen) undo?.()
    await tryAgain()
    await until(() => expect(reads('approvals')).toContain('77'))
    await until(() => expect(reads('sam')).not.toContain('could not be reached'))
  })
})
