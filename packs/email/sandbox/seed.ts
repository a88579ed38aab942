import {
  createSeededRandom,
  daysFromEpoch,
  hexId,
  type SeededRandom,
} from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import {
  companies,
  customerId,
  customers,
  firstNames,
  lastNames,
  places,
  positions,
} from '../../seed-names.ts'
import type { Campaign, EmailState, Subscriber, SubscriberList, SubscriberStatus } from './state.ts'

const businessId = hexId('business', 1)
const userId = hexId('user', 1)

export function seedEmail(): EmailState {
  const random = createSeededRandom(20_261)
  return {
    businessId,
    userId,
    subscribers: Array.from({ length: 250 }, (_, index) => seedSubscriber(index, random)),
    lists: listNames.map(([id, name], index) => seedList(id, name, index)),
    segments: segmentNames.map((name, index) => ({ id: hexId('segment', index), name })),
    customFields: [
      { id: hexId('field', 0), name: 'company', type: 'text' },
      { id: hexId('field', 1), name: 'position', type: 'text' },
      { id: hexId('field', 2), name: 'billing_id', type: 'text' },
    ],
    campaigns: campaigns.map(seedCampaign),
    outbox: [],
    fileSizes: {
      'https://files.example.com/price-list.pdf': 182_000,
      'https://files.example.com/welcome.txt': 1_200,
      'https://files.example.com/full-catalogue.pdf': 3_400_000,
    },
    serial: 1,
  }
}

const listNames = [
  ['lst_newsletter', 'Newsletter'],
  ['lst_product_updates', 'Product updates'],
  ['lst_customers', 'Customers'],
  ['lst_beta', 'Beta testers'],
  ['lst_webinar', 'Webinar guests'],
  ['lst_vip', 'VIP'],
  ['lst_partners', 'Partners'],
] as const

const segmentNames = ['Engaged this month', 'High score', 'New this quarter', 'At risk'] as const

const tagNames = [
  'trial',
  'customer',
  'newsletter',
  'webinar',
  'referral',
  'enterprise',
  'beta',
  'churn-risk',
] as const

function seedSubscriber(index: number, random: SeededRandom): Subscriber {
  const person = index === 0 ? ada : drawPerson(index, random)
  const { status, leadScore, opens } = person
  const age = index === 0 ? 210 : random.below(700)
  const sent = opens + random.below(12)
  const clicks = Math.floor(opens / 3)
  const [country, city] = random.pick(places)
  const createdAt = daysFromEpoch(-age - 1)
  const updatedAt = daysFromEpoch(-(age % 30) - 0.5)
  const isSuppressed = status === 'complaint' || status === 'bounced'
  return {
    _id: index === 0 ? demoSubscriberId : hexId('subscriber', index),
    userId,
    businessId,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    mobile: index === 0 ? demoNumber : index % 4 === 0 ? `1555010${String(index).padStart(4, '0')}` : '',
    leadScore,
    dateOfBirth: null,
    status,
    country,
    city,
    tags: person.tags,
    source: 'manual',
    segments: segmentsOf(status, leadScore, opens, age),
    customFields: {
      company: random.pick(companies),
      position: random.pick(positions),
      ...(index < customers.length && { billing_id: customerId(index) }),
    },
    activity: [],
    automationWorkflows: [],
    lists: person.lists,
    totalSent: sent,
    totalDelivered: status === 'bounced' ? opens : sent,
    totalOpens: opens,
    totalUniqueOpens: Math.ceil(opens / 2),
    totalUniqueClick: Math.ceil(clicks / 2),
    totalClicks: clicks,
    deleteAfter: null,
    suppression: {
      reason: isSuppressed ? (status === 'bounced' ? 'mailbox does not exist' : 'marked as spam') : '',
      type: isSuppressed ? status : '',
      createdAt,
      updatedAt,
    },
    isSuppressed,
    campaignDetails:
      index % 5 === 0
        ? [{ _id: hexId('delivery', index), campaignId: 'cmp_welcome', campaignName: 'Welcome aboard' }]
        : [],
    createdAt,
    updatedAt,
  }
}

/** Short enough to be typed in an example. */
/** The number of the first contact. */
const demoNumber = '15550110000'
const demoSubscriberId = '64a000000000000000000001'

const ada = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lindqvist',
  status: 'subscribed' as SubscriberStatus,
  leadScore: 72,
  opens: 18,
  tags: ['customer', 'newsletter'],
  lists: ['Newsletter', 'Customers'],
}

function drawPerson(index: number, random: SeededRandom): typeof ada {
  const firstName = random.pick(firstNames)
  const lastName = random.pick(lastNames)
  const roll = random.below(100)
  const status: SubscriberStatus =
    roll < 78 ? 'subscribed' : roll < 90 ? 'unsubscribed' : roll < 96 ? 'bounced' : 'complaint'
  return {
    // The number keeps addresses unique when two people share a name.
    email: `${firstName}.${lastName}.${index}@example.com`.toLowerCase(),
    firstName,
    lastName,
    status,
    leadScore: random.below(101),
    opens: random.chance(0.6) ? random.below(40) : 0,
    tags: tagNames.filter(() => random.chance(0.25)),
    lists: listNames.map(([, name]) => name).filter((name) => random.chance(name === 'VIP' ? 0.08 : 0.3)),
  }
}

function segmentsOf(status: string, leadScore: number, opens: number, age: number): string[] {
  return [
    ...(opens > 10 ? ['Engaged this month'] : []),
    ...(leadScore >= 70 ? ['High score'] : []),
    ...(age <= 90 ? ['New this quarter'] : []),
    ...(status !== 'subscribed' || (opens === 0 && leadScore < 20) ? ['At risk'] : []),
  ]
}

function seedList(id: string, name: string, index: number): SubscriberList {
  return {
    id,
    name,
    lastUpdated: daysFromEpoch(-index),
    createdAt: daysFromEpoch(-400 + index * 20),
    updatedAt: daysFromEpoch(-index),
  }
}

type CampaignRow = readonly [
  id: string,
  name: string,
  type: 'Regular' | 'API',
  status: Campaign['status'],
  subject: string,
]

const campaigns: readonly CampaignRow[] = [
  ['cmp_welcome', 'Welcome aboard', 'API', 'live', 'Welcome, here is how to begin'],
  ['cmp_spring_sale', 'Spring sale', 'Regular', 'live', 'A quarter off, until Sunday'],
  ['cmp_order_receipt', 'Order receipt', 'API', 'live', 'Your receipt'],
  ['cmp_trial_ending', 'Trial ending', 'API', 'live', 'Three days left of your trial'],
  ['cmp_november_news', 'November news', 'Regular', 'live', 'What we made in November'],
  ['cmp_password_help', 'Password help', 'API', 'live', 'Reset your password'],
  ['cmp_december_news', 'December news', 'Regular', 'scheduled', 'What we made in December'],
  ['cmp_winter_sale', 'Winter sale', 'Regular', 'scheduled', 'Warm prices for cold days'],
  ['cmp_webinar_invite', 'Webinar invitation', 'Regular', 'scheduled', 'An hour on better onboarding'],
  ['cmp_survey', 'Yearly survey', 'Regular', 'draft', 'Five questions for you'],
  ['cmp_win_back', 'Win back', 'Regular', 'draft', 'We kept your seat'],
  ['cmp_partner_letter', 'Partner letter', 'Regular', 'draft', 'News for partners'],
  ['cmp_beta_notes', 'Beta notes', 'Regular', 'draft', 'What changed in the beta'],
  ['cmp_renewal', 'Renewal reminder', 'API', 'live', 'Your plan renews soon'],
  // Another account's campaign: it exists, and must stay out of reach.
  ['cmp_foreign', 'Somebody else’s letter', 'Regular', 'live', 'Not yours'],
]

function seedCampaign([id, name, type, status, subject]: CampaignRow, index: number): Campaign {
  return {
    _id: id,
    businessId: id === 'cmp_foreign' ? hexId('business', 2) : businessId,
    campaignDetails: {
      campaignType: type === 'API' ? 'API / Workflow Campaign' : 'Regular',
      campaignName: name,
      senderName: 'Harbour Goods',
      subject,
      preheaderText: `${name}, from Harbour Goods`,
    },
    status,
    templateId: {
      _id: hexId('template', index),
      name: `${name} template`,
      builderType: type === 'API' ? 'HTML' : 'Drag and drop',
      htmlContent: `<html><body><h1>${subject}</h1><p>Hello {{firstName}}</p></body></html>`,
    },
    createdAt: daysFromEpoch(-60 + index * 3),
    updatedAt: daysFromEpoch(-30 + index * 2),
  }
}
