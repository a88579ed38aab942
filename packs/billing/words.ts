import type { PackWords } from '../../src/kernel/command/language.ts'

/** What can be said in English for its commands. */
export const words: PackWords = {
  first: ['transaction find', 'refund'],
  concepts: {
    partial: 'partial|partially|partly|in part|a part of|part of',
    refund:
      'should be returned|must be returned|has to be returned|needs to be returned|should be paid back|must be paid back|should be given back|to be refunded|return money to|money back to|back to her card|back to his card|back to the card|back to the customer|some money back|send some money back|send money back|return money|return the charge|refund the charge|take back the charge|cancel the charge|rebate|settle back|refund pls|reimburse for|make a reimbursement|pay back to|refund|should be refunded|needs to be refunded|has to be refunded|must be refunded|needs refunding|reimburse|needs to go back|has to go back|should go back|goes back|go back|send it back|needs refunding|wants back|give back|pay back|money back|payback|return the money|return|give a refund|make a refund|issue a refund|refund money|reverse|undo the charge|reverse the charge|compensate|pay her back|pay him back|pay them back|give her back|give him back|give them back|make good|refund to|refunding|do a refund|process a refund|a refund|send back|repay|credit|credit back|give credit|issue credit',
    refunds:
      'refunds|refunded|reimbursed|refund history|given back|paid back|reimbursements|money returned|got back|get back|gets back|gotten back|received back|last refund|the last refund|latest refund|the latest refund|refunding history|credited',
    doubled:
      'charged twice|double charge|double charged|charged double|double billed|billed twice|paid twice|charged two times|billed double|double billing|double payment|charged again|twice charged|twice billed|duplicate charge|duplicate payment|duplicate charges|duplicate payments',
    payment:
      'payment|payments|came in|money came in|come in|did we get|pay|pays|transaction|transactions|charge|charges|invoice|invoices|charged|paid|billed|purchase|purchases|bought|billing history|payment history|order|orders|bill|bills|billing|spent|receipts',
    customer: 'user|end user|shopper|customer|customers|client|clients|buyer|buyers|account|accounts|payer',
    subscription:
      'renew|renews|renewal|renewal date|next renewal|next billing|next charge|is billed next|when billed|subscribed to|signed up for|pay for|pays for|paying for|on which plan|what plan|which plan|subscription|subscriptions|membership|contract',
    product: 'product|products|catalog|goods|items',
    'add-on': 'add-on|add-ons|addon|addons|add on|add ons|extra|extras|upsell|upsells',
    addon: 'add-on|add-ons|addon|addons|add on|add ons|extra|extras|upsell|upsells',
    license: 'license|licenses|licence|licences|license pool|serials|license key|license keys|licensing',
    multiplan:
      'multiplan|multiplans|checkout|checkout page|checkout pages|pricing page|pricing pages|sales page|order page|checkouts|payment page|payment pages',
    upgrade:
      'switch|switch to|move over to|bigger plan|larger plan|higher plan|step up to|goes to|put on the plan|onto the plan|upgrade|move up|bump up|step up|upgrading|bump|raise the plan|level up|go up',
    downgrade:
      'smaller plan|cheaper plan|lower plan|step down to|downgrade|move down|step down|downgrading|lower the plan|bump down|go down|reduce the plan',
  },
  params: {
    quantity: 'seats|seat|licenses|copies|pieces',
    invoice: 'inv|bill|number',
    card: 'cards|visa|mastercard',
  },
  choices: {
    refundType: {
      refund_credit:
        'credit|as credit|store credit|credit back|give credit|as store credit|account credit|issue credit',
      record_refund:
        'record|only record|just record|record only|for the books|book keeping only|offline refund',
    },
    activate: {
      immediately:
        'with immediate effect|right now|as of now|as of today|effective immediately|immediately|right away|at once|today|straight away|instantly',
      eot: 'at the end of the term|at the end of her term|at the end of his term|at the end of their term|at the end of the month|when her month is over|when his month is over|when the month is over|when the term is over|when the term ends|when it is over|next term|from the next term|next period|from the next period|at the next renewal|next renewal|after this term|after this period|at the end of her month|at the end of the billing period|when she renews|when he renews|once it renews|end of her term|end of his term|with the next bill|next billing cycle|from next month|end of term|at renewal|later|next cycle|at the end of the period|end of the period|when it renews|at period end|end of the month',
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
        { say: 'partial refund', set: {}, needs: 'amount' },
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
        'multiplan find',
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
      say: ['multiplan get', 'show multiplan', 'multiplan', 'find multiplan', 'multiplan plan'],
      beside: 'show plan',
    },
    'multiplan create': {
      say: ['multiplan create', 'make multiplan', 'make multiplan product', 'make multiplan plan'],
      beside: 'product plan',
    },
    'multiplan delete': { say: ['multiplan delete', 'remove multiplan'] },
    'multiplan update': {
      say: ['multiplan update', 'change multiplan', 'change multiplan plan'],
      beside: 'plan',
    },
    'addon find': {
      say: [
        'addon find',
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
    'addon get': {
      say: ['addon get', 'show addon', 'addon', 'find addon', 'addon plan'],
      beside: 'show plan',
    },
    'addon create': { say: ['addon create', 'make addon', 'make addon product'], beside: 'product' },
    'addon delete': { say: ['addon delete', 'remove addon'] },
    'addon update': {
      say: ['addon update', 'change addon', 'change addon plan', 'change plan addon'],
      beside: 'plan',
    },
    'license find': {
      say: [
        'license find',
        'license',
        'all license',
        'show license',
        'find license',
        'license product',
        'license many',
      ],
      beside: 'all show product many find',
    },
    'license get': {
      say: ['license get', 'show license', 'license', 'find license', 'license status'],
      beside: 'product show',
    },
    'license codes': {
      say: [
        'license codes',
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
    'license delete': { say: ['license delete', 'remove license'], beside: 'product' },
    'license delete-code': {
      say: ['license delete-code', 'remove code', 'remove code license'],
      beside: 'license product',
    },
    'transaction find': {
      say: [
        'transaction find',
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
        'who payment',
        'who customer payment',
      ],
      beside: 'customer show all many payment person count who find',
      examples: [
        'payments of cus_1001',
        'what did cus_1001 pay',
        'who paid 240 on 30 october',
        'invoice 513',
        '49 USD on 1 Nov',
      ],
    },
    'transaction refunds': {
      say: [
        'transaction refunds',
        'refunds',
        'refunds customer',
        { say: 'refund', set: {}, isAsked: true },
        'show refund',
        'all refund',
        'show refunds',
        'all refunds',
        'count refunds',
        'count refund',
        { say: 'refund customer', set: {}, isAsked: true },
        'refund list customer',
        'refunds payment',
        'find refunds',
      ],
      beside: 'customer show all payment many count status',
      examples: ['refunds of cus_1009'],
    },
    'transaction get': {
      say: [
        'transaction get',
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
    'transaction delete': { say: ['transaction delete', 'remove payment'] },
  },
}
