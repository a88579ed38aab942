import type { PackWords } from '../../src/command/language.ts'

/** What can be said in English for its commands; each also answers to its own name. */
export const words: PackWords = {
  first: ['subscriber get', 'campaign find'],
  concepts: {
    subscriber:
      'subscriber|subscribers|subs|reader|readers|recipient|recipients|email contact|mail contact|audience|people on the list|member|members|mailing contact|newsletter people|leads|lead',
    segment: 'segment|segments|filters',
    campaign:
      'campaign|campaigns|newsletter|newsletters|mailing|mailings|email blast|mail campaign|email campaign|email campaigns|emails',
    unsubscribe:
      'unsubscribe|opt|off the mailing|off the mailings|off the newsletter|off all lists|off our lists|off the emails|from all mailings|from the newsletter|from our mailings|opt out|opt-out|take off the mailing|stop mailing|stop emailing|no more emails for|sign off|remove from all lists|unsub',
    resubscribe: 'resubscribe|opt in|opt back in|re-subscribe|subscribe again|opt in again|subscribe',
    score: 'score|lead score|points|rating',
  },
  choices: {
    status: {
      subscribed: 'subscribed|active|opted in',
      unsubscribed: 'unsubscribed|opted out|left|inactive|unsubscribers',
      bounced: 'bounced|bouncing|bounces|undeliverable|dead|hard bounced|invalid addresses',
      complaint:
        'complained|complained about spam|about spam|complained of spam|complains|complaint|complaints|spam complaints|marked as spam|marked us as spam',
    },
    area: {
      email: 'email|mail|mails|emails|campaigns|campaign|newsletter|newsletters|mailing|mailings|subscribers',
    },
    type: {
      Regular: 'regular|normal|ordinary',
      'API / Workflow Campaign': 'api|workflow|automated|automation|transactional',
    },
  },
  commands: {
    'subscriber get': {
      say: [
        'show subscriber',
        'subscriber status',
        'who',
        'find subscriber',
        'subscriber score',
        'subscriber tag',
        'subscriber',
        { say: 'campaign', set: {}, isAsked: true },
        { say: 'send', set: {}, isAsked: true },
      ],
      examples: ['who is ada@example.com', 'look up ada@example.com please', 'ada@example.com'],
    },
    'subscriber find': {
      say: [
        { say: 'find', set: {}, free: 'search' },
        { say: 'find subscriber', set: {}, free: 'search' },
        { say: 'find many', set: {}, free: 'search' },
        { say: 'who', set: {}, free: 'search' },
        { say: 'who subscriber', set: {}, free: 'search' },
        { say: 'subscriber', set: {}, free: 'search' },
        'all subscriber',
        'show subscriber',
        'many subscriber',
        'who many',
        { say: 'who', set: {} },
        'show many',
        'all many',
        'many',
        { say: 'tag subscriber', set: {}, free: 'tags' },
        { say: 'tag many', set: {}, free: 'tags' },
        { say: 'tag who', set: {}, free: 'tags' },
      ],
      beside: 'many show status tag subscriber all',
      examples: ['find ada', 'show me the subscribers who bounced'],
    },
    'subscriber stats': {
      say: [
        'stats',
        'subscriber stats',
        'show stats',
        'count subscriber',
        'count many',
        'subscriber count list',
        'all count',
        'campaign stats',
        'count',
      ],
      beside: 'subscriber all list show many',
      examples: ['stats', 'how many subscribers do we have'],
    },
    'subscriber fields': {
      say: ['field', 'field subscriber', 'show field', 'all field', 'subscriber field'],
      beside: 'subscriber all list show',
    },
    'subscriber export': {
      say: [
        'export',
        'export subscriber',
        'export list',
        'export many',
        'subscriber export',
        { say: 'export tag', set: {}, free: 'tags' },
      ],
      free: 'search',
      beside: 'subscriber all list show many all everybody',
      examples: ['export all subscribers as csv'],
    },
    'subscriber import': {
      say: [
        'import',
        'import subscriber',
        'import many',
        'change many import',
        'subscriber import',
        'make subscriber import',
      ],
      beside: 'subscriber many change make',
    },
    'subscriber create': {
      say: ['make subscriber', 'make subscriber list'],
      beside: 'subscriber',
      examples: ['add new@example.com as a subscriber'],
    },
    'subscriber delete': {
      say: ['remove subscriber'],
      beside: 'subscriber',
      examples: ['delete the subscriber kim@example.com'],
    },
    'subscriber update': {
      say: [
        'change subscriber',
        'change score',
        'change status subscriber',
        { say: 'unsubscribe', set: { status: 'unsubscribed' } },
        { say: 'resubscribe', set: { status: 'subscribed' } },
        { say: 'tag', set: {}, free: 'tagsToAdd' },
        { say: 'tag subscriber', set: {}, free: 'tagsToAdd' },
        { say: 'make tag', set: {}, free: 'tagsToAdd' },
        { say: 'give tag', set: {}, free: 'tagsToAdd' },
        { say: 'remove tag', set: {}, free: 'tagsToRemove' },
        { say: 'score', set: {} },
      ],
      beside: 'subscriber remove give',
      examples: ['unsubscribe kim@example.com', 'tag ada@example.com with beta'],
    },
    'list find': {
      say: ['list', 'list show', 'show list', 'find list', 'list count', 'list many', 'count list'],
      beside: 'show subscriber many all',
      examples: ['which mailing lists are there'],
    },
    'list get': {
      say: ['list show', 'show list', 'list', 'list status', 'count list', 'list count', 'count subscriber'],
      beside: 'show subscriber many who count all',
    },
    'list segments': {
      say: ['segment', 'list segment', 'show segment', 'segment list'],
      beside: 'list show all',
    },
    'list create': { say: ['make list'], free: 'name', examples: ['make a new list called "Spring launch"'] },
    'list add': {
      say: ['make list', 'make subscriber list', 'subscriber list make', 'list add'],
      beside: 'subscriber all',
    },
    'list remove': {
      say: ['remove list', 'remove subscriber list', 'unsubscribe list'],
      beside: 'subscriber all',
      examples: ['take ada@example.com off the list lst_newsletter'],
    },
    'list move': {
      say: ['move list', 'move', 'move subscriber', 'move subscriber list'],
      beside: 'list subscriber all',
    },
    'campaign find': {
      say: [
        'campaign',
        'all campaign',
        'show campaign',
        'find campaign',
        'campaign many',
        'count campaign',
        'campaign status',
        'campaign running',
      ],
      beside: 'all show many count find running',
      examples: ['which campaigns do we have'],
    },
    'campaign get': {
      say: ['show campaign', 'campaign status', 'campaign', 'find campaign', 'show', 'status'],
      beside: 'status show',
      examples: ['show the campaign cmp_spring_sale'],
    },
    'campaign send': {
      say: ['send campaign', 'send', 'campaign send subscriber', 'send subscriber'],
      beside: 'campaign subscriber many all list tag',
      examples: ['send cmp_welcome to ada@example.com'],
    },
    'campaign send-list': {
      say: ['send campaign list', 'send list', 'send campaign', 'send', 'send campaign subscriber list'],
      beside: 'campaign subscriber all list many everybody',
      examples: ['send cmp_spring_sale to the list lst_vip'],
    },
  },
}
