import { z } from 'zod'
import { readNumber } from '../../src/lib/codecs/read-number.ts'
import { readAs } from '../../src/lib/services/endpoints/field-words.ts'
import { toNumberText } from '../../src/lib/services/endpoints/guesses.ts'
import { filled } from '../../src/lib/services/endpoints/request-fields.ts'
import { activationWords, paymentModeWords, paymentTermWords, refundTypeWords } from './sent-words.ts'

const oneOf = <const T extends readonly [string, ...string[]]>(what: string, values: T) =>
  z.enum(values, `${what} is one of ${values.join(', ')}`)

/** Sent as text. A number and its text are the same. */
const decimalText = (what: string) =>
  z
    .union([z.string(), z.number().transform(toNumberText)], `${what} is a number`)
    .pipe(z.string().regex(/^\d+(\.\d+)?$/, `${what} is a plain number such as 12 or 12.50`))

/** Sent as a number. A number and its text are the same, and what could be two numbers is none. */
const wholeNumber = (what: string) =>
  z.union(
    [
      z.int(),
      z.string().transform((written, context) => {
        const read = readNumber(written)
        if (read.ok && read.unit === null && Number.isInteger(read.value)) return read.value
        const why = read.ok ? undefined : read.why
        context.issues.push({ code: 'custom', message: why ?? `${what} is a whole number`, input: written })
        return z.NEVER
      }),
    ],
    `${what} is a whole number`,
  )

export const newMultiplan = z
  .strictObject({
    product_id: filled('the product id'),
    page_title: filled('the page title'),
    plans: z.array(filled('a plan id')).min(1, 'at least one plan is needed'),
    multiplan_list: oneOf('the multiplan list', ['radio', 'select']).optional(),
    preferred_plan_id: filled('the preferred plan').optional(),
  })
  .refine(
    (body) => body.preferred_plan_id === undefined || body.plans.includes(body.preferred_plan_id),
    'the preferred plan must be one of the plans',
  )

const addon = {
  name: filled('the name'),
  code: filled('the code'),
  price: z.int('the price is a whole number').nonnegative('the price is not negative'),
  billing_period: oneOf('the billing period', ['m', 'y', 'w']),
  billing_period_num: z
    .int('the number of billing periods is a whole number')
    .positive('the number of billing periods is at least 1'),
  billing_cycle: oneOf('the billing cycle', ['lifetime', 'onetime']),
  associate_plans: oneOf('the plans it goes with', ['selected_plans', 'all_plans']),
  category_array: z.array(filled('a category')),
  description: z.string(),
}

export const newAddon = z.strictObject({
  ...addon,
  status: oneOf('the status', ['true', 'false']),
  category_array: addon.category_array.optional(),
  plans_array: z.array(filled('a plan id')).optional(),
  description: addon.description.optional(),
})

/**
 * The same fields as for creation, but the document declares `status` as a boolean and `plans_array` as a
 * string, shows null, and shows no string: whatever JSON is given goes out.
 */
export const addonUpdate = z
  .strictObject({
    ...addon,
    status: z.boolean('the status is true or false'),
    plans_array: z.json(),
    product_id: filled('the product id'),
  })
  .partial()

export const refund = z.strictObject({
  amount: wholeNumber('the amount').pipe(z.int().positive('the amount is more than nothing')).optional(),
  refund_type: readAs(
    oneOf('the refund type', ['refund', 'refund_credit', 'record_refund']),
    refundTypeWords,
  ).optional(),
  description: z.string().optional(),
})

export const planChange = z.strictObject({
  plan_id: filled('the plan id'),
  payment_mode: readAs(oneOf('the payment mode', ['offline', 'credit_card']), paymentModeWords),
  customer_id: filled('the customer id').optional(),
  payment_term: readAs(
    oneOf('the payment term', ['net0', 'net15', 'net30', 'net45', 'net60', 'neteom', 'neteonm']),
    paymentTermWords,
  ).optional(),
  activated_at_val: readAs(
    oneOf('the time of activation', ['immediately', 'eot']),
    activationWords,
  ).optional(),
  card_id: filled('the card id').optional(),
  coupon_code: filled('the coupon code').optional(),
  price: decimalText('the price').optional(),
  quantity: decimalText('the quantity')
    .pipe(z.string().regex(/^[1-9]\d*$/, 'the quantity is a whole number of at least 1'))
    .optional(),
  setup_fee: decimalText('the setup fee').optional(),
  /** Its form is not shown. */
  addons: z.json().optional(),
  update_reason: z.string().optional(),
})
