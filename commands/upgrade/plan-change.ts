import { z } from 'zod'
import { planChangeIntent } from '../../packs/billing/intents.ts'
import { type KeptPlan, keptPlans } from '../../packs/billing/last-plan.ts'
import { planChange } from '../../packs/billing/requests.ts'
import { activationWords, paymentModeWords, paymentTermWords } from '../../packs/billing/sent-words.ts'
import type { ChangeCommand } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { sourceName } from '../../src/kernel/things/link-words.ts'
import { defined } from '../../src/lib/defined.ts'
import { no, ok } from '../../src/lib/result.ts'
import { type Guesses, toNumberText } from '../../src/lib/services/endpoints/guesses.ts'
import { filled } from '../../src/lib/services/endpoints/request-fields.ts'
import { defaultGuesses } from '../../src/lib/services/endpoints/tables.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { note } from '../../src/lib/view/view.ts'
import { addressOf } from '../person/who.ts'
import { knownAddress } from '../refund/evidence.ts'
import { transactionFind } from '../transaction/find.ts'
import { addonsSent } from './addons.ts'
import { knownPlan, lookUpPlan } from './known-plans.ts'
import { doneMessage, doneView, type LeftAt, loweredWords, moveTitle, planFacts } from './words.ts'

/** Sent as text, digit by digit. */
const priceOf = (what: string) =>
  z
    .number(`${what} is a number`)
    .min(0, `${what} is not negative`)
    .max(1e9, `${what} is at most 1000000000`)
    .refine((value) => Number(value.toFixed(4)) === value, `${what} has at most 4 digits behind the point`)

const input = z.object({
  subscriptionId: idOf('the subscription id').describe('Subscription to move').meta({ kind: 'subscription' }),
  planId: idOf('the plan id').describe('Plan to move it to').meta({ kind: 'plan' }),
  paymentMode: z
    .enum(['offline', 'credit_card'])
    .describe('How it is paid')
    .meta({ aliases: { card: 'credit_card' }, words: paymentModeWords.values }),
  activate: z
    .enum(['immediately', 'eot'])
    .describe('When: at once, or at the end of the term')
    .meta({ aliases: { now: 'immediately', end_of_term: 'eot' }, words: activationWords.values })
    .optional(),
  paymentTerm: z
    .enum(['net0', 'net15', 'net30', 'net45', 'net60', 'neteom', 'neteonm'])
    .describe('When the invoice is due; at once if left out')
    .meta({ words: paymentTermWords.values })
    .optional(),
  customerId: idOf('the customer id')
    .describe('Customer who owns the subscription')
    .meta({ kind: 'customer' })
    .optional(),
  cardId: idOf('the card id').describe('Id of the payment method to charge').optional(),
  couponCode: filled('the coupon code').describe('Discount code').meta({ takes: 'code' }).optional(),
  price: priceOf('the price').describe('Price to charge instead of the plan’s own price').optional(),
  quantity: z
    .int('the quantity is a whole number')
    .min(1, 'the quantity is at least 1')
    .describe('Quantity of the plan')
    .optional(),
  setupFee: priceOf('the setup fee').describe('Setup fee to charge').optional(),
  addons: z
    .string()
    .refine(
      (written) => addonsSent(written, defaultGuesses().addons) !== undefined,
      'write add-ons as id:quantity,id:quantity, each once, or as JSON',
    )
    .describe('Add-ons as id:quantity,id:quantity or JSON')
    .optional(),
  reason: filled('the reason')
    .describe('Reason, shown on the subscription’s page')
    .meta({ also: ['description'] })
    .optional(),
})

const plan = z.object({
  subscriptionId: z.string(),
  body: planChange,
  /** The new plan as some checkout page has it. */
  known: knownPlan.optional(),
  /** What the last change of the subscription that was made here moved it to. */
  from: z
    .object({
      plan: z.string(),
      at: z.number(),
      name: wording(z.string()).optional(),
      /** When its term ends, as the service said then. */
      ends: wording(z.number()).nullish(),
    })
    .optional(),
  seen: z.enum(['yes', 'no', 'unread']).optional(),
  /** The address of whose subscription it is, where a link knows it. */
  address: z.string().optional(),
})

/** Upgrade and downgrade use one endpoint, one intent and one policy; only the wording differs. */
export const definePlanChange = (
  about: Pick<ChangeCommand, 'summary' | 'examples'> & { name: 'upgrade' | 'downgrade' },
): ChangeCommand =>
  defineServiceChange({
    ...about,
    area: 'billing',
    sameAs: [about.name === 'upgrade' ? 'downgrade' : 'upgrade'],
    input,
    positional: ['subscriptionId', 'planId'],
    workflow: true,
    uses: ['billing.changePlan', 'billing.findMultiplans'],
    plan,
    intent: ({ subscriptionId, planId }) => planChangeIntent(subscriptionId, planId),
    reasonOf: ({ body }) => body.update_reason,
    // No amount: price, quantity, coupon and fee are what the actor types, and the subscription's own quantity nobody can read.
    evidenceOf: ({ seen, body }) => (seen === 'yes' ? undefined : unseenWords(body.plan_id, seen)),
    async prepare(wanted, context) {
      const { subscriptionId, customerId } = wanted
      const owners = endsOfKind(
        await context.links.payerOf({ kind: 'subscription', id: subscriptionId }),
        'customer',
      )
      if (customerId !== undefined && owners.length > 0 && !owners.some(({ id }) => id === customerId)) {
        const known = owners
          .map(({ id, link }) => `${theirs(id)}${link ? ` (${sourceName(link)})` : ''}`)
          .join(' or ')
        return no(
          refusal(
            'bad_value',
            `Subscription ${theirs(subscriptionId)} is of customer ${known}, not of customer ${theirs(customerId)}.`,
            {
              field: 'customerId',
              next: 'Leave the customer out, or check the subscription id. Nobody was asked.',
            },
          ),
        )
      }
      const [{ plan: known, seen }, kept, owner] = await Promise.all([
        lookUpPlan(wanted.planId, context),
        keptPlans(({ input: given }) => given.subscriptionId === subscriptionId, context),
        addressOf({ kind: 'subscription', id: subscriptionId }, context),
      ])
      const address = knownAddress(owner)
      return ok({
        address,
        subscriptionId: wanted.subscriptionId,
        body: bodyOf(wanted, context.guesses),
        seen,
        known,
        from: fromOf(kept.get(subscriptionId)?.now),
      })
    },
    recipientOf: ({ address }) => address,
    tellWords: ({ body, known }) =>
      `Your subscription ${body.activated_at_val === 'eot' ? 'moves' : 'has moved'} to ${known?.name ?? body.plan_id}${body.activated_at_val === 'eot' ? ' at the end of its term' : ''}.`,
    preview: ({ subscriptionId, body, known, seen, from }, who) => ({
      title: moveTitle(theirs(who ?? subscriptionId), body, { known, from }),
      tone: 'warn',
      blocks: [
        planFacts(subscriptionId, body, { known, who, from }),
        ...(seen === 'yes' ? [] : [note('warn', unseenWords(body.plan_id, seen))]),
        ...loweredWords(body, known).map((words) => note('warn', words)),
      ],
    }),
    row: 'billing.changePlan',
    request: ({ subscriptionId, body }) => ({ params: { subscription_id: subscriptionId }, body }),
    done: ({ subscriptionId, body }, { data, message }, who) => ({
      message: doneMessage(
        who === undefined ? `subscription ${theirs(subscriptionId)}` : theirs(who),
        body,
        data,
      ),
      view: data && doneView(subscriptionId, data, message),
    }),
    lookUps: ({ body }) =>
      body.customer_id === undefined ? [] : [lineFor(transactionFind, { customerId: body.customer_id })],
  })

const fromOf = (kept: KeptPlan | undefined): LeftAt | undefined =>
  kept?.at === undefined
    ? undefined
    : {
        plan: kept.name ? `${theirs(kept.name)} (${theirs(kept.id)})` : kept.id,
        at: kept.at,
        ...defined({ name: kept.name, ends: kept.renews }),
      }

const unseenWords = (planId: string, seen: 'no' | 'unread' | undefined): string =>
  seen === 'no'
    ? `Nobody has seen the plan ${theirs(planId)}: no checkout page has it. Check the id.`
    : `Nobody has looked at the plan ${theirs(planId)}: the checkout pages could not be read.`

const bodyOf = (wanted: z.infer<typeof input>, guesses: Guesses): z.infer<typeof planChange> => ({
  plan_id: wanted.planId,
  payment_mode: wanted.paymentMode,
  customer_id: wanted.customerId,
  payment_term: wanted.paymentTerm,
  activated_at_val: wanted.activate,
  card_id: wanted.cardId,
  coupon_code: wanted.couponCode,
  price: textOf(wanted.price),
  quantity: textOf(wanted.quantity),
  setup_fee: textOf(wanted.setupFee),
  addons: wanted.addons === undefined ? undefined : addonsSent(wanted.addons, guesses.addons),
  update_reason: wanted.reason,
})

const textOf = (value: number | undefined) => (value === undefined ? undefined : toNumberText(value))
