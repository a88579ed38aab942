import { mayReadLog, refusePartial } from '../../kernel/actors/authorization.ts'
import { defineFeature } from '../../kernel/feature.ts'
import { whoMayRun } from '../../kernel/policy/listed.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { type Access, accessSince } from './access.ts'

/** Who has which right, and whether they need it. */
export const review = defineFeature({
  name: 'review',
  records: (core, actor) => ({
    /** For those who may read all of the log: it says of everybody what they did. */
    access: async (since: number): Promise<Result<Access>> => {
      const partial = refusePartial(core.policy, actor)
      if (partial !== undefined) return no(partial)
      if (!mayReadLog(core.policy, actor))
        return no(
          refusal(
            'may_not_run',
            'This says what everybody did: it is for those who may read the audit log.',
            {
              next: whoMayRun(core.policy, actor, ['audit find']),
            },
          ),
        )
      return ok(await accessSince(core, since))
    },
  }),
})
