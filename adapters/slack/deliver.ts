import { setTimeout as wait } from 'node:timers/promises'
import { MessengerError } from '../../src/approvals/messenger.ts'
import { missingRefusal } from '../../src/command/parse.ts'
import type { Form, Reply } from '../../src/pipeline/inbound.ts'
import { personOf } from '../../src/policy/people.ts'
import { refusalView } from '../../src/view/refusals.ts'
import { note, type View } from '../../src/view/view.ts'
import { type Asked, handleOf } from './asked.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { handOver } from './file.ts'
import { formModal } from './form.ts'
import { firstThatTakes, postMessage, postPrivate, respond, updateMessage } from './post.ts'
import { reasonModal } from './reason.ts'
import { type Sign, takeSign } from './working.ts'

/** Brings the core's reply to the person who asked. Cards are posted by the core's own worker. */
export const deliver = async (desk: Desk, asked: Asked, reply: Reply, sign?: Sign): Promise<void> => {
  const back = { channel: asked.channel, handle: handleOf(asked) }
  switch (reply.kind) {
    case 'repeated':
      return clear(desk, asked, sign)
    case 'answer':
      await tell(desk, asked, reply.view, sign)
      if (reply.file !== undefined) await handOver(desk, asked.account, reply.file)
      return
    case 'refused':
      return tell(desk, { ...asked, replaces: undefined }, reply.view, sign)
    case 'share':
      return share(desk, asked, reply.view)
    case 'form':
      await openOr(desk, asked, formModal(reply.form, back), usageView(desk, reply.form))
      return clear(desk, asked, sign)
    case 'reason': {
      const view = refusalView({
        code: 'needs_reason',
        message: reply.title,
        next: 'Slack gave no time to ask for the reason. Press the button again.',
      })
      return openOr(desk, asked, reasonModal(reply, back), view)
    }
    case 'change': {
      desk.home.touch()
      const { origin, requirement } = reply.change
      if (origin.handle !== back.handle) {
        // A decision by line has its card elsewhere; whoever decided should see what came of it.
        if (!asked.isPress) await tell(desk, asked, { ...reply.view, actions: [] }, sign)
        return
      }
      // A confirm card takes the place of the sign by itself.
      if (requirement.kind !== 'confirm' || sign !== 'line') await clear(desk, asked, sign)
    }
  }
}

/** For the asker's eyes only: by the way they came, or the next best one. */
export const tell = async (
  desk: Desk,
  { line, channel, account, thread, replaces }: Asked,
  view: View,
  sign: Sign,
): Promise<void> => {
  const isDirect = channel?.startsWith('D') ?? false
  const isSigned = sign === 'line' && line !== undefined && (await takeSign(desk, line))
  const signed = sign === 'line' ? undefined : sign
  const pressed = channel !== null && replaces?.ts !== undefined ? { channel, ts: replaces.ts } : undefined
  const shown = signed ?? pressed
  const ways: (() => Promise<unknown>)[] = [
    ...(shown === undefined ? [] : [() => updateMessage(desk, shown, view)]),
    ...(line !== undefined && desk.responder.isAlive(line)
      ? [() => respond(desk, line, view, { isPrivate: true, replaces: replaces !== undefined || isSigned })]
      : []),
    ...(channel === null
      ? []
      : isDirect
        ? [() => postMessage(desk, channel, view, thread)]
        : [() => postPrivate(desk, { channel, user: account, thread }, view)]),
    () => postMessage(desk, account, view),
  ]
  await patiently(() => firstThatTakes(ways))
}

/** To everybody in the channel, without the buttons, which were the asker's own. */
const share = async (desk: Desk, asked: Asked, view: View): Promise<void> => {
  const { channel, line, thread } = asked
  const { name } = personOf(desk.app.world.policy, { ...asked, platform: 'slack', groups: [] })
  const by = `Shared by ${name}`
  const shown = { ...view, actions: [], footer: view.footer === undefined ? by : `${view.footer} · ${by}` }
  const ways: (() => Promise<unknown>)[] = [
    ...(channel === null ? [] : [() => postMessage(desk, channel, shown, thread)]),
    ...(line === undefined ? [] : [() => respond(desk, line, shown, { isPrivate: false, replaces: false })]),
  ]
  try {
    await patiently(() => firstThatTakes(ways))
  } catch (error) {
    if (!(error instanceof MessengerError) || error.kind !== 'gone') throw error
    const sorry: View = {
      title: 'This could not be shared here.',
      tone: 'warn',
      blocks: [note('plain', 'Invite the bot to the channel, then press Share again.')],
    }
    await tell(desk, asked, sorry, undefined)
  }
}

/** A modal opens within three seconds of the press or not at all; then the same is said in a message. */
const openOr = async (
  desk: Desk,
  asked: Asked,
  view: Parameters<Desk['web']['views']['open']>[0]['view'],
  instead: View,
): Promise<void> => {
  try {
    if (asked.trigger === undefined) throw new Error('there is no trigger')
    await desk.web.views.open({ trigger_id: asked.trigger, view })
  } catch (error) {
    desk.log.warn(faultOf(error), 'a modal could not be opened')
    await tell(desk, asked, instead, undefined)
  }
}

const usageView = ({ app }: Desk, form: Form): View => {
  const command = app.world.registry.get(form.command)
  if (command === undefined) return { title: form.title, tone: 'plain', blocks: [] }
  const missing = form.fields.filter(({ name, required }) => required && form.values[name] === undefined)
  return refusalView(missingRefusal({ command, missing, input: {}, given: form.values }))
}

const clear = async (desk: Desk, { line }: Asked, sign: Sign): Promise<void> => {
  try {
    if (sign === 'line' && line !== undefined && (await takeSign(desk, line))) {
      await desk.responder.send(line, { delete_original: true })
    } else if (sign !== undefined && sign !== 'line') await desk.web.chat.delete(sign)
  } catch (error) {
    desk.log.debug(faultOf(error), 'a sign of work could not be taken away')
  }
}

/** An answer is worth a few tries while Slack stumbles; what must not be lost is the worker's. */
const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLater = error instanceof MessengerError && error.kind === 'later'
      if (!isLater || attempt === 4) throw error
      await wait(Math.min(error.retryAfterMs ?? 250 * 2 ** attempt, 10_000))
    }
  }
}
