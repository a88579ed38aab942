import type { webApi } from '@slack/bolt'
import type { App } from '../../src/app.ts'
import type { Log } from '../../src/pipeline/world.ts'
import type { Groups } from './groups.ts'
import type { Identity } from './identity.ts'
import type { Intake } from './intake.ts'
import type { Line, Responder } from './respond.ts'

/** What every part of the adapter works with. */
export type Desk = {
  app: App
  web: webApi.WebClient
  log: Log
  responder: Responder
  /** Signs of work going on, by response_url: the next message there replaces one, once it stands. */
  signs: Map<string, Promise<boolean>>
  /** The newest way to a card that only a response_url reaches, by the card's key. */
  fresh: Map<string, Line>
  identity: Identity
  groups: Groups
  intake: Intake
  home: Home
}

/** Home tabs: drawn when they are opened, and again when changes move, for those who looked lately. */
export type Home = {
  opened(viewer: Viewer): Promise<void>
  touch(): void
  stop(): void
}

export type Viewer = { account: string; name: string; team: string | undefined }
