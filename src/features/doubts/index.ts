import { defineFeature } from '../../kernel/feature.ts'
import { orphanFindings, thinFindings } from './approvers.ts'
import { wideBudgets } from './budgets.ts'
import { decisionTable } from './decision-table.ts'
import { largerForms } from './forms.ts'
import { holes, idleRules, unmetDemands } from './rules.ts'

/** What is likely not meant in bellhop.yml: rules that decide nothing, gaps between them, approvals that too few may give. */
export const doubts = defineFeature({
  name: 'doubts',
  doubts: (policy, { draft, commands }) => {
    const table = decisionTable(policy, commands)
    return [
      ...[idleRules, holes, unmetDemands, largerForms, wideBudgets].flatMap((find) => find(policy, table)),
      ...thinFindings(draft),
      ...orphanFindings(draft),
    ]
  },
})
