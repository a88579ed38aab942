import { z } from 'zod'

export const contactId = z
  .string('a contact id is needed')
  .regex(/^[0-9a-f]{24}$/i, 'a contact id is 24 hexadecimal characters')

/** `to` of a message: an integer of at most 15 digits, the longest possible phone number. */
export const recipient = z
  .int('the recipient is a phone number with dialing code, digits only')
  .positive('the recipient is a phone number with dialing code, digits only')
  .max(999_999_999_999_999, 'a phone number has at most 15 digits')

export const mobile = z
  .string()
  .regex(
    /^\+?[0-9]{5,15}$/,
    'a mobile number has its dialing code and only digits, with or without a leading +',
  )
