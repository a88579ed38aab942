import { refusePartial } from '../../kernel/actors/authorization.ts'
import { changesSeen } from '../../kernel/actors/delegates.ts'
import { defineFeature, toldByFeatures } from '../../kernel/feature.ts'
import type { Verdict } from '../../kernel/log/verify.ts'
import { personNamed } from '../../kernel/policy/people.ts'
import { type ExportFilter, exportLines } from './export.ts'
import { packOf } from './pack.ts'
import { proveChange, receiptPage } from './receipt.ts'

/** What the audit log is given out as, so that anybody can check it without the bot. */
export const receipts = defineFeature({
  name: 'receipts',
  records: (core, actor) => {
    const { store, signer, policy } = core
    const refusePart = () => {
      const partial = refusePartial(policy, actor)
      if (partial !== undefined) throw new Error(partial.message)
    }
    return {
      /** What the log says about a change that the actor may see, proved; and the page of it, sealed. */
      prove: async (changeId: string) => {
        if ((await changesSeen(core, actor, [changeId])).length === 0) return undefined
        const proof = await proveChange(store, signer, changeId)
        if (proof === undefined) return undefined
        const page = (about: { title: string; words: string; at: string }) =>
          receiptPage({ ...about, proof }, signer)
        return { proof, page }
      },
      /** The files of a pack about a period, with what verification found. */
      pack: (period: { since: number; until: number }, verdict: Verdict) => {
        refusePart()
        return packOf(store, signer, { ...period, now: core.now() }, verdict, () =>
          toldByFeatures(({ inPack }) => inPack?.(store, period.until)),
        )
      },
      export: ({ who, ...filter }: ExportFilter) => {
        refusePart()
        return exportLines(store, { ...filter, who: who && personNamed(policy, who) })
      },
    }
  },
})
