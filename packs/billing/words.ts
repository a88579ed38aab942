import type { PackWords } from '../../src/command/language.ts'

/** What can be said in English for its commands; each also answers to its own name. */
export const words: PackWords = {
  first: ['transaction find', 'refund'],
  concepts: {
    refund:
      'refund|reimburse|give back|pay back|money back|payback|return the money|return|give a refund|make a refund|issue a refund|refund money|reverse|undo the charge|reverse the charge|compensate|pay her back|pay him back|pay them back|give her back|give him back|give them back|make good|refund to|refunding|do a refund|process a refund|a refund|send back|repay|credit|credit back|give credit|issue credit',
    refunds:
      'refunds|refunded|reimbursed|refund history|given back|paid back|reimbursements|money returned|got back|get back|gets back|gotten back|received back|last refund|the last refund|latest refund|the latest refund|refunding history|credited',
    payment:
      'payment|payments|pay|pays|charged twice|double charge|charged double|double charged|transaction|transactions|charge|charges|invoice|invoices|charged|paid|billed|purchase|purchases|bought|billing history|payment history|order|orders|bill|bills|billing|spent|receipts',
    customer: 'customer|customers|client|clients|buyer|buyers|account|accounts|payer',
    subscription: 'subscription|subscriptions|membership|contract',
    product: 'product|products|catalog|goods|items',
    'add-on': 'add-on|add-ons|addon|addons|add on|add ons|extra|extras|upsell|upsells',
    addon: 'add-on|add-ons|addon|addons|add on|add ons|extra|extras|upsell|upsells',
    license: 'license|licenses|licence|licences|license pool|serials|license key|license keys|licensing',
    multiplan:
      'multiplan|multiplans|checkout|checkout page|checkout pages|pricing page|pricing pages|sales page|order page|checkouts|payment page|payment pages',
    upgrade: 'upgrade|move up|bump up|step up|upgrading|bump|raise the plan|level up|go up',
    downgrade: 'downgrade|move down|step down|downgrading|lower the plan|bump down|go down|reduce the plan',
  },
  choices: {
    refundType: {
      refund_credit:
        'credit|as credit|store credit|credit back|give credit|as store credit|account credit|issue credit',
      record_refund:
        'record|only record|just record|record only|for the books|book keeping only|offline refund',
    },
    activate: {
      immediately: 'now|immediately|right away|at once|today|straight away|instantly',
      eot: 'at the end of the term|end of term|at renewal|later|next cycle|at the end of the period|end of the period|when it renews|at period end|end of the month',
    },
    paymentMode: {
      credit_card: 'credit card|card|by card|on card|visa|by credit card',
      offline: 'offline|bank transfer|cash|cheque|check|by invoice|wire|invoice',
    },
    area: {
      billing: 'billing|money|payments|payment|refunds|refund|finance|subscriptions|charges',
    },
  },
  commands: {
    refund: {
      say: [
        'give back',
        'back',
        'give back payment',
        'refund',
        'refund payment',
        'refund customer',
        'refund payment customer',
        'make refund',
        'refunds help',
      ],
      beside: 'payment customer',
      examples: ['refund 20 of pay_1001 because she was charged twice', 'please give back pay_1003'],
    },
    upgrade: {
      say: [
        'upgrade',
        'upgrade subscription',
        'upgrade plan',
        'upgrade customer',
        'make plan',
        'change plan',
        'move plan',
        'change subscription plan',
      ],
      beside: 'subscription plan customer',
      examples: ['upgrade sub_1001 to plan_desk_business_m'],
    },
    downgrade: {
      say: ['downgrade', 'downgrade subscription', 'downgrade plan', 'downgrade customer'],
      beside: 'subscription plan customer',
      examples: ['downgrade sub_1002 to plan_desk_team_m at the end of the term'],
    },
    'multiplan find': {
      say: [
        'multiplan',
        'all multiplan',
        'show multiplan',
        'plan',
        'all plan',
        'show plan',
        'find plan',
        'multiplan many',
        'plan many',
        'find multiplan',
      ],
      beside: 'all show find many',
      examples: ['which plans do we sell'],
    },
    'multiplan get': {
      say: ['show multiplan', 'multiplan', 'find multiplan', 'multiplan plan'],
      beside: 'show plan',
    },
    'multiplan create': {
      say: ['make multiplan', 'make multiplan product', 'make multiplan plan'],
      beside: 'product plan',
    },
    'multiplan delete': { say: ['remove multiplan'] },
    'multiplan update': { say: ['change multiplan', 'change multiplan plan'], beside: 'plan' },
    'addon find': {
      say: [
        'addon',
        'all addon',
        'show addon',
        'find addon',
        'addon product',
        'all addon product',
        'show addon product',
      ],
      beside: 'all show product many find',
    },
    'addon get': { say: ['show addon', 'addon', 'find addon', 'addon plan'], beside: 'show plan' },
    'addon create': { say: ['make addon', 'make addon product'], beside: 'product' },
    'addon delete': { say: ['remove addon'] },
    'addon update': { say: ['change addon', 'change addon plan', 'change plan addon'], beside: 'plan' },
    'license find': {
      say: ['license', 'all license', 'show license', 'find license', 'license product', 'license many'],
      beside: 'all show product many find',
    },
    'license get': {
      say: ['show license', 'license', 'find license', 'license status'],
      beside: 'product show',
    },
    'license codes': {
      say: [
        'code license',
        'all code',
        'show code',
        'code',
        'all code license',
        'show code license',
        'count code',
        'find code',
      ],
      beside: 'license product all show many count',
    },
    'license delete': { say: ['remove license'], beside: 'product' },
    'license delete-code': { say: ['remove code', 'remove code license'], beside: 'license product' },
    'transaction find': {
      say: [
        'payment',
        'payment customer',
        'show payment',
        'all payment',
        'find payment',
        'count payment',
        'status payment',
        'payment many',
        'all payment customer',
        'show payment customer',
        'audit payment',
      ],
      beside: 'customer show all many payment person count',
      examples: ['payments of cus_1001', 'what did cus_1001 pay'],
    },
    'transaction refunds': {
      say: [
        'refunds',
        'refunds customer',
        'refund',
        'show refund',
        'all refund',
        'show refunds',
        'all refunds',
        'count refunds',
        'count refund',
        'refund customer',
        'refund list customer',
        'refunds payment',
        'find refunds',
      ],
      beside: 'customer show all payment many count status',
      examples: ['refunds of cus_1009'],
    },
    'transaction get': {
      say: [
        'show payment',
        'who payment',
        'status payment',
        'find payment',
        'audit payment',
        'refunds payment',
        'reasons payment',
        'audit refunds payment',
        'payment',
        { say: 'refund payment', set: {}, isAsked: true },
        { say: 'audit refund payment', set: {}, isAsked: true },
        { say: 'approval payment', set: {}, isAsked: true },
      ],
      beside: 'show who status payment refund refunds audit customer find',
      examples: ['was pay_1011 refunded?', 'pay_1001'],
    },
    'transaction delete': { say: ['remove payment'] },
  },
}
