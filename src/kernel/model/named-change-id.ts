import { createHash } from 'node:crypto'
import type { Agent } from './agent.ts'

const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** The id of a change that its actor names: asked again, it is the same request. It looks as the ids of other changes do. */
export const namedChangeId = ({ id }: Pick<Agent, 'id'>, key: string): string =>
  [...createHash('sha256').update(`${id}\n${key}`).digest().subarray(0, 16)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('')
