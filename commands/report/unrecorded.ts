import { type Payment, paymentsOf, type Refund, refundsIn, refundsOf } from '../../packs/billing/payments.ts'
import type { CountedChange } from '../../src/features/reports/figures.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { isUnsettled } from '../../src/kernel/model/change.ts'
import { entryKinds } from '../../src/kernel/model/checkpoint.ts'
import { isServiceError } from '../../src/lib/services/errors.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { fewNames, money, when } from '../../src/lib/view/format.ts'
import { type Block, note, table } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

/** What the service lists since then of the customers concerned, and the log does not have. */
export type Unrecorded = { refunds: number; blocks: Block[] }

/** Of more customers nobody waits for an answer. */
const maxCustomers = 50
const maxShown = 20
/** The clock of the service may be so much behind. */
const slackMs = 5 * 60_000

type Listed = { customer: string; refunds: Refund[]; payments: Payment[] }

/**
 * What nobody remembers, because the database lost it and whoever sent it is gone: the service has it. Each refund of the log
 * accounts for one of the same payment, amount and time; what is left was done without being on record.
 */
export const unrecordedSince = async (
  since: number,
  all: readonly CountedChange[],
  named: readonly string[],
  context: ReadContext,
): Promise<Unrecorded> => {
  const concerned = [...new Set([...named, ...all.toReversed().flatMap(({ customer }) => customer ?? [])])]
  const asked = concerned.slice(0, maxCustomers)
  const found = await Promise.all(asked.map((customer) => listedOf(customer, context)))
  const listed = found.filter((one) => typeof one !== 'string')
  const silent = found.filter((one) => typeof one === 'string')
  const isNew = ({ at }: { at: number | undefined }) => at !== undefined && at >= since - slackMs
  const refunds = listed.flatMap(({ customer, refunds }) =>
    unaccounted(refunds, all)
      .filter(isNew)
      .map((refund) => ({ ...refund, customer })),
  )
  const undated = listed.flatMap((one) => one.refunds.filter(({ at }) => at === undefined)).length
  const payments = listed.flatMap(({ customer, payments }) =>
    payments.filter(isNew).map((payment) => ({ ...payment, customer })),
  )
  const amountOf = ({ amount, currency }: Payment | Refund) =>
    amount === undefined ? '' : money(amount, currency)
  return {
    refunds: refunds.length,
    blocks: [
      ...(refunds.length === 0
        ? []
        : [
            table(
              ['When@', 'Refunded#', 'Payment', 'Customer'],
              refunds
                .slice(0, maxShown)
                .map((one) => [when(one.at) ?? '', amountOf(one), one.paymentId ?? '', one.customer]),
            ),
            ...moreOf(refunds.length),
            note('warn', 'Nobody here asked for these, or the database lost it. Do not send them again.'),
          ]),
      ...(payments.length === 0
        ? []
        : [
            table(
              ['Paid since#', 'Amount#', 'Payment', 'Customer'],
              payments
                .slice(0, maxShown)
                .map((one) => [when(one.at) ?? '', amountOf(one), one.id, one.customer]),
            ),
            ...moreOf(payments.length),
            note(
              'plain',
              'Payments are listed all, because plan changes that were lost may have caused some.',
            ),
          ]),
      note(
        'plain',
        concerned.length === 0
          ? 'No customer was asked about: nothing in the log names one. Name them with --customers.'
          : sentence`Compared since ${when(since)}: ${plural(listed.length, 'customer')} that requests of that time, and of as long before it, are for. Name others with --customers.`,
      ),
      ...(concerned.length > asked.length
        ? [note('warn', `${plural(concerned.length - asked.length, 'more customer')} not compared.`)]
        : []),
      ...(silent.length === 0 ? [] : [note('warn', `Could not be read: ${fewNames(silent)}.`)]),
      ...(undated === 0
        ? []
        : [note('warn', `${plural(undated, 'refund')} without a time could not be compared.`)]),
    ],
  }
}

/** The customer alone, where the service does not say. */
const listedOf = async (customer: string, context: ReadContext): Promise<Listed | string> => {
  try {
    const [refunds, payments] = await Promise.all([
      refundsOf(customer, context),
      paymentsOf(customer, context),
    ])
    return { customer, refunds, payments }
  } catch (error) {
    if (isServiceError(error)) return customer
    throw error
  }
}

/** A refund of the log is the first one that fits of those since it was asked for, however late its outcome was settled. */
const unaccounted = (refunds: readonly Refund[], all: readonly CountedChange[]): Refund[] => {
  const known = all.filter(({ state }) => state === 'applied' || isUnsettled(state))
  const payments = [...new Set(refunds.flatMap(({ paymentId }) => paymentId ?? []))]
  return payments.flatMap((id) => {
    const left = refundsIn({ id }, refunds).toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))
    for (const ours of known.filter(({ target }) => target === id)) {
      const at = left.findIndex((one) => (one.at ?? 0) >= ours.askedAt - slackMs && isAsMuch(one, ours))
      if (at >= 0) left.splice(at, 1)
    }
    return left
  })
}

const isAsMuch = (refund: Refund, { amount }: CountedChange): boolean =>
  amount === null || refund.amount === undefined || amount === refund.amount

const moreOf = (many: number): Block[] =>
  many > maxShown ? [note('plain', `${many - maxShown} more are there.`)] : []

/** Since when the database lost something, as far as that is on record. */
export const lostSince = async ({ records }: Pick<ReadContext, 'records'>): Promise<number | undefined> => {
  const own = await records.audit.find({ command: 'audit verify', changesOnly: true, limit: 200, page: 1 })
  const lost = own.find(({ kind }) => kind === entryKinds.storeLost)
  return lost === undefined ? undefined : Number(lost.doc.since)
}
