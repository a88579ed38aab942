import { describe, expect, it } from 'vitest'
import { allRows } from '../../../src/lib/services/endpoints/tables.ts'
import { guessNotes } from '../../../tools/reference/guess-notes.ts'
import { servicesDoc } from '../../../tools/reference/services-page.ts'
import { unshownFields } from '../../../tools/reference/unshown-fields.ts'

describe('the services page', () => {
  const text = servicesDoc(new Map([['billing.refundPayment', ['refund']]]), {
    guesses: guessNotes,
    unshown: unshownFields,
  })
  const lines = text.split('\n')

  it('has a line for each row with its effect and shape', () => {
    for (const { row } of allRows()) {
      const mine = lines.filter((line) =>
        line.startsWith(`| \`${row.method} ${row.path}\` | ${row.summary} |`),
      )
      expect(mine).toHaveLength(1)
      expect(mine[0]).toContain(`| ${row.effect} | ${row.shown ? 'shown' : 'path only'} |`)
    }
  })

  it('names the command that uses a row, and api call where there is none', () => {
    expect(lines.find((line) => line.includes('/transaction/refund/'))).toContain('| `refund` |')
    expect(lines.find((line) => line.includes('POST /campaigns`'))).toContain('| `api call` |')
  })
})
