import { parseBounded } from '../../../src/lib/codecs/bounded-json.ts'

export type RequestBody = Record<string, unknown>

/** JSON, or a form, or a form whose one field `payload` holds JSON; `undefined` for anything else. */
export const parseBody = (raw: string, contentType = ''): RequestBody | undefined => {
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (kind === 'application/json') return toRecord(raw)
  if (kind !== 'application/x-www-form-urlencoded') return undefined
  const fields = new URLSearchParams(raw)
  const payload = fields.get('payload')
  return payload === null ? Object.fromEntries(fields) : toRecord(payload)
}

/** Slack's look at our certificate: the only unsigned request that gets an answer, and nothing is done for it. */
export const isSslCheck = (raw: string): boolean =>
  raw.length < 200 && /^(?:token=[^&]*&)?ssl_check=1(?:&token=[^&]*)?$/.test(raw)

/** Recognizes a slash command without parsing it: there may be thousands, and each only has to be acknowledged. */
export const isSlashCommand = (raw: string, contentType = ''): boolean =>
  contentType.startsWith('application/x-www-form-urlencoded') &&
  /(?:^|&)command=%2[Ff]\w/.test(raw) &&
  !/(?:^|&)(?:payload|ssl_check|type)=/.test(raw)

const toRecord = (json: string): RequestBody | undefined => {
  try {
    const value = parseBounded(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as RequestBody)
      : undefined
  } catch {
    return undefined
  }
}
