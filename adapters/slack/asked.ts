import type { Inbound, Intent, Reply } from '../../src/pipeline/inbound.ts'
import { toHandle } from './address.ts'
import type { Desk } from './desk.ts'
import type { Line } from './respond.ts'

/** Who asks from where, and every way there is to answer them. */
export type Asked = {
  /** Unique to the delivery. */
  delivery: string
  account: string
  name: string
  /** The workspace the person belongs to, if the payload says. */
  team: string | undefined
  channel: string | null
  thread?: string | undefined
  line?: Line | undefined
  trigger?: string | undefined
  /** A button was pressed, so the card that it is about is in sight. */
  isPress?: boolean
  /** The message to edit in place of a new one; without its time only the response_url can. */
  replaces?: { ts: string | undefined } | undefined
}

/** Unique to what was asked, so a change can be told from others asked in the same place. */
export const handleOf = ({ line, thread, delivery }: Asked): string =>
  toHandle({ line, thread, id: delivery })

export const ask = async (
  desk: Desk,
  asked: Asked,
  intent: Intent,
  { forms, stored }: Pick<Inbound, 'forms' | 'stored'>,
): Promise<Reply> => {
  const inbound: Inbound = {
    delivery: asked.delivery,
    from: await fromOf(desk, asked),
    place: {
      channel: asked.channel,
      handle: handleOf(asked),
      direct: asked.channel?.startsWith('D') ?? true,
    },
    forms,
    intent,
    stored,
  }
  return desk.app.handle(inbound)
}

/** Somebody of another workspace is in none of our groups; by their account they may still be listed. */
export const fromOf = async (
  { groups, identity }: Pick<Desk, 'groups' | 'identity'>,
  { account, name, team }: Pick<Asked, 'account' | 'name' | 'team'>,
): Promise<Inbound['from']> => {
  const home = identity.known()?.teamId
  const isGuest = team !== undefined && home !== undefined && team !== home
  return { platform: 'slack', account, name, groups: isGuest ? [] : await groups.of(account) }
}
