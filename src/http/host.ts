/** Whether only this machine can reach a server bound to this address. */
export const isPrivateHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
