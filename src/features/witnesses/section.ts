import type { z } from 'zod'
import type { PlatformKeys } from '../../kernel/messenger/definition.ts'
import { type PolicySection, ruleOf } from '../../kernel/policy/file/sections.ts'
import { byPlatform, duration, keys, text, webAddress } from '../../kernel/policy/file/values.ts'
import type { ByPlatform, Policy } from '../../kernel/policy/policy.ts'
import { defined } from '../../lib/defined.ts'

export type AnchorRule = {
  readonly everyMs: number
  /** A channel of each messenger. */
  readonly channels: ByPlatform<string>
  readonly folder?: string
  /** The address of a time-stamp authority. */
  readonly tsa?: string
}

const authority = webAddress('an address such as https://freetsa.org/tsr, without a user or password')

/** Each witness is optional, but one there must be. */
const anchorSchema = (platforms: readonly PlatformKeys[]): z.ZodType<AnchorRule> => {
  const channels = byPlatform(platforms, ({ channel }) => channel?.exactOptional())
  const witnesses = ['folder', 'tsa', ...Object.keys(channels)]
  return keys({
    every: duration.default(3_600_000),
    folder: text.exactOptional(),
    tsa: authority.exactOptional(),
    ...(channels as object),
  })
    .refine(
      (anchor) => witnesses.some((witness) => Object.hasOwn(anchor, witness)),
      `at least one witness: ${witnesses.join(', ')}`,
    )
    .transform(({ every, folder, tsa, ...named }) => ({
      ...{ everyMs: every, channels: named as Record<string, string> },
      ...defined({ folder, tsa }),
    }))
}

/** `anchor` of bellhop.yml. */
export const anchorSection: PolicySection<AnchorRule | undefined> = {
  key: 'anchor',
  schema: (platforms) => anchorSchema(platforms).optional(),
  words: {
    anchor: 'Witnesses outside who keep checkpoints of the audit log.',
    'anchor.every': 'How often they are given the newest one.',
    'anchor.folder': 'A folder for one file each; it may be on another machine.',
    'anchor.tsa': 'The address of a time-stamp authority (RFC 3161).',
  },
}

/** Undefined where nobody keeps checkpoints. */
export const anchorOf = (policy: Partial<Policy>): AnchorRule | undefined => ruleOf(policy, anchorSection)
