import type { Core } from '../../kernel/core.ts'
import { MessengerError } from '../../kernel/messenger/messenger.ts'
import { type Checkpoint, notesIn } from '../../kernel/model/checkpoint.ts'
import type { Store } from '../../kernel/store/store.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { code, text, type View } from '../../lib/view/view.ts'
import { createAuthorityWitness } from './authority.ts'
import { createFolderWitness } from './folder.ts'
import { type AnchorRule, anchorOf } from './section.ts'
import { createAnchors } from './store.ts'
import { type Witness, WitnessError } from './witness.ts'

/** Everybody outside who is to keep checkpoints, as the policy says now. */
export const witnessesOf = ({ policy, messengers }: Pick<Core, 'policy' | 'messengers'>): Witness[] => {
  const anchor = anchorOf(policy)
  if (anchor === undefined) return []
  return [
    ...(anchor.folder === undefined ? [] : [createFolderWitness(anchor.folder)]),
    ...Object.entries(anchor.channels).map(([platform, channel]) =>
      channelWitness(messengers, platform, channel),
    ),
    ...(anchor.tsa === undefined ? [] : [createAuthorityWitness(anchor.tsa)]),
  ]
}

const witnessNames = ({ folder, channels, tsa }: AnchorRule): string[] => [
  ...(folder === undefined ? [] : ['folder']),
  ...Object.keys(channels),
  ...(tsa === undefined ? [] : ['tsa']),
]

/** `away` while it does not have what it should. */
type WitnessState = {
  name: string
  latest: { size: number; at: number } | undefined
  away: { since: number; why: string } | undefined
}

/** How every witness is doing: what it has, and since when it is away or behind. */
export const witnessStates = async (
  { of, gaps, auditTree }: Pick<Store, 'of' | 'gaps' | 'auditTree'>,
  anchor: AnchorRule | undefined,
  now: number,
): Promise<WitnessState[]> => {
  if (anchor === undefined) return []
  const [latest, away, checkpoint] = await Promise.all([
    of(createAnchors).latest(),
    gaps.all(),
    auditTree.checkpoint(),
  ])
  return witnessNames(anchor).map((name) => {
    const last = latest.find(({ witness }) => witness === name)
    const gap = away.find((one) => one.name === name)
    const isBehind = checkpoint !== undefined && (last?.size ?? 0) < checkpoint.size
    const since = last?.at ?? checkpoint?.at ?? now
    // One interval is the rule; with two, nothing brings it what it should have.
    const isLate = isBehind && now - since > 2 * anchor.everyMs + lateMs
    return {
      name,
      latest: last === undefined ? undefined : { size: last.size, at: last.at },
      away:
        gap !== undefined
          ? { since: gap.since, why: gap.error }
          : isLate
            ? { since, why: 'nothing was given to it since' }
            : undefined,
    }
  })
}

/** Time for the task to be taken and for the witness to answer. */
const lateMs = 30_000

const channelWitness = (messengers: Core['messengers'], platform: string, channel: string): Witness => {
  const messenger = messengers.get(platform)
  const posted = messenger?.posted
  return {
    name: platform,
    keep: async (checkpoint) => {
      if (messenger === undefined) throw new WitnessError('it is not turned on')
      try {
        return await messenger.post({ channel, handle: null, onlyFor: null }, viewOf(checkpoint))
      } catch (error) {
        throw error instanceof MessengerError ? new WitnessError(wordsFor[error.kind]) : error
      }
    },
    held: async function* () {
      if (messenger === undefined)
        throw new WitnessError('it cannot be read from here, where it is not turned on')
      if (posted === undefined) throw new WitnessError('it cannot be read back')
      try {
        for await (const words of posted(channel)) for (const note of notesIn(words)) yield { note }
      } catch (error) {
        throw error instanceof MessengerError ? new WitnessError(wordsFor[error.kind]) : error
      }
    },
  }
}

const wordsFor: Record<MessengerError['kind'], string> = {
  gone: 'the channel is not there, or the bot may not use it',
  later: 'it does not answer',
  broken: 'it refuses the message',
}

const viewOf = ({ size, note }: Pick<Checkpoint, 'size' | 'note'>): View => ({
  title: 'Checkpoint of the audit log',
  tone: 'plain',
  blocks: [
    text(
      `The log has ${plural(size, 'entry', 'entries')}. Leave this message here: audit verify compares the log with it.`,
    ),
    code(note.trimEnd()),
  ],
})
