import { z } from 'bellhop/pack'

export const sendBroadcast = z.unknown()

export const createContact = z.unknown()

export const listContacts = z.unknown()

export const getContact = z.unknown()

export const removeContact = z.unknown()

export const sendEmail = z.unknown()
