import { describe, expect, test } from 'vitest'
import type { Reply } from '../../src/messenger/inbound.ts'
import { allRows } from '../../src/services/endpoints/tables.ts'
import { money } from '../../src/view/format.ts'
import { textOfView } from '../../src/view/text.ts'
import { mostAtOnce } from '../../src/view/view.ts'
import { openTestApp } from '../harness/app.ts'
import { messengerPolicy } from '../messenger/messenger-harness.ts'

/** What needs a file, or what was said before. */
const isRepeatable = (line: string) =>
  !/--file |^bellhop console|^unfreeze |^policy |^approval |^job |^away |^schedule |^webhook resend/.test(
    line,
  )

const bot = await openTestApp({ policy: messengerPolicy, tasks: false })
const lines = bot.registry.all.flatMap(({ name, examples }) =>
  examples.filter(isRepeatable).map((line) => [line, name] as const),
)
/** Names of parameters that are no words of English. */
const paramNames = [
  ...new Set(bot.registry.all.flatMap(({ params }) => params.map(({ flag }) => flag))),
].filter((flag) => flag.includes('-'))
/** These show lines and names because that is what was asked for. */
const isAboutLines = (name: string) => /^(bellhop |help|policy |audit |api )/.test(name)

const shown = async (line: string): Promise<Extract<Reply, { kind: 'answer' | 'change' }>> => {
  bot.sandbox.reset()
  const reply = await bot.say(line, 'fay')
  if (reply.kind !== 'answer' && reply.kind !== 'change') throw new Error(`${line}: ${reply.kind}`)
  return reply
}

/** What stands at first sight: a title, at most four facts to compare and three statements, and no name that only programs use. */
describe('at first sight', () => {
  test.each(lines)('%s', async (line, name) => {
    const { view } = await shown(line)
    expect(view.title.trim()).not.toBe('')
    expect(view.title.length).toBeLessThanOrEqual(150)
    const lead = view.blocks.flatMap((block) => (block.kind === 'facts' && block.isLead ? block.facts : []))
    expect(lead.length).toBeLessThanOrEqual(mostAtOnce.facts)
    const statements = view.blocks.filter((block) => block.kind === 'note' && block.tone !== 'plain')
    expect(statements.length).toBeLessThanOrEqual(mostAtOnce.statements)
    if (isAboutLines(name)) return
    const words = textOfView(view)
    for (const { id } of allRows()) expect(words).not.toContain(id)
    for (const flag of paramNames)
      expect(words).not.toMatch(new RegExp(`(?:^|[^\\w-])(?:--)?${flag}(?:[^\\w-]|$)`))
    expect(words).not.toMatch(/guess|our reading|document(?:s|ed)\b/i)
  })
})

describe('the title of a card', () => {
  const changes = lines.filter(([, name]) => bot.registry.get(name)?.kind === 'change')

  test.each(changes)('%s', async (line) => {
    const reply = await shown(line)
    if (reply.kind !== 'change') throw new Error(reply.kind)
    const { change, view } = reply
    if (change.amount !== null) expect(view.title).toContain(money(change.amount, { code: change.currency }))
    if (change.recipient !== undefined) {
      expect(view.title).toContain(change.recipient)
      expect(view.title).not.toMatch(/\b(?:pay|cus|sub)_\d+/)
    }
    expect(view.blocks[0]).toMatchObject({ kind: 'turn', by: 'Asked by Fay Finance' })
    expect(view.actions?.filter(({ isMore }) => isMore).map(({ verb }) => verb)).toContain('show_all')
  })
})
