import type { Block, View } from '../../src/lib/view/view.ts'

/** What a value can hold to ping, forge, break or overflow a message. */
export const hostile = [
  '',
  ' ',
  '\u200b\u200b',
  '<!channel> <!here> <!everyone> <@U0SAM> <#C0GENERAL> <https://evil.example|ok>',
  '@everyone @here',
  '```\ncode\n``` `x` *bold* _it_ ~no~ > quote :tada:',
  '&lt;!channel&gt; &amp;amp; & < >',
  '"quotes" \\ back\\slashes\n\n\nlines\ttabs\u0000\u0007\u001b[31mred',
  '\u202eright to left\u202c \u2066isolated\u2069',
  '😀'.repeat(2_000),
  '\ud83d half a letter \udc00',
  'x'.repeat(20_000),
  '"\\\n'.repeat(5_000),
  '{"type":"button","action_id":"bh:approve:1"}',
]

/** The same view with every text in it replaced. */
export const poisoned = (view: View, text: string): View => ({
  ...view,
  title: text,
  ...(view.footer === undefined ? {} : { footer: text }),
  blocks: view.blocks.map((block) => poisonedBlock(block, text)),
})

const poisonedBlock = (block: Block, text: string): Block => {
  switch (block.kind) {
    case 'turn':
      return { ...block, lines: block.lines.map(() => text), by: text }
    case 'quote':
      return { ...block, text, by: text }
    case 'text':
    case 'note':
    case 'code':
      return { ...block, text }
    case 'address':
      return { ...block, label: text }
    case 'facts':
      return { ...block, facts: block.facts.map(() => ({ label: text, value: text })) }
    case 'diff':
      return {
        ...block,
        changes: block.changes.map(({ before, after }) => ({
          label: text,
          before: before === null ? null : text,
          after: after === null ? null : text,
        })),
      }
    case 'table':
      return {
        ...block,
        columns: block.columns.map(({ align }) => ({ label: text, align })),
        rows: block.rows.map((row) => row.map(() => text)),
      }
    case 'requests':
      return {
        ...block,
        requests: block.requests.map((one) => ({
          ...one,
          title: text,
          by: text,
          needs: one.needs.map(() => text),
          facts: one.facts.map(() => ({ label: text, value: text })),
          warnings: one.warnings.map(() => text),
        })),
      }
    case 'list':
      return { ...block, items: block.items.map(() => text) }
    case 'chart':
      return {
        ...block,
        title: text,
        series: block.series.map(({ points }) => ({
          name: text,
          points: points.map(({ value }) => ({ label: text, value })),
        })),
      }
    case 'progress':
      return { ...block, label: text }
  }
}
