import type { View } from '../../lib/view/view.ts'
import type { OutFile } from '../command/define.ts'
import type { Bot } from './bot.ts'
import type { Form } from './form.ts'
import { type Inbound, type Reply, sharedView } from './inbound.ts'
import { discard } from './spool.ts'

type ReplyOf<K extends Reply['kind']> = Extract<Reply, { kind: K }>

/** What a messenger does with each kind of reply. */
export type ReplyRoutes<T> = {
  /** For the actor alone. The file is removed afterwards. */
  answer(view: View, file: OutFile | undefined, isDetails: boolean): Promise<T>
  refused(reply: ReplyOf<'refused'>): Promise<T>
  /** For everybody in the channel; the view says who shared it and has no buttons. */
  share(view: View): Promise<T>
  form(form: Form): Promise<T>
  reason(reply: ReplyOf<'reason'>): Promise<T>
  /** The worker posts the card. `isHere`: it was asked for by the request that is answered now. */
  change(reply: ReplyOf<'change'>, isHere: boolean): Promise<T>
  /** A copy of the delivery was answered, or is about to be. */
  repeated(): Promise<T>
}

/** Brings the core's reply to the route for its kind. */
export const routeReply = async <T>(
  { readsOf }: Pick<Bot, 'readsOf'>,
  { from, place }: Pick<Inbound, 'from' | 'place'>,
  reply: Reply,
  routes: ReplyRoutes<T>,
): Promise<T> => {
  switch (reply.kind) {
    case 'answer':
      try {
        return await routes.answer(reply.view, reply.file, reply.isDetails === true)
      } finally {
        if (reply.file !== undefined) await discard(reply.file)
      }
    case 'refused':
      return routes.refused(reply)
    case 'share':
      return routes.share(sharedView(reply.view, readsOf(from).actor.name))
    case 'form':
      return routes.form(reply.form)
    case 'reason':
      return routes.reason(reply)
    case 'change':
      return routes.change(reply, !reply.isDecided && reply.change.origin.handle === place.handle)
    case 'repeated':
      return routes.repeated()
  }
}
