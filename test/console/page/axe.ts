import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with the page as it is now, as a line each. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  const isThere = await page.evaluate('window.axe !== undefined')
  if (!isThere) await page.evaluate(`${axe.source}; undefined`)
  // What is still fading in has no colour yet.
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as {
    violations: { id: string; help: string; nodes: { html: string }[] }[]
  }
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 160)}`),
  )
}
