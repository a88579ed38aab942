import { expect, it } from 'vitest'
import { refusalOf, serviceRefusal } from '../../../src/kernel/context/error-refusals.ts'
import { found } from '../../../src/kernel/context/person-part.ts'
import { LogKeyError } from '../../../src/kernel/model/checkpoint.ts'
import { ServiceError } from '../../../src/lib/services/errors.ts'
import { DatabaseError } from '../../../src/lib/sql/database.ts'
import { refusalLine } from '../../../src/lib/view/refusals.ts'

type Details = ConstructorParameters<typeof ServiceError>[0]
const errorOf = (over: Partial<Details>) =>
  new ServiceError({
    kind: 'rejected',
    outcome: 'not_done',
    service: 'billing',
    row: 'refundPayment',
    ...over,
  })

it.each<[Partial<Details>, string, string]>([
  [{}, 'rejected', 'The billing service refused.'],
  [{ serviceMessage: 'Too late.' }, 'rejected', 'The billing service refused: Too late.'],
  [
    { kind: 'unauthorized', serviceMessage: 'Bad key' },
    'unauthorized',
    'does not accept our credentials: Bad key.',
  ],
  [{ kind: 'not_found' }, 'not_found', 'The billing service found nothing by that name.'],
  [
    { kind: 'not_found', row: 'findMultiplans' },
    'not_found',
    'The billing service has no such endpoint: GET ',
  ],
  [
    { kind: 'not_found', row: 'findTransactions' },
    'not_found',
    'The billing service found nothing by that name',
  ],
  [
    { kind: 'not_found', service: 'email', row: 'findListByName' },
    'not_found',
    'The email service found nothing by that name',
  ],
  [{ kind: 'rate_limited' }, 'rate_limited', 'is limiting our requests. Try again a little later.'],
  [{ kind: 'rate_limited', retryAfterMs: 0 }, 'rate_limited', 'Try again in 1 second.'],
  [{ kind: 'rate_limited', retryAfterMs: 1_001 }, 'rate_limited', 'Try again in 2 seconds.'],
  [{ kind: 'unavailable' }, 'unavailable', 'The billing service does not answer.'],
  [
    { kind: 'unavailable', serviceMessage: 'is being moved' },
    'unavailable',
    'The billing service is being moved.',
  ],
  [{ kind: 'unavailable', status: 200 }, 'unavailable', 'The billing service did not complete its answer.'],
  [{ kind: 'unavailable', status: 399 }, 'unavailable', 'did not complete its answer.'],
  [{ kind: 'unavailable', status: 400 }, 'unavailable', 'has an error (status 400).'],
  [
    { kind: 'unavailable', status: 503, serviceMessage: 'Later.' },
    'unavailable',
    'has an error (status 503): Later.',
  ],
  [{ kind: 'given_up' }, 'given_up', 'Nothing was sent to the billing service: the right to do so was lost.'],
  [
    { kind: 'malformed' },
    'malformed',
    'The billing service sent an answer that could not be read: it is not what its document shows.',
  ],
])('%j is %s: %s', (details, code, words) => {
  const refused = serviceRefusal(errorOf(details))
  expect(refused.code).toBe(code)
  expect(refusalLine(refused)).toContain(words)
})

it('whatever breaks is a refusal, with its cause in the log', () => {
  const logged: string[] = []
  const log = {
    warn: (_: unknown, words: string) => void logged.push(`warn ${words}`),
    error: (_: unknown, words: string) => void logged.push(`error ${words}`),
  }
  const codeOf = (error: unknown) => refusalOf({ log: log as never, newId: () => 'i7' }, error)
  expect(codeOf(errorOf({})).code).toBe('rejected')
  expect(codeOf(new DatabaseError('down', 'away')).code).toBe('database_down')
  expect(codeOf(new LogKeyError('here'))).toMatchObject({
    code: 'not_allowed_now',
    next: 'Ask another replica, or an administrator.',
  })
  for (const broken of [new DatabaseError('failed', 'row'), new Error('x'), undefined])
    expect(codeOf(broken)).toMatchObject({ code: 'broken', message: 'Something broke here (incident i7).' })
  expect(logged).toEqual([
    'warn a service call failed',
    'error the database is down',
    'error the key of the audit log is not here',
    ...Array.from({ length: 3 }, () => 'error something broke'),
  ])
})

it('a part of a person says what was found, or why there is nothing, and whether anybody could be asked', async () => {
  const failing = (over: Partial<Details>) => found(() => Promise.reject(errorOf(over)), 'contact')
  expect(await found(async () => 5, 'contact')).toEqual({ value: 5, isAsked: true })
  expect(await found(async () => undefined, 'contact')).toEqual({
    why: 'No contact was found.',
    isAsked: true,
  })
  expect(await failing({ kind: 'not_found' })).toMatchObject({
    isAsked: true,
    why: expect.stringContaining('no such contact'),
  })
  expect(await failing({ kind: 'unavailable' })).toEqual({
    why: 'The billing service does not answer.',
    isAsked: false,
  })
  await expect(found(() => Promise.reject(new Error('x')), 'contact')).rejects.toThrow('x')
})
