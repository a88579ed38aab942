import { describe, expect, it } from 'vitest'
import { type Parsed, parseLine, readValues } from '../../../src/kernel/command/line/parse.ts'
import { didYouMean } from '../../../src/lib/view/did-you-mean.ts'
import type { Refusal } from '../../../src/lib/view/refusals.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { commandsWith } from '../../harness/commands.ts'
import { fileFor } from '../inputs.ts'

const registry = commandsWith()

const parsed = (line: string): Parsed => {
  const result = parseLine(registry, line, fileFor(line))
  if (!result.ok) throw new Error(`${line}: ${result.refusal.message}`)
  return result.value
}

const refused = (line: string): Refusal => {
  const result = parseLine(registry, line)
  if (result.ok) throw new Error(`${line} was understood: ${JSON.stringify(result.value.input)}`)
  return result.refusal
}

it.each(registry.all.flatMap(({ name, examples }) => examples.map((line) => [line, name] as const)))(
  'the example "%s" is a whole %s',
  (line, name) => {
    const { command, missing } = parsed(line)
    expect(command.name).toBe(name)
    expect(missing).toEqual([])
  },
)

it.each<[string, Record<string, unknown>]>([
  ['refund pay_1', { paymentId: 'pay_1' }],
  ['/refund pay_1 20', { paymentId: 'pay_1', amount: '20' }],
  ['REFUND pay_1 20', { paymentId: 'pay_1', amount: '20' }],
  ['bellhop refund pay_1 20', { paymentId: 'pay_1', amount: '20' }],
  ['refund pay_1 +20', { paymentId: 'pay_1', amount: '20' }],
  ['refund pay_1 20 usd', { paymentId: 'pay_1', amount: '20 USD' }],
  ['refund pay_1 $1,200.00 --customer cus_1', { paymentId: 'pay_1', amount: '1200 $', customer: 'cus_1' }],
  ['refund --amount 20 pay_1', { paymentId: 'pay_1', amount: '20' }],
  ['refund --AMOUNT=20 --payment-id pay_1', { paymentId: 'pay_1', amount: '20' }],
  ['refund --paymentId pay_1', { paymentId: 'pay_1' }],
  [
    'refund pay_1 20 —description “charged twice”',
    { paymentId: 'pay_1', amount: '20', description: 'charged twice' },
  ],
  ['refund pay_1 --reason "charged twice"', { paymentId: 'pay_1', description: 'charged twice' }],
  ['refund pay_1 --refund-type "Refund Credit"', { paymentId: 'pay_1', refundType: 'refund_credit' }],
  ['refund pay_1 --refund-type credit', { paymentId: 'pay_1', refundType: 'refund_credit' }],
  ['refund pay:1', { paymentId: 'pay:1' }],
  ['subscriber get <mailto:ada@example.com|ada@example.com>', { who: 'ada@example.com' }],
  ['subscriber find --tags vip, big', { tags: ['vip', 'big'] }],
  ['subscriber find --tags vip ,big', { tags: ['vip', 'big'] }],
  ['subscriber find --tags vip , big', { tags: ['vip', 'big'] }],
  ['subscriber find --tags vip --tags big', { tags: ['vip', 'big'] }],
  ['subscriber find --tags "big spender","vip"', { tags: ['big spender', 'vip'] }],
  ['subscriber find --tags "big spender", "vip"', { tags: ['big spender', 'vip'] }],
  ['subscriber find --tags="vip, big spender"', { tags: ['vip', 'big spender'] }],
  ['subscriber find --tags vip,"big spender"', { tags: ['vip', 'big spender'] }],
  ['subscriber find --tags vip,"big spender" ada', { tags: ['vip', 'big spender'], search: 'ada' }],
  ['subscriber find --tags beta,"gold"', { tags: ['beta', 'gold'] }],
  ['subscriber find --tags=“big spender”,vip', { tags: ['big spender', 'vip'] }],
  [
    'subscriber find --tags "big spender",vip --lists "a b"',
    { tags: ['big spender', 'vip'], lists: ['a b'] },
  ],
  [
    'subscriber find --tags "big spender", vip —lists "a b"',
    { tags: ['big spender', 'vip'], lists: ['a b'] },
  ],
  ["subscriber find --tags 'big spender','vip'", { tags: ['big spender', 'vip'] }],
  ["subscriber find --tags 'big spender',o'brien", { tags: ['big spender', "o'brien"] }],
  ['subscriber find --tags ["big spender", "vip"]', { tags: ['big spender', 'vip'] }],
  ['subscriber find --tags \'["big spender","vip"]\'', { tags: ['big spender', 'vip'] }],
  ['subscriber find ada --lead-score-min 5', { search: 'ada', leadScoreMin: 5 }],
  ['subscriber find -- --odd', { search: '--odd' }],
  ['help refund', { command: 'refund' }],
  ['bellhop help subscriber update', { command: 'subscriber update' }],
  ['contact update 64b7f0c2a1d3e4f5a6b7c8d9 --optin', { id: '64b7f0c2a1d3e4f5a6b7c8d9', optin: true }],
  ['contact update 64b7f0c2a1d3e4f5a6b7c8d9 --optin no', { id: '64b7f0c2a1d3e4f5a6b7c8d9', optin: false }],
  [
    'contact update --optin 64b7f0c2a1d3e4f5a6b7c8d9 --name Ada',
    { id: '64b7f0c2a1d3e4f5a6b7c8d9', optin: true, name: 'Ada' },
  ],
  [
    'upgrade sub_1 gold --payment-mode card --price 2.50 --addons a:1,b:2',
    { subscriptionId: 'sub_1', planId: 'gold', paymentMode: 'credit_card', price: 2.5, addons: 'a:1,b:2' },
  ],
  [
    "api call billing PUT /x --body '{“a”: 1}'",
    { service: 'billing', method: 'PUT', path: '/x', body: { a: 1 } },
  ],
  [
    'api call billing PUT /x --body {"a": 1, "b": ["x y", "{"]} --query {“c”: “d e”}',
    {
      service: 'billing',
      method: 'PUT',
      path: '/x',
      body: { a: 1, b: ['x y', '{'] },
      query: { c: 'd e' },
    },
  ],
  [
    'api call billing PUT /x --body {"link": "<https://x.io/a?b=1|x.io>", "n": 1}',
    { service: 'billing', method: 'PUT', path: '/x', body: { link: 'https://x.io/a?b=1', n: 1 } },
  ],
  [
    'refund pay_1 --description "he said "no", twice"',
    { paymentId: 'pay_1', description: 'he said "no", twice' },
  ],
])('%s is understood', (line, input) => {
  expect(parsed(line).input).toEqual(input)
})

it.each<[string, Refusal['code'], string]>([
  ['', 'empty_line', 'no command'],
  ['   /', 'empty_line', 'no command'],
  ['--amount 20', 'unknown_command', '--amount'],
  ['"" refund', 'unknown_command', '""'],
  ['refnud pay_1', 'unknown_command', '"refnud"'],
  ['constructor', 'unknown_command', '"constructor"'],
  ['subscriber', 'unknown_command', 'one more word'],
  ['subscriber gte ada@example.com', 'unknown_command', '"gte"'],
  ['refund pay_1 20 30', 'bad_value', '“20 30”'],
  ['contact get 64b7f0c2a1d3e4f5a6b7c8d9 30', 'surplus_word', '"30"'],
  ['refund pay_1 20 --amonut 3', 'unknown_flag', '--amonut'],
  ['refund pay_1 --constructor x', 'unknown_flag', '--constructor'],
  ['refund pay_1 --description', 'missing_value', '--description'],
  ['refund pay_1 --description=', 'missing_value', '--description'],
  ['refund pay_1 --description --amount 3', 'missing_value', '--description'],
  ['refund pay_1 --amount= 3', 'missing_value', '--amount'],
  ['refund pay_1 20 --amount 30', 'given_twice', 'amount'],
  ['refund pay_1 "20', 'open_quote', '"20'],
  ['refund pay_1 twenty', 'bad_value', '“twenty”'],
  ['refund pay_1 -5', 'bad_value', 'amount'],
  ['refund pay_1 –5', 'bad_value', 'amount'],
  ['refund pay_1 1.5', 'bad_value', '1.5'],
  ['refund pay_1 --refund-type gift', 'bad_value', '“gift”'],
  ['contact update 64b7f0c2a1d3e4f5a6b7c8d9 --optin=constructor', 'bad_value', '“constructor”'],
  ['contact update 64b7f0c2a1d3e4f5a6b7c8d9 --optin maybe', 'surplus_word', '"maybe"'],
  ['subscriber find --tags vip,', 'bad_value', 'tags'],
  ['api call billing PUT /x --body {oops', 'bad_value', '“{oops”'],
])('%s is refused as %s, by name', (line, code, named) => {
  const refusal = refused(line)
  expect(refusal.code).toBe(code)
  expect(refusal.message).toContain(named)
  expect(refusal.next).not.toBe('')
})

it.each([
  ['refnud pay_1', 'refund'],
  ['subscriber gte x', 'subscriber get'],
  ['subscirber get x', 'subscriber get'],
  ['campagin', 'campaign'],
  ['refund pay_1 --amonut 3', '--amount'],
  ['refund pay_1 --desc x', '--description'],
])('%s gets "did you mean %s"', (line, meant) => {
  expect(refused(line).next).toContain(`Did you mean ${meant}?`)
})

it('a refusal about a known command carries its usage line', () => {
  for (const line of ['refund a 1 2', 'refund a --x 1', 'refund a --amount', 'refund a b']) {
    expect(refused(line).usage).toBe(
      'refund <payment-id> [amount] [--customer text] [--refund-type refund|refund_credit|record_refund] [--description text] [--at text] [--also text]',
    )
  }
})

it('a line with required values missing keeps what was given, for a form', () => {
  const { command, missing, given } = parsed('upgrade sub_1 --quantity 2')
  expect(command.name).toBe('upgrade')
  expect(missing.map(({ flag }) => flag)).toEqual(['plan-id', 'payment-mode'])
  expect(given).toEqual({ subscriptionId: 'sub_1', quantity: '2' })
})

it('options of a platform are read by flag or by name, in their own types', () => {
  const command = registry.get('refund')
  if (command === undefined) throw new Error('there is no refund')
  const read = readValues(command, { 'payment-id': 'pay_1', amount: 20 })
  expect(read.ok && read.value.input).toEqual({ paymentId: 'pay_1', amount: '20' })
  const unknown = readValues(command, { 'payment-id': 'pay_1', gift: 'x' })
  expect(unknown.ok ? undefined : unknown.refusal).toMatchObject({ code: 'unknown_flag' })
})

it('a file for a command that takes none is told to stay out', () => {
  const result = parseLine(registry, 'refund pay_1', { name: 'a.csv', bytes: Buffer.from('x') })
  expect(result.ok ? undefined : result.refusal).toMatchObject({
    code: 'surplus_word',
    message: 'refund takes no file.',
    next: 'Leave the file out.',
  })
})

it.each([
  // Short for something else, or of another meaning.
  ['refund pay_1 --cc 5', undefined],
  ['refund pay_1 --to ada', undefined],
  // The start of a word, or a slip.
  ['refund pay_1 --desc late', '--description'],
  ['refund pay_1 --descripton late', '--description'],
  ['subscriber find --tgas vip', '--tags'],
])('%s leads to the flag %s', (line, meant) => {
  const { next } = refused(line)
  if (meant === undefined) expect(next).toMatch(/^It takes --/)
  else expect(next).toBe(`Did you mean ${meant}?`)
})

it('a word that only begins like another is not it', () => {
  expect(didYouMean('at', ['attachments', 'activate'])).toBeUndefined()
  expect(didYouMean('id', ['to', 'cc'])).toBeUndefined()
})

it('a value that was forgotten is said with what fits', () => {
  expect(refused('refund pay_1 --description').next).toMatch(/^What fits: Why/)
})

describe('a value that does not fit', () => {
  const values = ['', 'zorblax', '-1', '0', '12.5', '1,000', '½', '{', 'a b', '\u200b', 'x'.repeat(300)]
  it.each(registry.all)('of $name is said once, and never by the name of its parameter first', (command) => {
    for (const param of command.params) {
      for (const value of values) {
        const read = readValues(command, { [param.name]: value })
        if (read.ok || read.refusal.code !== 'bad_value') continue
        const { message, next, would = [] } = read.refusal
        expect(message).not.toMatch(new RegExp(`^(?:--)?${param.flag}\\b`))
        expect(message).toMatch(/^[\p{Lu}“].*[.]$/su)
        expect(plainWords(next)).toMatch(/[.!]$/)
        expect(plainWords(next)).not.toBe(message)
        for (const other of would) expect(readValues(command, { [param.name]: other }).ok).toBe(true)
      }
    }
  })
})

it('--reason and --description say the same where a command has one of them', () => {
  const one = parseLine(registry, 'refund pay_1 --reason Late')
  expect(one).toEqual(parseLine(registry, 'refund pay_1 --description Late'))
  expect(parseLine(registry, 'upgrade sub_1 plan_1 --description Late')).toEqual(
    parseLine(registry, 'upgrade sub_1 plan_1 --reason Late'),
  )
})
