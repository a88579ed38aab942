import { expect, it } from 'vitest'
import { crashCases } from '../../prove/crash/cases.ts'
import { lineBy } from '../../prove/crash/child-bot.ts'
import { outsidePacks } from '../../prove/crash/packs.ts'
import { provePolicy } from '../../prove/policy.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { openTestApp, textOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'

const cases = crashCases(commandsWith(outsidePacks))

// The suite kills a few of them; the rest would be found missing only by the whole proof.
it.each(cases)(
  '$command: the proof of crashes finds something to change, and somebody to decide',
  async ({ line, before }) => {
    const { app, store } = await openTestApp({
      policy: provePolicy,
      reads: () => provePolicy,
      packs: outsidePacks,
      started: false,
    })
    app.join(createFakeMessenger('slack'))
    await before?.(store)
    const reply = await app.handle(lineBy('U0SUPPORT', line))
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    expect(reply.change.state).toBe('pending')
  },
)
