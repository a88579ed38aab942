import { describe, expect, test } from 'vitest'
import { formModalOf } from '../../../adapters/discord/forms/modal.ts'
import { renderMessage } from '../../../adapters/discord/render/render.ts'
import { cardOf, endOf } from '../../../src/kernel/cards/card.ts'
import { formFor } from '../../../src/kernel/messenger/form.ts'
import { type Change, states } from '../../../src/kernel/model/change.ts'
import { refusal, refusals, refusalView } from '../../../src/lib/view/refusals.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { openTestApp } from '../../harness/app.ts'
import { hostile, poisoned } from '../../messenger/hostile.ts'
import { messageFaults, modalFaults } from '../fake/rules.ts'
import type { Json } from '../fake/state.ts'

describe('every view of every command', async () => {
  const { registry, say } = await openTestApp()
  const views = new Map<string, View>()
  const changes: Change[] = []

  test.each(registry.all.flatMap(({ examples }) => examples))('%s', async (line) => {
    const reply = await say(line, 'p-finance')
    if (reply.kind === 'change') changes.push(reply.change)
    if ('view' in reply) views.set(line, reply.view)
    expect('view' in reply ? faultsOf(reply.view) : []).toEqual([])
  })

  test('and every card in every state, and what its requester is told', () => {
    expect(changes.length).toBeGreaterThan(10)
    for (const change of changes) {
      for (const state of states) {
        const moved = {
          ...change,
          state,
          ended: { by: change.requester, at: 1, reason: 'Because @everyone' },
        }
        for (const view of [cardOf(moved, 0).view, endOf(moved)])
          expect(faultsOf(view), change.line).toEqual([])
      }
    }
  })

  test('and every refusal', () => {
    for (const code of Object.keys(refusals) as (keyof typeof refusals)[]) {
      for (const words of hostile) {
        expect(faultsOf(refusalView(refusal(code, words, { usage: words, next: words }))), code).toEqual([])
      }
    }
  })

  test('holds with hostile text in every field', () => {
    expect(views.size).toBeGreaterThan(40)
    for (const [line, view] of views) {
      for (const words of hostile) expect(faultsOf(poisoned(view, words)), line).toEqual([])
    }
  })

  test('and every form, with hostile text typed into it', () => {
    for (const command of registry.all.filter((one) => one.params.length > 0)) {
      for (const words of hostile.filter((one) => one !== '')) {
        const values = Object.fromEntries(command.params.map((param) => [param.name, words]))
        const modal = formModalOf(
          formFor(command, values, { usual: ['Charged twice', 'x'] }),
          'draft',
        ) as unknown as Json
        if ((modal.components as unknown[]).length > 0) expect(modalFaults(modal), command.name).toEqual([])
      }
    }
  })
})

const faultsOf = (view: View): string[] => {
  const { body, charts } = renderMessage(view)
  return messageFaults(body as unknown as Json, { files: charts.map((_, at) => `chart-${at + 1}.png`) })
}
