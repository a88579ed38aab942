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

const separators = /[\s().\-\u2010-\u2015]/gu

/** A phone number as people write it; a plus, spaces, dashes and brackets are ignored. */
export const phone = z
  .string()
  .trim()
  .regex(/^\+?[\d\s().\-\u2010-\u2015]+$/u, 'a phone number has only digits, with its dialing code first')
  .refine((value) => !/^\+?0/.test(toPhoneText(value)), 'start with the dialing code, without zeros in front')
  .refine(
    (value) => /^\+?\d{5,15}$/.test(toPhoneText(value)),
    'a phone number has 5 to 15 digits, with its dialing code',
  )

/** Without separators; a leading plus is kept. */
export function toPhoneText(value: string): string {
  return value.replace(separators, '')
}

/** The API takes a recipient as an integer. */
export const toPhoneNumber = (value: string): number => Number(toPhoneText(value).replace('+', ''))
