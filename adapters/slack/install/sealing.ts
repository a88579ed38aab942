import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** 32 bytes in base64; undefined for anything else. */
export const readInstallKey = (text: string): Buffer | undefined => {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && /^[\w+/=-]+$/.test(text) ? key : undefined
}

/** A key of its own for each use, so that what one seals or signs means nothing to the other. */
const derived = (key: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', use, 32))

/** AES-256-GCM. `about` is sealed in: what was sealed about one workspace does not open as that of another. */
export const sealText = (key: Buffer, about: string, text: string): string => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derived(key, 'bellhop tokens'), iv).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return ['v1', ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.')
}

/** Undefined for what was sealed with another key or about something else, or was altered. */
export const unsealText = (key: Buffer, about: string, sealed: string): string | undefined => {
  const [version, ...parts] = sealed.split('.')
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (version !== 'v1' || iv?.length !== 12 || tag?.length !== 16 || text === undefined) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', derived(key, 'bellhop tokens'), iv, {
      authTagLength: 16,
    })
    decipher.setAAD(Buffer.from(about)).setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** A text that only this bot can have written. */
export const signText = (key: Buffer, text: string): string => `${text}.${signatureOf(key, text)}`

/** The text, if its signature is ours. */
export const signedText = (key: Buffer, signed: string): string | undefined => {
  const at = signed.lastIndexOf('.')
  const text = signed.slice(0, Math.max(0, at))
  const [given, own] = [signed.slice(at + 1), signatureOf(key, text)].map((one) => Buffer.from(one))
  return given?.length === own?.length && timingSafeEqual(given as Buffer, own as Buffer) ? text : undefined
}

const signatureOf = (key: Buffer, text: string): string =>
  createHmac('sha256', derived(key, 'bellhop states')).update(text).digest('base64url')
