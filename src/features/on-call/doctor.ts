import type { Checked } from '../../kernel/feature.ts'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { fewNames } from '../../lib/view/format.ts'
import { askSchedule, type DutySettings, ScheduleError } from './ask.ts'
import { schedulesIn } from './duty.ts'

/** Who is on duty in each schedule that bellhop.yml names, or why nobody can say. */
export const checkSchedules = async (
  { policy }: Pick<Checked, 'policy'>,
  settings: DutySettings,
): Promise<CheckResult[]> => {
  // One after the other: some take few requests in a minute.
  const results: CheckResult[] = []
  for (const { source, id, roles } of schedulesIn(policy)) {
    const about = `${source.name} ${id}`
    try {
      const addresses = [...(await askSchedule(source, settings, id))]
      const people = addresses.map((one) => policy.people.find(({ address }) => address === one)?.name)
      const named = people.filter((one) => one !== undefined)
      const unknown = addresses.filter((_, at) => people[at] === undefined)
      const gets = `the role${roles.length === 1 ? '' : 's'} ${roles.join(' and ')}`
      const unlisted = `No person of bellhop.yml has the address ${unknown.join(' or ')}: add it as email.`
      if (unknown.length > 0)
        results.push(checkFailed(about, `on duty is somebody who gets no role by it. ${unlisted}`))
      else if (named.length === 0)
        results.push(checkPassed(about, `nobody is on duty, so it gives nobody ${gets} now.`))
      else results.push(checkPassed(about, `${fewNames(named)} on duty, with ${gets}.`))
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error
      results.push(checkFailed(about, `${source.title} does not say who is on duty: ${error.message}.`))
    }
  }
  return results
}
