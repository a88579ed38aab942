import {
  createSeededRandom,
  daysFromEpoch,
  hexId,
  type SeededRandom,
} from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { firstNames, lastNames } from '../../seed-names.ts'
import type { ChatState, Contact } from './state.ts'

const settings = {
  tags: ['lead', 'customer', 'vip', 'support', 'newsletter', 'returns'],
  attributes: ['city', 'plan', 'birthday', 'language'],
}

const listNames = ['Shop customers', 'Early access', 'Support follow-up', 'Store visitors']

export function seedChat(): ChatState {
  const random = createSeededRandom(20_262)
  return {
    settingId: hexId('setting', 1),
    userId: hexId('chat-user', 1),
    settings: structuredClone(settings),
    contacts: Array.from({ length: 60 }, (_, index) => seedContact(index, random)),
    lists: listNames.map((name, index) => ({
      _id: hexId('contact-list', index),
      name,
      createdAt: daysFromEpoch(-200 + index * 30),
      incomingBlocked: false,
      tags: [],
      optin: true,
      attributes: [],
    })),
    templates: [
      { name: 'spring_banner', kind: 'media', format: 'image', approved: true },
      { name: 'product_tour', kind: 'media', format: 'video', approved: true },
      { name: 'order_invoice', kind: 'media', format: 'document', approved: true },
      { name: 'spring_picks', kind: 'carousel', approved: true },
      { name: 'new_arrivals', kind: 'carousel', approved: true },
      { name: 'winter_picks', kind: 'carousel', approved: false },
      { name: 'order_update', kind: 'text', approved: true },
      { name: 'login_code', kind: 'authentication', approved: true },
      { name: 'rate_your_visit', kind: 'buttons', approved: true },
      { name: 'weekend_offer', kind: 'offer', approved: true },
    ],
    messages: [],
    serial: 1,
  }
}

/** Short enough to be typed in an example. */
const demoContactId = '64b000000000000000000001'

function seedContact(index: number, random: SeededRandom): Contact {
  const age = 5 + random.below(300)
  const first = index === 0
  return {
    _id: first ? demoContactId : hexId('contact', index),
    name: first ? 'Ada Lindqvist' : `${random.pick(firstNames)} ${random.pick(lastNames)}`,
    settingId: hexId('setting', 1),
    userId: hexId('chat-user', 1),
    countryCode: '1',
    // 555-01xx numbers are kept free for fiction.
    mobile: `155501${String(10_000 + index).slice(-5)}`,
    status: 'active',
    source: index % 3 === 0 ? 'manual' : 'api',
    optin: first || random.chance(0.85),
    attributes: settings.attributes
      .filter((name) => name !== 'birthday' && random.chance(0.5))
      .map((name, place) => ({
        name,
        value: attributeValue(name, random),
        _id: hexId('attribute', index * 10 + place),
      })),
    incomingBlocked: !first && random.chance(0.05),
    broadcastIds: [],
    list: listNames.filter(() => random.chance(0.35)),
    tags: first ? ['customer', 'vip'] : settings.tags.filter(() => random.chance(0.3)),
    __v: 0,
    createdAt: daysFromEpoch(-age),
    updatedAt: daysFromEpoch(-age / 2),
    lastActive: daysFromEpoch(-(age % 14)),
  }
}

function attributeValue(name: string, random: SeededRandom): string {
  if (name === 'city') return random.pick(['Malmö', 'Halifax', 'Pune', 'Leipzig'])
  if (name === 'plan') return random.pick(['Starter', 'Team', 'Business'])
  return random.pick(['en', 'de', 'sv', 'pt'])
}
