import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { defineChange, type Worked } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { textFile } from '../../src/kernel/command/line/text-file.ts'
import { no, ok } from '../../src/lib/result.ts'
import { echoWarnings } from '../../src/lib/services/echo.ts'
import { fateOf, isServiceError } from '../../src/lib/services/errors.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, list, note, table, text } from '../../src/lib/view/view.ts'
import { changeOf } from './changes.ts'
import { importedFrom } from './import-rows.ts'
import { lookUp } from './known.ts'
import { isKnownStatus, statusWarnings } from './params.ts'

const { body } = email.rows.updateSubscriber
type Item = { email: string; body: z.input<typeof body> }

const plan = z.object({
  file: z.string(),
  digest: z.string(),
  total: z.int(),
  unchanged: z.int(),
  strangers: z.int(),
  strangerSample: z.array(z.string()),
  invalid: z.int(),
  problems: z.array(wording(z.string())),
  duplicates: z.int(),
  ignored: z.array(z.string()),
  /** Statuses that the documents do not name. */
  newStatuses: z.array(z.string()).default([]),
  /** How many rows change each field. */
  fields: wording(z.record(z.string(), z.int())),
  /** The first differences: who, what, before, after. */
  sample: wording(z.array(z.tuple([z.string(), z.string(), z.string(), z.string()]))),
})
type Report = Omit<z.infer<typeof plan>, 'file' | 'digest' | 'total'>

export const subscriberImport = defineChange({
  name: 'subscriber import',
  summary: 'Update many subscribers from a CSV file, after a dry run',
  area: 'email',
  input: z.object({
    file: textFile
      .describe('CSV with a header: email, first name, last name, lead score, status, tags, company...')
      .meta({ file: true }),
    ignoreUnknown: z
      .boolean()
      .optional()
      .describe('Ignore columns that are not known')
      .meta({ isSwitch: true }),
  }),
  examples: ['subscriber import --file people.csv', 'subscriber import --file people.csv --ignore-unknown'],
  uses: ['email.findSubscribers', 'email.getSubscriber', 'email.updateSubscriber'],
  plan,
  intent: ({ file }, pinned) => ({ import: pinned?.digest ?? file.name }),
  async prepare({ file }, _context, pinned) {
    if (pinned === undefined) throw new Error('an import needs a stored set')
    const { digest, total, report } = pinned
    return ok({ file: file.name, digest, total, ...(report as Report) })
  },
  preview: ({ file, total, unchanged, strangers, strangerSample, invalid, problems, ...found }) => ({
    title: `Update ${plural(total, 'subscriber')} from ${theirs(file)}`,
    tone: 'plain',
    blocks: [
      facts({
        'To update': plural(total, 'subscriber'),
        Fields: Object.entries(found.fields)
          .map(([label, count]) => `${label} ${formatNumber(count)}`)
          .join(', '),
        'Already up to date': unchanged > 0 ? formatNumber(unchanged) : '',
        'Not subscribers, left out':
          strangers > 0 ? `${formatNumber(strangers)} (${strangerSample.join(', ')})` : '',
        'Invalid, left out': invalid > 0 ? formatNumber(invalid) : '',
        'Duplicates, left out': found.duplicates > 0 ? formatNumber(found.duplicates) : '',
        'Columns left out': found.ignored.join(', '),
      }),
      text('The first changes'),
      table(['Who', 'What', 'Before', 'After'], found.sample),
      ...(problems.length > 0 ? [text('The first invalid lines'), list(problems)] : []),
      ...(found.fields.Status
        ? [note('warn', 'Statuses change: some people may start or stop getting email.')]
        : []),
      ...found.newStatuses.flatMap(statusWarnings),
    ],
  }),
  apply: () => Promise.reject(new Error('an import runs in batches')),
  lookUps: () => [],
  bulk: {
    requests: (_plan, items) =>
      (items as Item[]).map((item) => ({ row: 'email.updateSubscriber', input: inputOf(item) })),
    async pin(given, context) {
      const { file, ignoreUnknown = false } = given
      const imported = await importedFrom(file, { ignoreUnknown })
      if (!imported.ok) return imported
      const { rows, ...counts } = imported.value
      const items = new Map<string, Item | null>()
      const fields: Record<string, number> = {}
      const samples = new Map<string, Report['sample']>()
      await lookUp(rows, context, (key, one) => {
        const row = rows.get(key)
        if (row === undefined) return
        const { changes, body: sent } = changeOf(one, row.values)
        items.set(key, changes.length === 0 ? null : { email: one.email || row.email, body: sent })
        for (const { label } of changes) fields[label] = (fields[label] ?? 0) + 1
        if (samples.size < 5 && changes.length > 0) {
          samples.set(
            key,
            changes.map(({ label, before, after }) => [row.email, label, before ?? '', after ?? '']),
          )
        }
      })
      const strangers = [...rows].filter(([key]) => !items.has(key)).map(([, row]) => row.email)
      const changed = [...rows.keys()].flatMap((key) => items.get(key) ?? [])
      const report: Report = {
        ...counts,
        fields,
        newStatuses: [
          ...new Set(
            changed.flatMap(({ body: { status } }) =>
              status === undefined || isKnownStatus(status) ? [] : [status],
            ),
          ),
        ].slice(0, 5),
        strangers: strangers.length,
        strangerSample: strangers.slice(0, 3),
        unchanged: rows.size - strangers.length - changed.length,
        sample: [...samples.values()].flat().slice(0, 5),
      }
      if (changed.length === 0) return no(nothingToDo(report))
      const set = await context.pin(changed)
      return ok({
        pinned: { ...set, report },
        input: { ...given, file: { name: file.name, text: '' } },
      })
    },
    work: async (_plan, items, context) => {
      const worked: Worked = { done: 0, troubles: [] }
      for (const [at, item] of (items as Item[]).entries()) {
        await context.throttle()
        try {
          const { data } = await context.email.updateSubscriber(inputOf(item))
          worked.done++
          const warnings = echoWarnings(email.rows.updateSubscriber, { body: item.body }, data)
          if (warnings.length > 0) {
            worked.troubles.push({ item: item.email, outcome: 'different', why: warnings.join(' ') })
          }
        } catch (error) {
          if (!isServiceError(error)) throw error
          const outcome = fateOf(error)
          if (outcome === 'back') return { ...worked, rest: items.slice(at), why: error }
          const why =
            error.serviceMessage ??
            `${error.kind}${error.status === undefined ? '' : `, status ${error.status}`}`
          worked.troubles.push({ item: item.email, outcome, why })
        }
      }
      return worked
    },
    probe: (_plan, { email: service }) => service.findSubscribers({ query: { limit: 1 } }),
  },
})

const inputOf = ({ email: address, body: sent }: Item) => ({ params: { email: address }, body: sent })

const nothingToDo = ({ unchanged, strangers, strangerSample, invalid, problems }: Report) =>
  refusal(
    'nothing_to_change',
    [
      'Nothing in the file would change a subscriber:',
      [
        ...(unchanged > 0 ? [`${formatNumber(unchanged)} are already up to date`] : []),
        ...(strangers > 0
          ? [`${formatNumber(strangers)} are not subscribers (${strangerSample.join(', ')})`]
          : []),
        ...(invalid > 0 ? [`${formatNumber(invalid)} are invalid (${problems.join('; ')})`] : []),
      ].join(', ') || 'it has no rows',
    ].join(' '),
  )
