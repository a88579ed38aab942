import { describe, expect, it } from 'vitest'
import { thing } from '../../src/lib/view/thing.ts'
import { meaningOf, reader, surroundings } from './corpus.ts'

const read = (said: string, more: object = {}) => reader.read(said, { ...surroundings, ...more })
const people = ['a@x.io', 'b@x.io', 'c@x.io'].map((id) => thing('subscriber', id))

describe('what speaks of the last answer', () => {
  it.each([
    ['show it', 1, 'run person get a@x.io'],
    ['show it', 3, 'nothing'],
    ['show it', 0, 'nothing'],
    ['show the second one', 1, 'nothing'],
    ['show the second one', 3, 'run person get b@x.io'],
    ['show the last one', 1, 'run person get a@x.io'],
    ['show the last one', 3, 'run person get c@x.io'],
    ['show the fifth one', 3, 'nothing'],
    ['delete it', 1, 'offer subscriber delete a@x.io'],
    ['delete it', 3, 'nothing'],
    ['delete it', 0, 'nothing'],
    ['refund it', 1, 'offer refund a@x.io'],
    ['refund it', 0, 'ask back refund'],
    ['show their tags', 1, 'run subscriber get a@x.io'],
  ])('%s, of %i people, means: %s', (said, count, meaning) => {
    const understood = read(said, { recent: people.slice(0, count) })
    expect(meaningOf(understood)).toBe(meaning)
    expect(understood.refersBack).toBe(true)
  })
})

describe('what is said beside an order', () => {
  it.each([
    ['refund pay_1001 tomorrow 20', 'offer refund pay_1001 20 --at tomorrow'],
    ['refund pay_1001 20 30', 'ask back refund pay_1001 20 (not read: 30)'],
    ['refund pay_1001 pay_1002', 'nothing'],
    ['refund pay_1001 since yesterday', 'nothing'],
    ['refund pay_1001?', 'run transaction get pay_1001'],
    ['can you refund pay_1001?', 'offer refund pay_1001'],
    ['did you refund pay_1001', 'run transaction get pay_1001'],
    ["don't refund pay_1001", 'nothing'],
    ['how do I refund pay_1001', 'run bellhop help refund'],
    ['refund pay_1001 20 dollars because of "x y"', 'offer refund pay_1001 "20 dollars" --description "x y"'],
    ['refund pay_1001 because: late', 'offer refund pay_1001 --description late'],
    ['refund pay_1001 because late: twice', 'offer refund pay_1001 --description "late: twice"'],
    ['refund pay_1001 becuase zorblax', 'ask back refund pay_1001 (not read: zorblax)'],
    ['refund pay_1001 because:', 'offer refund pay_1001'],
    ['refund pay_1001 because?', 'run transaction get pay_1001'],
    ['audit because:', 'run audit find'],
    ['subscriber ada@example.com 1.000', 'nothing'],
    [
      'show pay_1001 the last payment of ada@example.com',
      'run transaction get pay_1001 --customer ada@example.com',
    ],
    ['prod_1', 'run addon find prod_1'],
    ['templates Vip gold', 'nothing'],
    ['refund pay_1001 in dollars', 'ask back refund pay_1001 (not read: dollars)'],
    ['dollars refund pay_1001 20', 'nothing'],
    ['refund pay_1001 20 30%', 'ask back refund pay_1001 20 (not read: 30%)'],
    ['refund payment pay_1001 and payment pay_1002', 'ask back refund pay_1001 (not read: pay_1002)'],
    ['please refund pay_1001 1.000', 'ask back refund pay_1001 (not read: 1.000)'],
    ['upgrade sub_1 to plan_2 price 12.5', 'offer upgrade sub_1 plan_2 --price 12.5'],
    ['upgrade sub_1 to plan_2 quantity 3 price 12.5', 'offer upgrade sub_1 plan_2 --price 12.5 --quantity 3'],
    ['upgrade sub_1 to plan_2 3 quantity 12.5 price', 'offer upgrade sub_1 plan_2 --price 12.5 --quantity 3'],
    [
      'upgrade sub_1 to plan_2 setup fee 5 price 12.5',
      'offer upgrade sub_1 plan_2 --price 12.5 --setup-fee 5',
    ],
    [
      'upgrade sub_1 to plan_2 setup fee 5 quantity 3',
      'offer upgrade sub_1 plan_2 --quantity 3 --setup-fee 5',
    ],
    [
      'upgrade sub_1 to plan_2 with a setup fee of 5 and a price of 12.5',
      'offer upgrade sub_1 plan_2 --price 12.5 --setup-fee 5',
    ],
    [
      'upgrade sub_1 to plan_2 5 setup fee 12.5 price',
      'offer upgrade sub_1 plan_2 --price 12.5 --setup-fee 5',
    ],
    [
      'find subscribers lead score max 50 min 20',
      'run subscriber find --lead-score-min 20 --lead-score-max 50',
    ],
    [
      'find subscribers max lead score 50 min lead score 20',
      'run subscriber find --lead-score-min 20 --lead-score-max 50',
    ],
    ['find ada page 2', 'run subscriber find ada --page 2'],
    ['upgrade sub_1 to plan_2 for the price quantity 3', 'offer upgrade sub_1 plan_2 --quantity 3'],
    ['create addon prod_1 5', 'offer addon create prod_1 --price 5'],
    ['upgrade sub_1 to plan_2 quantity 3', 'offer upgrade sub_1 plan_2 --quantity 3'],
    ['create contact +46701234567', 'offer contact create +46701234567'],
    [
      'create contact 64b000000000000000000001',
      'run contact get 64b000000000000000000001 (not read: create)',
    ],
    ['create subscriber a@x.io', 'offer subscriber create a@x.io'],
    ['send spring sale to all', 'ask back campaign send cmp_spring_sale'],
    ["show ada@example.com's tags", 'run subscriber get ada@example.com'],
    ['create a list called Big because we need it', 'offer list create Big'],
    ['create a list called please wait', 'offer list create "please wait"'],
    ['create a list calld Big', 'offer list create Big'],
    ['create list Winter', 'offer list create Winter'],
    ['find Zorblax Friday', 'run subscriber find "Zorblax Friday"'],
    ['find zorblax Friday', 'run subscriber find zorblax (not read: Friday)'],
    ['create a list called Big spenders please', 'offer list create "Big spenders"'],
    ['create a list called "Big spenders" please', 'offer list create "Big spenders"'],
    ['create a list named Big, please', 'offer list create Big'],
    [
      'tag ada@example.com with "vip gold" and beta',
      'ask back subscriber update ada@example.com --tags-to-add "vip gold" (not read: beta)',
    ],
    ['message +46701234567 hello', 'ask back message text +46701234567'],
    ['send spring sale to a@x.io and b@x.io', 'offer campaign send cmp_spring_sale a@x.io,b@x.io'],
    ['find regular campaigns', 'run campaign find --type Regular'],
    ['show spring "sale"', 'nothing'],
    ['refnd pay_1001 20', 'offer refund pay_1001 20'],
    ['create a campaign spring sale', 'run campaign get cmp_spring_sale (not read: create)'],
    ['show me ada@example.com and zorblax', 'run person get ada@example.com (not read: zorblax)'],
    ['show ada@example.com zorblax blurb', 'nothing'],
    ['find ada lindqvist of the blue house', 'nothing'],
    ['find "x y" and "z"', 'run subscriber find "x y z"'],
    ['subscriber zorb blurb florb glorp', 'nothing'],
    ['audit of the last 3 weeks', 'run audit find --since 21d'],
    ['what happened in 2 days', 'run audit find --since 2d'],
    ['in 2 days refund pay_1001', 'offer refund pay_1001 --at "in 2d"'],
    ['refund pay_1001 in 3 months', 'offer refund pay_1001 --at "in 90d"'],
    ['refund pay_1001 2 days ago', 'nothing'],
    ['refund pay_1001 at', 'offer refund pay_1001'],
    ['refund pay_1001 2026-12-01 20', 'offer refund pay_1001 20 --at 2026-12-01'],
    ['refund pay_1001 20 30d', 'ask back refund pay_1001 20 (not read: 30d)'],
    ['refunds 30d by reason', 'run report refunds --since 30d --by reason'],
    ['refund pay_1001 tomorrow 3 am', 'offer refund pay_1001 --at "tomorrow 3 am"'],
    ['refund pay_1001 tomorrow 3 pm', 'offer refund pay_1001 --at "tomorrow 3 pm"'],
    ['refund pay_1001 20 nov', 'offer refund pay_1001 --at "20 nov"'],
    ['refund pay_1001 of tomorrow', 'ask back refund pay_1001 (not read: tomorrow)'],
    ['cancel the approval of ab23cd45ef', 'run approval get ab23cd45ef'],
    ['cancel the approval of job ab23cd45ef', 'nothing'],
    ['end the grant ab23cd45ef', 'offer grant end ab23cd45ef'],
    ['stop the schedule ab23cd45ef', 'offer schedule delete ab23cd45ef'],
    ['stop the job ab23cd45ef', 'run job get ab23cd45ef'],
    ['call the billing api with put /multiplans', 'ask back api call billing PUT (not read: /multiplans)'],
    ['find workflow campaigns', 'run campaign find --type "API / Workflow Campaign"'],
    ['set lead score of ada@example.com to 80', 'offer subscriber update ada@example.com --lead-score 80'],
    ['set score of ada@example.com to 80', 'nothing'],
    ['upgrade sub_1 to plan_2 setup 5', 'nothing'],
    ['upgrade sub_1 to plan_2 setup fee 5', 'offer upgrade sub_1 plan_2 --setup-fee 5'],
    ['a@x.io b@x.io', 'nothing'],
    // What it means as a verb and as a noun takes two words.
    ['text', 'nothing'],
  ])('%s means: %s', (said, meaning) => {
    expect(meaningOf(read(said))).toBe(meaning)
  })

  it.each([
    ['64b000000000000000000001', ['person get', 'campaign get', 'list get', 'transaction get', 'addon find']],
    ['contact 64b000000000000000000001', ['contact get']],
    ['tag ada@example.com with vip', ['subscriber update', 'subscriber get', 'contact update']],
    ['send spring sale to vip customers', ['campaign send-list', 'campaign send']],
    ['refund it', ['refund']],
  ])('%s can mean, from the likeliest on: %j', (said, names) => {
    expect(read(said).readings.map(({ command }) => command.name)).toEqual(names)
  })

  it('says which values are missing', () => {
    const missing = (said: string) => read(said).readings[0]?.missing.map(({ name }) => name)
    expect(missing('upgrade sub_1 to plan_2 now')).toEqual(['paymentMode'])
    expect(missing('refund pay_1001')).toEqual([])
  })

  it('is a sentence where it has words of its own', () => {
    expect(read('a@x.io b@x.io').isSentence).toBe(false)
    expect(read('find ada lindqvist of the blue house').isSentence).toBe(true)
  })
})

describe('what is to come again and again', () => {
  it.each([
    ['schedule the digest every monday', 'offer schedule create "report digest" --every "monday 9:00"'],
    ['every monday "show me the digest"', 'offer schedule create "report digest" --every "monday 9:00"'],
    ['schedule every monday', 'nothing'],
    ['schedule "show ada@example.com zorblax" every monday', 'nothing'],
    ['schedule "64b000000000000000000001" every monday', 'nothing'],
    ['schedule "refund pay_1001 20" every monday', 'nothing'],
    ['schedule "who would have to approve refund pay_1001 20" every monday', 'nothing'],
  ])('is a look-up that is read without doubt: %s means: %s', (said, meaning) => {
    expect(meaningOf(read(said))).toBe(meaning)
  })
})

it.each([
  ['how do I schedule something', 'run bellhop help "schedule create"'],
  ['how do I remove a schedule', 'run bellhop help "schedule delete"'],
  ['how do I see the tags of a subscriber', 'run bellhop help "subscriber update"'],
  ['how do I find lists', 'run bellhop help "list find"'],
])('%s is answered by the help for a change, where one is near: %s', (said, meaning) => {
  expect(meaningOf(read(said))).toBe(meaning)
})

it.each([
  ['show Growth', 'run list get lst_1'],
  ['show growth', 'run subscriber stats'],
  ['show me growth', 'run subscriber stats'],
  ['Growth', 'run subscriber stats'],
  ['list growth', 'run subscriber stats'],
  ['show the list growth', 'run list get lst_1'],
  ['show the growth list', 'run list get lst_1'],
  ['show Stats', 'run subscriber stats'],
  ['show Metrics', 'run list get Metrics'],
])(
  'a word of the language is a name where it is written or announced as one: %s means: %s',
  (said, meaning) => {
    const lists = ['Growth', 'stats', 'METRICS', 'Metrics'].flatMap(
      (name, at) => thing('list', `lst_${at + 1}`, { name }) ?? [],
    )
    const named = (words: string) =>
      lists.filter(({ name = '' }) => name.toLowerCase() === words.toLowerCase())
    expect(meaningOf(read(said, { named }))).toBe(meaning)
  },
)

it.each([
  [['campaign', 'list'], true],
  [['campaign', 'list', 'subscriber'], false],
] as const)('what %j are called means the first of two, and one to choose of more', (kinds, isClear) => {
  const trio = kinds.flatMap((kind) => thing(kind, `${kind}_1`, { name: 'Trio' }) ?? [])
  const named = (words: string) => (words.toLowerCase() === 'trio' ? trio : [])
  expect(read('trio', { named }).isClear).toBe(isClear)
})

it('who would ask for something is no part of what is asked for', () => {
  const sam = thing('colleague', 'p-sam', { name: 'Sam' })
  const named = (words: string) => (sam !== undefined && words.toLowerCase() === 'sam' ? [sam] : [])
  expect(meaningOf(read('who must approve a refund of pay_1001 by sam', { named }))).toBe(
    'run policy explain "refund pay_1001" --as p-sam',
  )
})

it('within a command nothing else is read, and no greeting either', () => {
  const within = read('refund pay_1001').readings[0]?.command
  expect(meaningOf(read('hi', { within }))).toBe('nothing')
  expect(meaningOf(read('show ada@example.com', { within }))).toBe('nothing')
  expect(meaningOf(read('refund payment pay_1001', { within }))).toBe('offer refund pay_1001')
})
