/**
 * In every workspace of a messenger but the first, an id has that of its workspace before it: `T2/U1` is somebody else than
 * `U1`. Accounts, channels, groups and addresses are written so wherever the core has them.
 */
const qualifier = /^(\w+)\//

export const workspaceIn = (id: string): string | undefined => qualifier.exec(id)?.[1]

/** As its own workspace writes it. */
export const unqualified = (id: string): string => id.replace(qualifier, '')

/** As the rest of the bot writes what this workspace calls so. */
export const qualified = (workspace: string | undefined, id: string): string =>
  workspace === undefined ? id : `${workspace}/${id}`

/** One of the workspaces that the bot works in, as `messenger:id`; the first one of all messengers is undefined. */
export type Space = string | undefined

export const spaceOfId = (platform: string, id: string): Space => {
  const workspace = workspaceIn(id)
  return workspace === undefined ? undefined : `${platform}:${workspace}`
}
