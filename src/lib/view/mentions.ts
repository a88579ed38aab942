import { plural } from './button-labels.ts'
import { cutName } from './cut.ts'
import type { Mention, View } from './view.ts'
import { visibleLine } from './visible.ts'

/** More than these are counted: a card is not a list of everybody. */
const most = 10
const longestName = 60

/** One part of the line that says whose turn it is: somebody to notify on this platform, or words. */
export type MentionPart = { kind: 'person' | 'group'; id: string } | { kind: 'words'; text: string }

/** Whose turn it is, for one messenger. Whoever has no account there is named, and a group of another one is left out. */
export const mentionLineOf = ({ mentions = [] }: Pick<View, 'mentions'>, platform: string): MentionPart[] => {
  const known = mentions.filter(({ isGroup, accounts }) => !isGroup || Object.hasOwn(accounts, platform))
  if (known.length === 0) return []
  const parts = known
    .slice(0, most)
    .flatMap((mention, at): MentionPart[] => [...(at === 0 ? [] : [words(', ')]), partOf(mention, platform)])
  const left = known.length - most
  return [words('Your turn: '), ...parts, ...(left > 0 ? [words(` and ${plural(left, 'other')}`)] : [])]
}

/** The same where nobody can be notified. */
export const mentionText = ({ mentions = [] }: Pick<View, 'mentions'>): string => {
  if (mentions.length === 0) return ''
  const named = mentions.map(({ name, isGroup }) => (isGroup ? `everybody in ${name}` : name))
  const shown = [...new Set(named)].map((name) => cutName(visibleLine(name), longestName))
  const left = shown.length - most
  return `Your turn: ${shown.slice(0, most).join(', ')}${left > 0 ? ` and ${plural(left, 'other')}` : ''}`
}

const partOf = ({ name, accounts, isGroup }: Mention, platform: string): MentionPart => {
  const id = Object.hasOwn(accounts, platform) ? accounts[platform] : undefined
  // An id of letters and digits cannot be read as anything else.
  return id !== undefined && /^[A-Za-z0-9]+$/.test(id)
    ? { kind: isGroup ? 'group' : 'person', id }
    : words(cutName(visibleLine(name), longestName))
}

const words = (text: string): MentionPart => ({ kind: 'words', text })
