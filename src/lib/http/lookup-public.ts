import { lookup as resolveName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '../codecs/public-address.ts'

/** Looks a name up for a connection that is made to what this answers: it answers with public addresses alone. */
export const lookupPublic: LookupFunction = (host, options, answer) => {
  resolveName(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return answer(error, '')
    const reachable = found.filter(({ address }) => isPublicAddress(address))
    const [first] = reachable
    if (first === undefined) return answer(new Error('the name leads to a private address'), '')
    if (options.all) answer(null, reachable)
    else answer(null, first.address, first.family)
  })
}
