import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses of this machine, of networks that nobody outside reaches, and of nobody (RFC 6890 and its registries). */
const special = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, bits, 'ipv4')
}
/** Of the one part of the newer addresses that is given out, what leads to older ones or is for documents. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, bits, 'ipv6')
}
const givenOut = new BlockList()
givenOut.addSubnet('2000::', 3, 'ipv6')

/** Whether anybody on the internet would reach the same machine under this address. */
export const isPublicAddress = (address: string): boolean => {
  const plain = address.replace(/^\[|\]$/g, '').split('%', 1)[0] ?? ''
  if (isIPv6(plain)) return givenOut.check(plain, 'ipv6') && !special.check(plain, 'ipv6')
  return isIP(plain) === 4 && !special.check(plain, 'ipv4')
}

/** Whether the host of a web address is written as an address that is not public. */
export const namesPrivateHost = (host: string): boolean => {
  const plain = host.replace(/^\[|\]$/g, '')
  return isIP(plain) === 0 ? /(^|\.)localhost\.?$/i.test(plain) : !isPublicAddress(plain)
}

/** What is wrong with the address that a service begins at, as the end of a sentence. */
export const whyNoBase = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'is not a web address: it must start with http:// or https://.'
  }
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
    ? undefined
    : 'must hold nothing but the address: no user, password, query or fragment.'
}
