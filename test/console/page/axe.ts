import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with the page as it is now, as a line each; `rules` where only some can find anything new. */
export const axeFindings = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  const isThere = await page.evaluate('window.axe !== undefined')
  if (!isThere) await page.evaluate(`${axe.source}; undefined`)
  // What is still fading in has no colour yet.
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
  // The page has one style sheet, and it is its own: there is nothing to load for axe.
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 160)}`),
  )
}
