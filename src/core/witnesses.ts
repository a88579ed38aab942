import { createAuthorityWitness } from '../audit/witness/authority.ts'
import { createFolderWitness } from '../audit/witness/folder.ts'
import { notesIn, type Witness, WitnessError } from '../audit/witness/witness.ts'
import type { Status } from '../command/context.ts'
import { MessengerError } from '../messenger/messenger.ts'
import type { Checkpoint } from '../model/checkpoint.ts'
import type { AnchorRule } from '../policy/policy.ts'
import type { Store } from '../storage/store.ts'
import { plural } from '../view/button-labels.ts'
import { code, text, type View } from '../view/view.ts'
import type { Core } from './core.ts'

/** Everybody outside who is to keep checkpoints, as the policy says now. */
export const witnessesOf = ({ policy, messengers }: Pick<Core, 'policy' | 'messengers'>): Witness[] => {
  const { anchor } = policy
  if (anchor === null) return []
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

/** How every witness is doing: what it has, and since when it is away or behind. */
export const witnessStates = async (
  { anchors, auditTree }: Pick<Store, 'anchors' | 'auditTree'>,
  anchor: AnchorRule | null,
  now: number,
): Promise<Status['witnesses']> => {
  if (anchor === null) return []
  const [latest, gaps, checkpoint] = await Promise.all([
    anchors.latest(),
    anchors.gaps(),
    auditTree.checkpoint(),
  ])
  return witnessNames(anchor).map((name) => {
    const last = latest.find(({ witness }) => witness === name)
    const gap = gaps.find(({ witness }) => witness === name)
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
