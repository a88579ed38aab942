import { describe, expect, test } from 'vitest'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { detailsOf, leadFacts } from '../../src/kernel/cards/card-head.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { allRows } from '../../src/lib/services/endpoints/tables.ts'
import { money } from '../../src/lib/view/format.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { type Block, leadColumns, maxAtOnce, type View } from '../../src/lib/view/view.ts'
import { partsOf, type Words } from '../../src/lib/view/words.ts'
import { allComponents } from '../discord/fake/rules.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { messengerPolicy } from '../messenger/messenger-harness.ts'
import type { FakeBlock } from '../slack/fake/blocks.ts'
import { textOfBlocks } from '../slack/fake/reading.ts'

const bot = await openTestApp({ policy: messengerPolicy, tasks: false })
const waiting = await bot.say('refund pay_1004 240 --customer cus_1002', 'sam')
if (waiting.kind !== 'change') throw new Error(waiting.kind)
const known = waiting.change.id

/** Every example of every command. An id that stands for any change is that of one that waits, and a file is attached where one is read. */
const lines = bot.registry.all.flatMap(({ name, examples }) =>
  examples.map((line) => [line.replaceAll('7k2m9qwx4p', known), name] as const),
)
const file = {
  name: 'people.csv',
  bytes: new TextEncoder().encode('email,company\nada@example.com,Northwind\nben@example.com,Harbour\n'),
}

/** Names of parameters that are no words of English. */
const paramNames = [
  ...new Set(bot.registry.all.flatMap(({ params }) => params.map(({ flag }) => flag))),
].filter((flag) => flag.includes('-'))

const said = async (line: string): Promise<Reply> => {
  bot.sandbox.reset()
  const [words = '', attached] = line.split(/ --file \S+/)
  return bot.handle({
    from: fromOf('fay'),
    forms: true,
    intent: { kind: 'line', line: words, ...(attached === undefined ? {} : { file }) },
  })
}

const shown = async (line: string): Promise<View | undefined> => {
  const reply = await said(line)
  return 'view' in reply ? reply.view : undefined
}

/** How many facts of a request say what is decided: its subject and its target among them. */
const decidedBy = async (line: string): Promise<number> => {
  const reply = await said(line)
  if (reply.kind !== 'change') return 0
  const facts = reply.change.preview.blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : []))
  return facts.filter(({ role = 'detail' }) => role !== 'detail').length
}

/** The change as it would be asked for if its command called its facts otherwise. */
const relabelled = (change: Change): Change => ({
  ...change,
  preview: {
    ...change.preview,
    blocks: change.preview.blocks.map((block, at) =>
      block.kind === 'facts'
        ? { ...block, facts: block.facts.map((fact, place) => ({ ...fact, label: `Label ${at} ${place}` })) }
        : block,
    ),
  },
})

const wordsAt = (view: View): string =>
  textOfView({ ...view, blocks: view.blocks.filter(({ kind }) => kind !== 'code') })
const isStatement = (block: Block) => block.kind === 'note' && block.tone !== 'plain'

/** Decisions about what is over, what waits for nothing, and proposals where there is no file are refused; everything else is answered. */
const maxRefused = 29

test('nearly all of them are answered', async () => {
  let refused = 0
  for (const [line] of lines) if ((await said(line)).kind === 'refused') refused++
  expect(refused).toBeLessThan(maxRefused)
})

test('what a command calls its facts chooses none of them for the card', async () => {
  let changes = 0
  for (const [line] of lines) {
    const reply = await said(line)
    if (reply.kind !== 'change') continue
    const chosen = (change: Change) => leadFacts(change, change.preview.title).map(({ value }) => value)
    const left = (change: Change) =>
      detailsOf(change, leadFacts(change, change.preview.title)).map((block) =>
        block.kind === 'facts' ? block.facts.map(({ value }) => value) : [],
      )
    expect(chosen(relabelled(reply.change)), line).toEqual(chosen(reply.change))
    expect(left(relabelled(reply.change)), line).toEqual(left(reply.change))
    changes++
  }
  expect(changes).toBeGreaterThan(20)
})

/** What everybody reads at first sight, whatever was asked: views of answers, of requests and of refusals. */
describe('at first sight', () => {
  test.each(lines)('%s', async (line) => {
    const view = await shown(line)
    if (view === undefined) return
    expect(view.title.trim()).not.toBe('')
    expect(view.title.length).toBeLessThanOrEqual(150)
    const lead = view.blocks.flatMap((block) => (block.kind === 'facts' && block.isLead ? block.facts : []))
    // What is sent is shown however much it is; nothing else takes more room.
    expect(lead.length).toBeLessThanOrEqual(Math.max(maxAtOnce.facts, await decidedBy(line)))
    expect(view.blocks.filter(isStatement).length).toBeLessThanOrEqual(maxAtOnce.statements)
    for (const block of view.blocks)
      if (block.kind === 'table')
        expect(leadColumns(block).columns.length).toBeLessThanOrEqual(maxAtOnce.columns)
    const words = wordsAt(view)
    for (const { id } of allRows()) expect(words).not.toContain(id)
    for (const flag of paramNames)
      expect(words).not.toMatch(new RegExp(`(?:^|[^\\w-])(?:--)?${flag}(?:[^\\w-]|$)`))
    expect(words).not.toMatch(/guess|our reading|document(?:s|ed)\b/i)
    for (const [name, read] of Object.entries(renderers))
      for (const block of view.blocks)
        if (block.kind === 'note') expect(read(view), name).toContain(plain(lastSentence(block.text)))
  })
})

const plain = (words: string): string => words.replace(/[\\`*_~|[\]<>#\u200b\s⏎]+/g, ' ').trim()
/** What stands behind the last time in it, which each platform shows in its own way. */
const lastSentence = (words: Words): string => {
  const last = String(partsOf(words).at(-1))
  return last.slice(last.lastIndexOf('. ', last.length - 3) + 1).trim()
}
const renderers: Record<string, (view: View) => string> = {
  slack: (view) => plain(textOfBlocks(renderSlack(view).blocks as FakeBlock[])),
  discord: (view) =>
    plain(
      allComponents(renderDiscord(view).components)
        .flatMap((part) => (part.type === 10 ? [String(part.content)] : []))
        .join('\n'),
    ),
}

describe('the title of a card', () => {
  const changes = lines.filter(([, name]) => bot.registry.get(name)?.kind === 'change')

  test.each(changes)('%s', async (line) => {
    const reply = await said(line)
    if (reply.kind !== 'change') return
    const { change, view } = reply
    if (change.amount !== null) expect(view.title).toContain(money(change.amount, { code: change.currency }))
    if (change.recipient !== undefined) {
      expect(view.title).toContain(change.recipient)
      expect(view.title).not.toMatch(/\b(?:pay|cus|sub)_\d+/)
    }
    expect(view.blocks[0]).toMatchObject({ kind: 'turn', by: expect.stringMatching(/^Asked .*by Fay/) })
    expect(view.actions?.filter(({ isMore }) => isMore).map(({ verb }) => verb)).toContain('show_all')
  })
})
