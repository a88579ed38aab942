import { plural } from '../../../src/lib/view/button-labels.ts'
import { cutMiddle, cutWords, sharesOf } from '../../../src/lib/view/cut.ts'
import { plainWords, type Words } from '../../../src/lib/view/words.ts'
import { escapeMarkdown, markdownOf, startOf, toCodeBlockText } from './escape.ts'
import type { Section } from './section.ts'

/** How much of the room each section may take: first the `essential` ones, then the others have what is left. */
export const textBudgetsOf = (sections: readonly Section[], room: number, essential = 0): number[] => {
  const lengths = sections.map((section) => fitSection(section, room).length)
  const others = lengths.slice(essential)
  // Even a section without room takes a line to say that it is left out.
  const first = sharesOf(lengths.slice(0, essential), others.length === 0 ? room : Math.floor(room * 0.75))
  return [...first, ...sharesOf(others, room - first.reduce((sum, one) => sum + one, 0))]
}

/** The section in at most so many characters, cut visibly and saying how much is missing. */
export const fitSection = (section: Section, room: number): string => {
  switch (section.kind) {
    case 'picture':
    case 'link':
      return ''
    case 'lines':
      return fitLines(section.lines, room, section.unit)
    case 'fence':
      return fitFence(section.lines.map(toCodeBlockText), room, section.unit)
    case 'prose':
      return section.keepsEnd
        ? fitNote(trimmed(section.text), section.lead, room)
        : fitProse(trimmed(section.text), section.lead, room)
  }
}

/** The section as it would be with room for all of it. */
export const wholeSection = (section: Section): string => fitSection(section, Number.POSITIVE_INFINITY)

const leftOut = (count: number, unit: string): string => `-# … ${plural(count, `more ${unit}`)} left out`

const fitLines = (lines: readonly string[], room: number, unit: string): string => {
  const kept = wholeLines(lines, room, leftOut(lines.length, unit).length + 1)
  if (kept === lines.length) return lines.join('\n')
  return [...lines.slice(0, kept), leftOut(lines.length - kept, unit)].join('\n')
}

const fitFence = (lines: readonly string[], room: number, unit: string): string => {
  const frame = '```\n\n```'.length
  const after = leftOut(lines.length, unit).length + 1
  const kept = wholeLines(lines, room - frame, after)
  const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``
  if (kept === lines.length) return fence(lines.join('\n'))
  if (kept > 0) return `${fence(lines.slice(0, kept).join('\n'))}\n${leftOut(lines.length - kept, unit)}`
  const start = startOf(lines[0] ?? '', Math.max(1, room - frame - after - 1))
  return `${fence(`${start}…`)}\n${leftOut(lines.length, unit)}`
}

/** How many lines fit, leaving `reserve` for the word about the others. */
const wholeLines = (lines: readonly string[], room: number, reserve: number): number => {
  let used = -1
  let fitting = 0
  for (const [at, line] of lines.entries()) {
    used += line.length + 1
    if (used > room) return fitting
    if (used + reserve <= room) fitting = at + 1
  }
  return lines.length
}

/** What warns keeps its end, where it says what to do. */
const fitNote = (words: Words, lead: string, room: number): string => {
  const whole = lead + markdownOf(words)
  if (whole.length <= room) return whole
  for (let most = room - lead.length; most > shortestNote; most = Math.floor(most * 0.9)) {
    const cut = lead + markdownOf(cutWords(words, most, cutMiddle))
    if (cut.length <= room) return cut
  }
  return fitProse(words, lead, room)
}
const shortestNote = 60

const trimmed = (words: Words): Words => (typeof words === 'string' ? words.trim() : words)

const fitProse = (said: Words, lead: string, room: number): string => {
  const whole = lead + markdownOf(said)
  if (whole.length <= room) return whole
  const words = plainWords(said)
  const after = ` … (${plural(words.length, 'more character')})`.length
  let length = room
  let kept = ''
  do {
    const start = startOf(words, Math.floor(length * 0.9))
    length = start.length
    kept = escapeMarkdown(start).trimEnd()
  } while (length > 0 && lead.length + kept.length + after > room)
  return `${lead}${kept} … (${plural(words.length - length, 'more character')})`
}
