import { no, ok, type Result } from '../../../lib/result.ts'
import { quoted } from '../../../lib/view/outside.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import { askGroups } from '../../actors/membership.ts'
import type { Actor } from '../../command/context.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import type { AskedPerson, Party } from '../../model/change.ts'
import { mayApprove, rolesNow } from '../../policy/people.ts'
import type { Person } from '../../policy/policy.ts'
import { allAccountsOf } from '../../policy/workspaces.ts'

/**
 * Whom a requester asks besides those of the policy: somebody of the file who may approve it, by id, name or mention, and none
 * of those behind the request, who approve nothing of it.
 */
export const alsoAsked = async (
  core: Core,
  actor: Actor,
  names: readonly string[],
  written: string | undefined,
  behind: readonly string[],
): Promise<Result<AskedPerson | undefined>> => {
  if (written === undefined) return ok(undefined)
  const refused = (message: string) =>
    no(refusal('bad_value', message, { field: 'also', next: 'Name somebody else, or leave it out.' }))
  const found = readContext(core, actor).records.person(written)
  const person = core.policy.people.find(({ id }) => id === found?.id)
  if (person === undefined) {
    return refused(
      `also: nobody in bellhop.yml goes by ${quoted(written.slice(0, 40))}, or several people do.`,
    )
  }
  if (behind.includes(person.id)) {
    return refused(`also: ${person.name} asks for this or changes it, so it takes somebody else.`)
  }
  if (!mayApprove(core.policy, { roles: await rolesOf(core, person) }, names)) {
    return refused(`also: ${person.name} may not approve ${names[0]}.`)
  }
  return ok({ person: person.id, name: person.name, as: 'asked' })
}

/** Those of the file, and of the groups that they are in. */
const rolesOf = async (core: Core, person: Person): Promise<string[]> => {
  const { id, name, roles } = person
  const parties = allAccountsOf(person).map((at): Party => ({ person: id, name, ...at, roles: [] }))
  const groups = await askGroups(core, parties)
  return [...roles, ...parties.flatMap((one) => rolesNow(core.policy, one, groups(one) ?? []))]
}
