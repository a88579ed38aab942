import { createHash, randomInt } from 'node:crypto'

const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const length = 10

/** Short enough to read aloud, without characters that are easily confused. */
export const newId = (): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The same id for the same delivery, whoever works on it and whatever a database has forgotten of it. */
export const idOfDelivery = (delivery: string): string => {
  let rest = BigInt(`0x${createHash('sha256').update(delivery).digest('hex')}`)
  return Array.from({ length }, () => {
    const at = Number(rest % BigInt(alphabet.length))
    rest /= BigInt(alphabet.length)
    return alphabet[at]
  }).join('')
}
