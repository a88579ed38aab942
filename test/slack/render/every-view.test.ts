import { describe, expect, test } from 'vitest'
import { homeView } from '../../../adapters/slack/home/home-view.ts'
import { renderSlack } from '../../../adapters/slack/render/message.ts'
import { actorOf } from '../../../src/kernel/actors/authorization.ts'
import { cardOf, endOf } from '../../../src/kernel/cards/card.ts'
import { readContext } from '../../../src/kernel/context/command-context.ts'
import { type Change, states } from '../../../src/kernel/model/change.ts'
import { firstOf } from '../../../src/lib/some.ts'
import { refusal, refusals, refusalView } from '../../../src/lib/view/refusals.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { openTestApp } from '../../harness/app.ts'
import { hostile, poisoned } from '../../messenger/hostile.ts'
import { faultInMessage, markupIn, parseHome, whyInvalid } from '../fake/blocks.ts'

describe('every view of every command', async () => {
  const { app, registry, say } = await openTestApp()
  const views: [name: string, view: View][] = []
  const changes: Change[] = []
  const examples = registry.all.flatMap(({ examples: lines }) => lines)

  test.each(examples)('%s', async (line) => {
    const reply = await say(line, 'p-finance')
    expect(reply.kind).not.toBe('repeated')
    if ('view' in reply) views.push([line, reply.view])
    if (reply.kind === 'change') changes.push(reply.change)
    check(line, 'view' in reply ? reply.view : emptyView)
  })

  test('and every card in every state, and what its requester is told', () => {
    expect(changes.length).toBeGreaterThan(10)
    for (const change of changes) {
      for (const state of states) {
        const moved = { ...change, state, ended: { by: change.requester, at: 1, reason: 'Because <!here>' } }
        views.push([`${change.line} ${state}`, cardOf(moved, 0).view], [`${change.line} told`, endOf(moved)])
      }
    }
    for (const [name, view] of views) check(name, view)
  })

  test('and every refusal', () => {
    for (const code of Object.keys(refusals) as (keyof typeof refusals)[]) {
      for (const words of hostile)
        check(code, refusalView(refusal(code, words, { usage: words, next: words })))
    }
  })

  test('holds with hostile text in every field', () => {
    const kinds = new Map(views.map(([name, view]) => [name.split(' ').slice(0, 2).join(' '), view]))
    for (const [name, view] of kinds) {
      for (const words of hostile) check(`${name} with ${words.slice(0, 20)}`, poisoned(view, words))
    }
  })

  test('and the Home tab, with hostile names and titles', async () => {
    const { core } = app
    const actor = actorOf(core.policy, { platform: 'console', account: 'p-finance2', name: '', groups: [] })
    const context = readContext(core, actor)
    for (const words of hostile) {
      const poisonedChanges = changes.slice(0, 20).map((change) => ({
        ...change,
        preview: poisoned(change.preview, words),
        requester: { ...change.requester, name: words },
      }))
      const view = await homeView({
        ...context,
        records: {
          ...context.records,
          changes: async () => firstOf(poisonedChanges, 100),
          freezes: async () => [{ area: 'all', by: 'p', name: words, reason: words, at: 0 }],
        },
      })
      const parsed = parseHome(view)
      expect(parsed.error?.message).toBeUndefined()
    }
  })
})

const emptyView: View = { title: 'None', tone: 'plain', blocks: [] }

const check = (name: string, view: View): void => {
  const { text, blocks } = renderSlack(view)
  expect(faultInMessage(text, blocks), `${name}: ${whyInvalid(blocks)}`).toBeUndefined()
  for (const markup of markupIn(text, blocks)) expect(markup, name).not.toMatch(/[<>]/)
}
