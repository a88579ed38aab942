import type { APIButtonComponent, APIContainerComponent } from 'discord.js'
import { plural, verbs } from '../../../src/lib/view/button-labels.ts'
import { cutWords } from '../../../src/lib/view/cut.ts'
import { drawable } from '../../../src/lib/view/drawable.ts'
import { formatNumber } from '../../../src/lib/view/format-number.ts'
import { mentionLineOf } from '../../../src/lib/view/mentions.ts'
import type { Action, Block, Tone, View } from '../../../src/lib/view/view.ts'
import type { Words } from '../../../src/lib/view/words.ts'
import { componentType, messageFlag } from '../protocol/codes.ts'
import { buttonId } from '../protocol/custom-id.ts'
import { discordLimits } from '../protocol/limits.ts'
import { escapeMarkdown, escapeOneLineWithin, isBlank, markdownOf, startOf } from './escape.ts'
import { fitSection, textBudgetsOf, wholeSection } from './fit.ts'
import { marksRows } from './marks.ts'
import { menuRows } from './menu.ts'
import { type Chart, requestSections, type Section, sectionOf } from './section.ts'

/** A message as Discord takes it. Only those whom the bot itself mentions are notified, whatever a view says. */
export type DiscordMessageBody = {
  flags: number
  allowed_mentions: { parse: []; users?: string[]; roles?: string[] }
  components: APIContainerComponent[]
  attachments: { id: string; filename: string; description?: string }[]
}

/** Buttons other than the view's own, and a file that is sent with it. */
export type MessageExtras = { buttons?: APIButtonComponent[]; file?: { filename: string } | undefined }
export type RenderedMessage = { body: DiscordMessageBody; charts: Chart[]; isWhole: boolean }

/** What Discord is sent for a view, and the charts that must be drawn and sent along in the order of `attachments`. */
export const renderMessage = (
  given: View,
  { buttons = actionButtonsOf(given), file }: MessageExtras = {},
): RenderedMessage => {
  const view = drawable(given)
  const title = `## ${escapeOneLineWithin(isBlank(view.title) ? 'Bellhop' : view.title, discordLimits.title)}`
  const turn = turnOf(view)
  const { essential = 0 } = view
  const details = file === undefined ? actionButtonsOf({ actions: detailsIn(view) })[0] : undefined
  const first = [...longTitle(view), ...sectionsOf(view.blocks.slice(0, essential))]
  const all = [...first, ...sectionsOf(view.blocks.slice(essential))]
  const sections = all.slice(0, discordLimits.sections)
  const footer = footerOf(view, all.length - sections.length, buttons.length)
  const charts = sections.flatMap((section) => (section.kind === 'picture' ? [section.chart] : []))
  const room = discordLimits.message.text - title.length - turn.content.length - footer.length
  const budgets = textBudgetsOf(sections, room, first.length)
  const pictures = picturesOf(charts)
  let drawn = 0
  const isWhole =
    sections.length === all.length &&
    sections.every((section, at) => fitSection(section, budgets[at] ?? 0) === wholeSection(section))
  const parts = sections.map((section, at): APIContainerComponent['components'] => {
    if (section.kind === 'link') return rowsOf([linkButton(section)])
    if (section.kind !== 'picture')
      return [
        { type: componentType.text, content: fitSection(section, budgets[at] as number) },
        ...('actions' in section
          ? rowsOf(actionButtonsOf(section).slice(0, discordLimits.button.perRow))
          : []),
      ]
    const { filename, description } = pictures[drawn++] as Picture
    return [
      { type: componentType.gallery, items: [{ media: { url: `attachment://${filename}` }, description }] },
    ]
  })
  // A line between whose turn it is and what it is about.
  const turns = view.blocks[0]?.kind === 'turn' ? 1 : 0
  const container: APIContainerComponent = {
    type: componentType.container,
    accent_color: colours[view.tone],
    components: [
      headOf(title, details),
      ...(turn.content === '' ? [] : [{ type: componentType.text, content: turn.content } as const]),
      ...parts.slice(0, turns).flat(),
      ...(turns > 0 && turns < parts.length
        ? [{ type: componentType.separator, divider: true } as const]
        : []),
      ...parts.slice(turns).flat(),
      ...(file === undefined
        ? []
        : [{ type: componentType.file, file: { url: `attachment://${file.filename}` } }]),
      ...(footer === '' ? [] : [{ type: componentType.text, content: footer }]),
      ...marksRows(view),
      ...menuRows(view),
      ...rowsOf(buttons),
    ],
  }
  return {
    body: {
      flags: messageFlag.componentsV2,
      allowed_mentions: turn.allowed,
      components: [container],
      attachments: [
        ...pictures,
        ...(file === undefined ? [] : [{ id: String(pictures.length), filename: file.filename }]),
      ],
    },
    charts,
    isWhole,
  }
}

/** A title too long for its line is repeated whole. */
const longTitle = ({ title }: View): Section[] =>
  !isBlank(title) &&
  title.length > discordLimits.title - titleMargin &&
  title.length < discordLimits.value * 2
    ? [{ kind: 'prose', text: title, lead: '', keepsEnd: true }]
    : []
/** What escaping may add. */
const titleMargin = 20

/** Whose turn it is, and exactly these as the ones who may be notified. */
const turnOf = (view: View) => {
  const parts = mentionLineOf(view, 'discord')
  const users = parts.flatMap((part) => (part.kind === 'person' ? part.id : []))
  const roles = parts.flatMap((part) => (part.kind === 'group' ? part.id : []))
  return {
    content: parts
      .map((part) =>
        part.kind === 'words'
          ? escapeMarkdown(part.text)
          : part.kind === 'group'
            ? `<@&${part.id}>`
            : `<@${part.id}>`,
      )
      .join(''),
    allowed: {
      parse: [] as [],
      ...(users.length === 0 ? {} : { users }),
      ...(roles.length === 0 ? {} : { roles }),
    },
  }
}

/** The exact JSON that would be sent. */
export const renderDiscord = (view: View): DiscordMessageBody => renderMessage(view).body

/** The title, with the button beside it that shows more. */
const headOf = (
  title: string,
  details: APIButtonComponent | undefined,
): APIContainerComponent['components'][number] => {
  const words = { type: componentType.text, content: title } as const
  return details === undefined
    ? words
    : { type: componentType.section, components: [words], accessory: details }
}

const opensDetails = ({ verb }: Action): boolean => verb === 'show_all' || verb === 'details'

const detailsIn = ({ actions = [] }: View): Action[] =>
  actions.flatMap(({ isMore, ...action }) => (isMore && opensDetails(action) ? action : []))

/** Discord refuses a message with two buttons of one id. What is behind a menu elsewhere is with the details. */
export const actionButtonsOf = ({ actions = [] }: Pick<View, 'actions'>): APIButtonComponent[] => {
  const shown = actions.filter(({ isMore }) => !isMore)
  const byId = new Map(shown.map((action) => [buttonId(action.verb, action.id), action]))
  return [...byId]
    .filter(([id]) => id.length <= discordLimits.button.customId)
    .map(([, action]) => buttonOf(action))
}

const buttonOf = ({ verb, id, label }: Action): APIButtonComponent => ({
  type: componentType.button,
  style: verbs[verb].does === 'page' ? 1 : styles[verbs[verb].look ?? 'plain'],
  label: label ?? verbs[verb].label,
  custom_id: buttonId(verb, id),
})

const linkButton = ({ label, url }: { label: string; url: string }): APIButtonComponent => ({
  type: componentType.button,
  style: linkStyle,
  label,
  url,
})
const linkStyle = 5

/** Two rows are more than any view has, and leave room for everything else. */
const maxButtons = 2 * discordLimits.button.perRow

const rowsOf = (buttons: APIButtonComponent[]) => {
  const shown = buttons.slice(0, maxButtons)
  return Array.from({ length: Math.ceil(shown.length / discordLimits.button.perRow) }, (_, at) => ({
    type: componentType.row,
    components: shown.slice(at * discordLimits.button.perRow, (at + 1) * discordLimits.button.perRow),
  }))
}

/** Charts beyond those that are drawn are written out. */
const sectionsOf = (blocks: readonly Block[]): Section[] => {
  let charts = 0
  let room: number = discordLimits.requests
  return blocks.flatMap((block) => {
    if (block.kind === 'requests') {
      const sections = requestSections(block.requests, room)
      room = Math.max(0, room - block.requests.length)
      return sections
    }
    const isDrawn = block.kind === 'chart' && charts < discordLimits.charts
    const section = sectionOf(block, isDrawn)
    if (section?.kind === 'picture') charts++
    return section === undefined ? [] : [section]
  })
}

const footerOf = (view: View, sectionsLeft: number, buttons: number): string =>
  [
    ...(sectionsLeft > 0 ? [`-# … ${plural(sectionsLeft, 'more section')} left out`] : []),
    ...(buttons > maxButtons ? [`-# … ${plural(buttons - maxButtons, 'more button')} left out`] : []),
    ...(view.footer === undefined || isBlank(view.footer) ? [] : [`-# ${footerLine(view.footer)}`]),
  ].join('\n')

const footerLine = (words: Words): string =>
  typeof words === 'string'
    ? escapeOneLineWithin(words, discordLimits.footer)
    : markdownOf(cutWords(words, discordLimits.footer))

type Picture = { id: string; filename: string; description: string }

const picturesOf = (charts: Chart[]): Picture[] =>
  charts.map(({ title, series }, at) => ({
    id: String(at),
    filename: `chart-${at + 1}.png`,
    description: altText(title, series),
  }))

/** For those who do not see the picture. */
const altText = (title: string, series: Chart['series']): string => {
  const points = series.flatMap(({ points: all }) =>
    all.map(({ label, value }) => `${label} ${formatNumber(value)}`),
  )
  const words = `${title}: ${points.join(', ')}`
  if (words.length <= discordLimits.altText) return words
  return `${startOf(words, discordLimits.altText - 30)} … ${plural(points.length, 'point')} in all`
}

/** Green, red, and grey for all that is neither. */
const styles = { primary: 3, danger: 4, plain: 2 } as const

const colours: Record<Tone, number> = { plain: 0x5865f2, good: 0x2e9e5b, warn: 0xd99a1c, bad: 0xcf3a3f }
