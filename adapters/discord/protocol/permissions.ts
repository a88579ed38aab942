type Overwrite = { id: string; type: number; allow: string; deny: string }
export type ChannelAccess = {
  guild: { id: string; owner_id: string }
  roles: readonly { id: string; permissions: string }[]
  member: { id: string; roles: readonly string[] }
  overwrites: readonly Overwrite[]
}

const administrator = 1n << 3n
const viewChannel = 1n << 10n

/** Whether a member may read a channel: what their roles give, then what the channel takes away and gives, in Discord's order. */
export const mayView = ({ guild, roles, member, overwrites }: ChannelAccess): boolean => {
  if (guild.owner_id === member.id) return true
  const own = new Set([guild.id, ...member.roles])
  const base = roles
    .filter(({ id }) => own.has(id))
    .reduce((sum, { permissions }) => sum | BigInt(permissions), 0n)
  if ((base & administrator) !== 0n) return true
  const everybody = overwrites.filter(({ id }) => id === guild.id)
  const byRole = overwrites.filter(({ id, type }) => type === 0 && id !== guild.id && own.has(id))
  const byMember = overwrites.filter(({ id, type }) => type === 1 && id === member.id)
  const after = [everybody, byRole, byMember].reduce((sum, some) => {
    const deny = some.reduce((all, one) => all | BigInt(one.deny), 0n)
    const allow = some.reduce((all, one) => all | BigInt(one.allow), 0n)
    return (sum & ~deny) | allow
  }, base)
  return (after & viewChannel) !== 0n
}
