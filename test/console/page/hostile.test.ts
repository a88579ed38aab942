import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verbs } from '../../../src/lib/view/button-labels.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { openConsoleHarness } from '../harness.ts'
import { hostileView } from '../sample-views.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** Draws the views with the page's own renderer, and says what came of each: elements, text, and what ran. */
const draw = `async (views) => {
  const { cardOf } = await import('/console/view/view.js')
  const known = new Set('DIV H3 P SPAN DL DT DD DEL INS TABLE THEAD TBODY TR TH TD UL LI PRE FIGURE FIGCAPTION svg text rect line polyline circle DETAILS SUMMARY CAPTION B PROGRESS BUTTON'.split(' '))
  return views.map((view) => {
    const card = cardOf(view, () => undefined)
    document.getElementById('messages').replaceChildren(card)
    const all = [...card.querySelectorAll('*')]
    const attributes = all.flatMap((element) => [...element.attributes])
    return {
      strange: all.map(({ tagName }) => tagName).filter((name) => !known.has(name)),
      wired: attributes.filter(({ name, value }) => /^on|^style$|^href$|^src$/.test(name) || /NaN|Infinity/.test(value)).map(({ name, value }) => name + '=' + value),
      buttons: [...card.querySelectorAll('button')].map((button) => button.textContent),
      title: card.querySelector('h3').textContent,
      elements: all.length,
      length: card.textContent.length,
      wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      caught: window.caught ?? null,
    }
  })
}`

type Drawn = {
  strange: string[]
  wired: string[]
  buttons: string[]
  title: string
  elements: number
  length: number
  wide: boolean
  caught: number | null
}

describe.skipIf(!hasBrowser)('hostile words', async () => {
  const opened = await openConsoleHarness()
  const { openPage, expectQuiet } = await openBrowser(opened)

  test('in any field of any block stay words: no markup, no script, no forged button, no page without end', async () => {
    const { page } = await openPage()
    const shown = (view: View) => ({
      ...view,
      actions: (view.actions ?? []).map((action) => ({ ...action, label: verbs[action.verb].label })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(hostileView, { minLength: 1, maxLength: 12 }), async (views) => {
        const drawn = (await page.evaluate(`(${draw})(${JSON.stringify(views.map(shown))})`)) as Drawn[]
        for (const [at, one] of drawn.entries()) {
          const view = views[at] as View
          expect(one.strange).toEqual([])
          expect(one.wired).toEqual([])
          expect(one.caught).toBeNull()
          expect(one.buttons).toEqual(
            (view.actions ?? []).filter(({ isMore }) => !isMore).map(({ verb }) => verbs[verb].label),
          )
          expect(one.title.startsWith(view.title.slice(0, 20_000))).toBe(true)
          expect(one.elements).toBeLessThan(8_000)
          expect(one.wide).toBe(false)
        }
      }),
      { numRuns: 25 },
    )
    expectQuiet()
  })

  test.each(['bar', 'line', 'pie'])('the largest figures there are can be drawn as a %s', async (shape) => {
    const { page } = await openPage()
    const points = [-Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE].map((value) => ({
      label: 'a',
      value,
    }))
    const view = {
      title: 't',
      tone: 'plain',
      blocks: [{ kind: 'chart', title: 'c', shape, series: [{ name: 's', points }] }],
      actions: [],
    }
    const [drawn] = (await page.evaluate(`(${draw})([${JSON.stringify(view)}])`)) as Drawn[]
    expect(drawn?.wired).toEqual([])
    expectQuiet()
  })

  test('what is too much is counted, not dropped silently', async () => {
    const { page } = await openPage()
    const view = {
      title: 't'.repeat(25_000),
      tone: 'plain',
      blocks: [
        {
          kind: 'table',
          columns: [{ label: 'One', align: 'left' }],
          rows: Array.from({ length: 10_000 }, () => ['row']),
        },
        { kind: 'list', items: Array.from({ length: 1_234 }, () => 'item') },
      ],
      actions: [],
    }
    await page.evaluate(`(${draw})([${JSON.stringify(view)}])`)
    const words = (await page.locator('#messages').textContent()) ?? ''
    expect(words).toContain('and 9,800 more rows')
    expect(words).toContain('and 1,034 more items')
    expect(words).toContain('(5,000 more characters)')
    expectQuiet()
  })

  test('a line is shown as it was typed, and a persona’s name cannot be anything but a name', async () => {
    const { say, articles, page } = await openPage()
    await say('<img src=x onerror="window.caught=1"> `@everyone`')
    await articles.first().getByText('<img src=x onerror="window.caught=1"> `@everyone`').waitFor()
    expect(await page.evaluate('window.caught ?? null')).toBeNull()
    expectQuiet()
  })
})
