import { z } from 'zod'
import { demandedBy, type GrantTerms, grants, termsSchema } from '../../src/features/grants/index.ts'
import { amountParam, toAmount } from '../../src/kernel/command/amount.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { ok } from '../../src/lib/result.ts'
import { due, money, names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

const commandList = (what: string) =>
  z.array(z.string().trim().min(1).max(60)).min(1).max(20).optional().describe(what)

export const grantCreate = defineChange({
  name: 'grant create',
  title: 'Give a right for a while',
  summary: 'Let somebody run commands for a while, or approve some of their requests in advance',
  area: 'bellhop',
  input: z.object({
    to: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Who gets it: a person or an agent of bellhop.yml; you, if not given')
      .meta({ kind: 'colleague' }),
    run: commandList('The commands that they may run, such as "audit verify"').meta({ kind: 'command' }),
    approve: commandList('The commands that you approve for them in advance, such as refund'),
    until: z
      .string()
      .min(1)
      .max(60)
      .optional()
      .describe('When it ends: tonight, friday, "monday 9:00" or "in 2d"; in a day, if not given')
      .meta({ time: 'ahead' }),
    upTo: amountParam
      .optional()
      .describe('The largest sum of one request that you approve, with its currency'),
    inAll: amountParam.optional().describe('The largest sum of all of them together'),
    times: z.int().min(1).max(1_000).optional().describe('How many requests you approve'),
    customer: z.string().min(1).max(60).optional().describe('Only for this customer'),
    list: z.string().min(1).max(60).optional().describe('Only for this list'),
    reason: z.string().trim().min(1).max(300).optional().describe('Why, for those who approve it'),
  }),
  positional: ['to'],
  examples: [
    'grant create p-support --run "audit verify" --until "in 2h"',
    'grant create helper --approve refund --up-to "20 USD" --times 30 --until friday',
  ],
  uses: [],
  personal: true,
  guarded: true,
  plan: termsSchema.extend({ doubt: wording(z.string()).optional() }),
  demands: demandedBy,
  async prepare({ to: named, until, upTo, inAll, customer: payer, ...wanted }, { actor, of, records, time }) {
    const to = named ?? actor.person
    const end = await time(until ?? of(grants).usualTime(wanted))
    if (!end.ok) return end
    const terms = of(grants).check(records.person(to), {
      ...wanted,
      payer,
      to,
      endsAt: end.value.at,
      upTo: toAmount(upTo),
      inAll: toAmount(inAll),
    })
    if (!terms.ok) return terms
    return ok({ ...terms.value, ...(end.value.doubt === undefined ? {} : { doubt: end.value.doubt }) })
  },
  preview: ({ doubt, ...terms }) => {
    const { does, commands, holder, endsAt, upTo, inAll, times, payer, list, reason, rule } = terms
    return {
      title: titleOf(terms),
      tone: 'warn',
      blocks: [
        facts({
          Who: { role: 'target', value: holder.name },
          [does === 'run' ? 'May run' : 'Approved in advance']: { role: 'subject', value: names(commands) },
          Until: { role: 'subject', value: due(endsAt) ?? '' },
          Requests: times === undefined ? undefined : { role: 'subject', value: `${times} at most` },
          'Each up to': upTo && { role: 'subject', value: money(upTo.value, { code: upTo.currency }) },
          'In all': inAll && { role: 'subject', value: money(inAll.value, { code: inAll.currency }) },
          Customer: payer && { role: 'subject', value: payer },
          List: list && { role: 'subject', value: list },
          Rule: rule,
          Reason: reason && { role: 'reason', value: reason },
        }),
        ...(doubt === undefined ? [] : [note('warn', doubt)]),
      ],
    }
  },
  reasonOf: ({ reason }) => reason,
  async apply({ doubt: _, ...terms }, { of }) {
    await of(grants).give(terms)
    return { message: sentence`${doneWords(terms)} until ${due(terms.endsAt)}.`, understood: true }
  },
})

const titleOf = ({ does, commands, holder, upTo, times = 0 }: GrantTerms): string =>
  does === 'run'
    ? `Let ${holder.name} run ${names(commands)} for a while`
    : `Approve ${times} of ${theirs(names(commands) ?? '')}${upTo === undefined ? '' : ` up to ${money(upTo.value, { code: upTo.currency })}`} for ${holder.name} in advance`

const doneWords = ({ does, commands, holder, times = 0 }: GrantTerms): string =>
  does === 'run'
    ? `${holder.name} may run ${names(commands)}`
    : `${times} of ${names(commands)} for ${holder.name} ${times === 1 ? 'is' : 'are'} approved in advance`
