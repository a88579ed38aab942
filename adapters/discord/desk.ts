import type { App } from '../../src/app.ts'
import type { Log } from '../../src/pipeline/world.ts'
import type { Api } from './api.ts'
import type { Drafts } from './drafts.ts'

/** What every part of the adapter works with. */
export type Desk = { app: App; api: Api; drafts: Drafts; log: Log; now: () => number }
