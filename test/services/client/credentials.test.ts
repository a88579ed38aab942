import { expect, it } from 'vitest'
import { credentialsOf } from '../../../src/lib/services/client/credentials.ts'
import type { Service } from '../../../src/lib/services/endpoints/row.ts'

const keys = { user: 'A_USER', secret: 'A_SECRET', other: 'ANOTHER' }
const given = { user: 'ada', secret: 's3cret', other: 'more' }

it.each<[Service['auth'], Record<string, string>, string[]]>([
  ['bearer', { authorization: 'Bearer ada' }, ['ada', 's3cret', 'more']],
  [{ header: 'X-Api-Key' }, { 'x-api-key': 'ada' }, ['ada', 's3cret', 'more']],
  ['basic', { authorization: `Basic ${btoa('ada:s3cret')}` }, ['ada', 's3cret', 'more', btoa('ada:s3cret')]],
])(
  '%j carries its keys in the order in which they are named, and every text of them is a secret',
  (auth, headers, secrets) => {
    const environment = { keys } as unknown as Service['environment']
    expect(credentialsOf({ auth, environment }, given)).toEqual({ headers, secrets })
  },
)

it('a key that is not set is empty', () => {
  const environment = { keys } as unknown as Service['environment']
  expect(credentialsOf({ auth: 'bearer', environment }, {}).headers).toEqual({ authorization: 'Bearer ' })
})
