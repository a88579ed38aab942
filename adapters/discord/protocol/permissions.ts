type Overwrite = { id: string; type: number; allow: string; deny: string }
export type ChannelAccess = {
  guild: { id: string; owner_id: string }
  roles: readonly { id: string; permissions: string }[]
  member: { id: string; roles: readonly string[] }
  overwrites: readonly Overwrite[]
}

const administrator = 1n << 3n
const viewChannel = 1n << 10n
const sendMessages = 1n << 11n
const everything = ~0n

/** Whether a member may read a channel. */
export const mayView = (access: ChannelAccess): boolean => (permissionsIn(access) & viewChannel) !== 0n

/** What a bot needs there and lacks, by the names that Discord shows. */
export const missingToPost = (access: ChannelAccess): string[] => {
  const given = permissionsIn(access)
  return Object.entries({ 'View Channel': viewChannel, 'Send Messages': sendMessages }).flatMap(
    ([name, bit]) => ((given & bit) === 0n ? name : []),
  )
}

/** What a member's roles give in a channel, then what the channel takes away and gives, in Discord's order. */
const permissionsIn = ({ guild, roles, member, overwrites }: ChannelAccess): bigint => {
  if (guild.owner_id === member.id) return everything
  const own = new Set([guild.id, ...member.roles])
  const base = roles
    .filter(({ id }) => own.has(id))
    .reduce((sum, { permissions }) => sum | BigInt(permissions), 0n)
  if ((base & administrator) !== 0n) return everything
  const everybody = overwrites.filter(({ id }) => id === guild.id)
  const byRole = overwrites.filter(({ id, type }) => type === 0 && id !== guild.id && own.has(id))
  const byMember = overwrites.filter(({ id, type }) => type === 1 && id === member.id)
  return [everybody, byRole, byMember].reduce((sum, some) => {
    const deny = some.reduce((all, one) => all | BigInt(one.deny), 0n)
    const allow = some.reduce((all, one) => all | BigInt(one.allow), 0n)
    return (sum & ~deny) | allow
  }, base)
}
