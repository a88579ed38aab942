import { campaign } from '../../packs/email/records.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { part, record, text } from '../../src/lib/services/endpoints/answer-fields.ts'
import { ifReadable, recordIn } from '../../src/lib/services/read-answer.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'

export const campaignId = idOf('the campaign id')

/** The answer for a single campaign is not documented; it may be a flat record like this. */
const flat = record({
  id: text,
  name: text,
  campaignName: text,
  type: text,
  campaignType: text,
  subject: text,
  senderName: text,
  preheaderText: text,
  template: part({ name: text, builderType: text, htmlContent: text }),
})

export type Campaign = ReturnType<typeof toCampaign>

export const toCampaign = (value: Record<string, unknown>) => {
  const shown = campaign.parse(value)
  const open = flat.parse(value)
  const details = shown.campaignDetails
  const template = shown.templateId ?? open.template
  return {
    id: shown._id ?? open.id ?? '',
    name: details?.campaignName ?? open.campaignName ?? open.name ?? '',
    type: details?.campaignType ?? open.campaignType ?? open.type ?? '',
    status: shown.status ?? '',
    subject: details?.subject ?? open.subject ?? '',
    senderName: details?.senderName ?? open.senderName ?? '',
    preheader: details?.preheaderText ?? open.preheaderText ?? '',
    template: template?.name ?? '',
    builder: template?.builderType ?? '',
    html: template?.htmlContent ?? '',
    createdAt: shown.createdAt,
    updatedAt: shown.updatedAt,
  }
}

/**
 * Reads the campaign by its own path or, if that gives no answer or no status, searches the list of all
 * campaigns.
 */
export const readCampaign = async (
  id: string,
  { email }: Pick<ReadContext, 'email'>,
): Promise<Result<Campaign>> => {
  const found = (await readDirectly(id, email)) ?? (await lookThrough(id, email))
  if (found !== undefined) return ok(found)
  return no(
    refusal('not_found', `There is no campaign ${theirs(id)}.`, {
      next: 'campaign find shows every campaign id.',
    }),
  )
}

const readDirectly = async (id: string, email: ReadContext['email']): Promise<Campaign | undefined> => {
  const found = recordIn((await ifReadable(email.getCampaign({ params: { id } })))?.data, 'campaign')
  if (found === undefined) return undefined
  const one = toCampaign(found)
  return one.status !== '' && (one.id === '' || one.id === id) ? { ...one, id } : undefined
}

const pageSize = 100
/** A limit, in case the service never reports a last page. */
const maxPages = 100

const lookThrough = async (id: string, email: ReadContext['email']): Promise<Campaign | undefined> => {
  for (let page = 1; page <= maxPages; page++) {
    const { data } = await email.findCampaigns({ query: { page, limit: pageSize } })
    const campaigns = data?.campaigns ?? []
    const found = campaigns.find((one) => one._id === id)
    if (found !== undefined) return toCampaign(found)
    const { hasNextPage, totalPages } = data?.pagination ?? {}
    const isLast = totalPages == null ? campaigns.length < pageSize : page >= totalPages
    if (campaigns.length === 0 || !(hasNextPage ?? !isLast)) return undefined
  }
  return undefined
}

/** "API / Workflow Campaign" is too long for a table column. */
export const typeOf = ({ type }: Campaign): string => type.replace(/ campaign$/i, '')
