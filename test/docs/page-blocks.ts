/** The block that follows the name of its file. */
export const fileIn = (page: string, name: string): string => {
  const [, block] = new RegExp(`\`${name}\`\n\n\`\`\`ts\n([\\s\\S]+?)\`\`\`\n`).exec(page) ?? []
  if (block === undefined) throw new Error(`the page has no block for ${name}`)
  return block
}

/** What the page changes in a list: the lines as they were, and with the ones it adds. */
export const differencesIn = (page: string): [string, string][] =>
  [...page.matchAll(/```diff\n([\s\S]+?)```\n/g)].map(([, block = '']) => {
    const lines = block.split('\n')
    const before = lines.filter((line) => !line.startsWith('+'))
    return [before, lines].map((some) => some.map((line) => line.slice(1)).join('\n')) as [string, string]
  })
