import { expect, test } from 'vitest'
import { contactsIn, notFoundWords } from '../../packs/chat/contact.ts'

const contacts = [{ mobile: '15550110001' }]

test.each([
  [{ contacts, total: 1 }, 'No contact with this number was found.'],
  [{ contacts, total: 60 }, 'None of the 1 of 60 contacts that the service listed has this number.'],
  [
    contacts,
    'None of the 1 contacts that the service listed has this number; it does not say whether these are all.',
  ],
])('of %j it is said that %s', (data, words) => {
  expect(notFoundWords(contactsIn(data))).toBe(words)
})

test('a service that does not list its contacts is not said to have none', () => {
  expect(notFoundWords(undefined)).toContain('nobody was looked for')
})
