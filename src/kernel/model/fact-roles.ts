import { isRecord } from '../../lib/services/read-answer.ts'
import type { FactRole } from '../../lib/view/view.ts'

/** What facts were called before they had roles. */
const roleOfLabel: Record<string, FactRole> = {
  Amount: 'amount',
  Payment: 'source',
  Customer: 'target',
  Subscription: 'target',
  'New plan': 'target',
  Recipients: 'target',
  To: 'target',
  Lists: 'target',
  Reason: 'reason',
}

/** The preview of a stored change. Where no fact of the command has a role of today, its label says which; what decided does. */
export const withFactRoles = (preview: unknown): unknown => {
  if (!isRecord(preview) || !Array.isArray(preview.blocks)) return preview
  const own = preview.blocks.find(
    (block) => isRecord(block) && block.kind === 'facts' && block.isSent !== true,
  )
  const isOfToday = factsOf(own).some(({ role }) => Object.values(roleOfLabel).includes(role as FactRole))
  const roleOf = (block: unknown, { role, label }: Record<string, unknown>) =>
    (block === own && !isOfToday && roleOfLabel[String(label)]) || (role === 'decides' ? 'subject' : role)
  const blocks = preview.blocks.map((block) =>
    isRecord(block) && block.kind === 'facts'
      ? { ...block, facts: factsOf(block).map((fact) => ({ ...fact, role: roleOf(block, fact) })) }
      : block,
  )
  return { ...preview, blocks }
}

const factsOf = (block: unknown): Record<string, unknown>[] =>
  isRecord(block) && Array.isArray(block.facts) ? block.facts.filter(isRecord) : []
