import type { App } from '../../../src/app.ts'
import type { Log } from '../../../src/core/core.ts'
import type { FormDrafts } from '../forms/drafts.ts'
import type { DiscordApi } from '../transport/api.ts'

/** What every part of the adapter works with. */
export type DiscordContext = { app: App; api: DiscordApi; drafts: FormDrafts; log: Log; now: () => number }
