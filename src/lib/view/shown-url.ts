/**
 * What an address of the web shows to people, wherever it is named: in status, lists, doctor, logs, errors and metrics. Keys stand
 * in the user, the path, the query or the fragment, so only the scheme, the host and a first word of the path are shown.
 */
export const shownUrl = (address: string): string => {
  if (!URL.canParse(address) || !address.includes('://')) return address
  const { protocol, host, pathname } = new URL(address)
  const [, first = '', ...rest] = pathname.split('/')
  const isShown = /^[a-z-]{1,16}$/i.test(first)
  const hasMore = (first !== '' && !isShown) || rest.some((part) => part !== '')
  return `${protocol}//${host}${isShown ? `/${first}` : ''}${hasMore ? '/…' : ''}`
}
