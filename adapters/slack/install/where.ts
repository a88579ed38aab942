type Body = Record<string, unknown>

/** Where a delivery happened, and the organization of that workspace if it has one. */
export type Where = { team: string | undefined; enterprise: string | undefined }

/**
 * The workspace for which Slack delivered this to us: that of the installation where it says so, which in a channel that two
 * workspaces share need not be that of whoever wrote or pressed; else where it happened.
 */
export const whereOf = (body: Body): Where => {
  const [authorization] = listOf(body.authorizations)
  const team =
    textOf(recordOf(body.view).app_installed_team_id) ??
    (recordOf(authorization).is_enterprise_install === true
      ? undefined
      : textOf(recordOf(authorization).team_id)) ??
    textOf(body.team_id) ??
    textOf(recordOf(body.team).id) ??
    textOf(recordOf(body.user).team_id)
  const enterprise =
    textOf(recordOf(authorization).enterprise_id) ??
    textOf(body.enterprise_id) ??
    textOf(recordOf(body.enterprise).id)
  return { team, enterprise }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const recordOf = (value: unknown): Body =>
  typeof value === 'object' && value !== null ? (value as Body) : {}
