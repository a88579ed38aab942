import { expect, test } from 'vitest'
import { receiptOf } from '../../../commands/campaign/receipt.ts'

test('a receipt for fewer mails than asked for says so loudly', () => {
  const { message, view } = receiptOf({ totalEmails: 3, queued: 2 }, 'Welcome', 3)
  expect(message).toBe('Queued only 2 of 3 emails of Welcome.')
  expect(view?.tone).toBe('warn')
})

test('a service that forgets addresses in both of its counts is still caught', () => {
  expect(receiptOf({ totalEmails: 2, queued: 2 }, 'Welcome', 3).message).toBe(
    'Queued only 2 of 3 emails of Welcome.',
  )
})

test('a receipt without a count claims none', () => {
  expect(receiptOf({}, 'Welcome', 1)).toEqual({ message: 'The service accepted Welcome for 1 address.' })
})
