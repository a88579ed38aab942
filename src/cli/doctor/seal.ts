import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { besideProposed, besideWords } from '../../kernel/policy/in-force/proposed.ts'
import { sealingOf } from '../../kernel/policy/in-force/sealed.ts'
import type { Config } from '../start/config.ts'
import { fromStore } from './records.ts'

/** Whether the policy file has the signatures that the version in force asks for. */
export const checkSealed = ({
  policySource,
  policy,
  database,
}: Pick<Config, 'policySource' | 'policy' | 'database'>): Promise<CheckResult[]> =>
  fromStore(database, async (store) => {
    const beside = await besideProposed(store, policySource.text)
    if (beside !== undefined) return [checkFailed('policy', besideWords(beside))]
    const sealing = await sealingOf(store, policySource)
    if (!sealing.ok) return [checkFailed('seal', `${sealing.why} A start would use the version in force.`)]
    if (sealing.sealedBy !== null)
      return [checkPassed('seal', `signed by ${sealing.sealedBy.join(', ')}; the next start takes it in.`)]
    return policy.seal === null ? [] : [checkPassed('seal', `${policySource.from} is in force, sealed.`)]
  })
