import { type Definition, defineSwitch } from '../../src/kernel/command/define.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import { ok } from '../../src/lib/result.ts'
import { aboutFor } from './about.ts'
import { readOf } from './read.ts'
import { requestOf } from './request.ts'
import { writeOf } from './write.ts'

/** `others` are the commands whose policies and rights hold for the endpoints that they use. */
export const apiCallFor = (others: readonly Definition[], packs: readonly Pack[]) => {
  const about = aboutFor(packs)
  return defineSwitch({
    ...about,
    // It can call every endpoint, so it lists none.
    uses: [],
    choose(asked) {
      const request = requestOf(asked)
      if (!request.ok) return request
      return ok(
        request.value.named.row.effect === 'read'
          ? readOf(request.value, others, about)
          : writeOf(request.value, others, about),
      )
    },
  })
}
