import { z } from 'zod'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import { longAgo, msBetween } from '../../../src/lib/clock.ts'
import { sealText, unsealText } from './sealing.ts'

/** A workspace or an organization that the app was installed in. */
const installed = z.object({
  /** `T…`, or `E…` for all workspaces of an organization. */
  id: z.string(),
  name: z.string().optional(),
  token: z.string(),
  botUserId: z.string().optional(),
})
export type Installed = z.infer<typeof installed>

/** What the app was given where it was installed; in memory, so that no delivery waits for the database. */
export type InstalledTokens = {
  of(id: string): Installed | undefined
  all(): Installed[]
  /** Reads them again, if that was not done a moment ago: another replica may have taken one in. */
  refresh(): Promise<void>
  keep(one: Installed): Promise<void>
  remove(id: string): Promise<void>
}

/** What is there when the bot starts must open with the key: with a wrong one, nothing would work and nobody would know why. */
class InstallKeyError extends Error {
  override name = 'InstallKeyError'
}

const refreshAfterMs = 5_000

export const openInstalledTokens = async (
  { installations, ticks }: Pick<Bot, 'installations' | 'ticks'>,
  { clientId, key }: { clientId: string; key: Buffer },
): Promise<InstalledTokens> => {
  const aboutOf = (id: string): string => `bellhop slack ${clientId} ${id}`
  let known = new Map<string, Installed>()
  let readAt = longAgo
  let reading: Promise<void> | undefined
  let writes = 0
  const read = async (): Promise<void> => {
    const before = writes
    const rows = await installations.all('slack')
    // What was kept or removed meanwhile may be missing here, or still be here.
    if (writes !== before) return read()
    known = new Map(
      rows.map(({ id, sealed }) => {
        const text = unsealText(key, aboutOf(id), sealed)
        if (text === undefined) {
          throw new InstallKeyError(
            `The token of the Slack workspace ${id} does not open with INSTALL_KEY. Start with the key that it was stored with; if that is lost, remove its row from the table installations and install the app there again.`,
          )
        }
        return [id, installed.parse(JSON.parse(text))]
      }),
    )
    readAt = ticks()
  }
  await read()
  return {
    of: (id) => known.get(id),
    all: () => [...known.values()],
    refresh: async () => {
      if (msBetween(readAt, ticks()) < refreshAfterMs) return
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    },
    keep: async (one) => {
      await installations.put('slack', {
        id: one.id,
        sealed: sealText(key, aboutOf(one.id), JSON.stringify(one)),
      })
      writes += 1
      known.set(one.id, one)
    },
    remove: async (id) => {
      // Nothing more is sent with it.
      known.delete(id)
      await installations.remove('slack', id)
      writes += 1
      known.delete(id)
    },
  }
}
