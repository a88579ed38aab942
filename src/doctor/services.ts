import type { Config } from '../config.ts'
import { type CheckResult, checkFailed, checkPassed } from '../messenger/definition.ts'
import { createServices, type ServicesConfig } from '../services/client/client.ts'
import type { ServiceName } from '../services/endpoints/row.ts'
import { type RowId, rowById } from '../services/endpoints/tables.ts'
import { isServiceError, type ServiceError } from '../services/errors.ts'

/** The cheapest read of each service that needs no id. Billing documents none, so its row is one that is only listed. */
const reads: Record<ServiceName, { id: RowId; input: object; keys: string; prefix: string }> = {
  email: {
    id: 'email.findSubscribers',
    input: { query: { limit: 1 } },
    keys: 'EMAIL_API_KEY',
    prefix: '/api/v2',
  },
  chat: { id: 'chat.contactLists', input: {}, keys: 'CHAT_API_KEY', prefix: '/api/v1' },
  billing: {
    id: 'billing.findMultiplans',
    input: {},
    keys: 'BILLING_API_KEY and BILLING_SECRET_KEY',
    prefix: '/api/v1',
  },
}

const names = ['email', 'chat', 'billing'] as const

/** Reaches each service and proves its key, by one read through the client that the bot itself uses. */
export const checkServices = async (config: Partial<Config['services']>): Promise<CheckResult[]> => {
  const nowhere = { baseUrl: 'http://127.0.0.1:9', apiKey: '', secretKey: '' }
  const called = names.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]] as const]))
  const entries = names.map((name) => [name, typeof config[name] === 'object' ? config[name] : nowhere])
  const services = createServices(Object.fromEntries(entries) as ServicesConfig, {
    log: silent,
    settings: { retries: 1, readDeadlineMs: 8_000 },
  })
  const check = async ([name, one]: (typeof called)[number]): Promise<CheckResult> => {
    const variable = `${name.toUpperCase()}_BASE_URL`
    if (one === 'sandbox')
      return checkPassed(name, `SANDBOX, made-up data. ${variable} turns the real one on.`)
    const strange = Object.entries(one).find(([field, value]) => field !== 'baseUrl' && whyNoKey(value))
    if (strange !== undefined) {
      const key = `${name}${strange[0].replace(/[A-Z]/g, '_$&').replace(/^/, '_')}`.toUpperCase()
      return checkFailed(name, `${key} ${whyNoKey(strange[1])} Nothing was sent.`)
    }
    const { id, input } = reads[name]
    try {
      await services.call(id, input)
      return checkPassed(name, `${new URL(one.baseUrl).origin} answers and takes the key.`)
    } catch (error) {
      if (!isServiceError(error)) throw error
      return diagnose(name, variable, new URL(one.baseUrl).origin, error)
    }
  }
  try {
    return await Promise.all(called.map(check))
  } finally {
    await services.close()
  }
}

const diagnose = (name: ServiceName, variable: string, origin: string, error: ServiceError): CheckResult => {
  const { id, keys } = reads[name]
  const { row } = rowById(id)
  const asked = `${row.method} ${row.path}`
  const status = error.status === undefined ? '' : ` (status ${error.status})`
  switch (error.kind) {
    case 'unauthorized':
      return checkFailed(name, `${origin} does not take the key${status}. Check ${keys}.`)
    case 'unavailable':
      return error.status === undefined
        ? checkFailed(
            name,
            `${origin} cannot be reached${codeOf(error)}. Check ${variable} and the way there.`,
          )
        : checkFailed(name, `${origin} is not well${status}. Try again later; the key could not be checked.`)
    case 'rate_limited':
      return checkFailed(name, `${origin} asks to slow down${status}. Try again in a minute.`)
    case 'not_found':
      return checkFailed(name, wrongAddress(name, variable, origin, asked, status))
    case 'rejected':
    case 'malformed':
    case 'given_up':
      // A path that is listed without its shapes may answer an account that has none of it in any way.
      if (!row.shown && error.kind !== 'malformed') {
        return checkPassed(name, `${origin} answers${status}, but ${asked} could not prove the key.`)
      }
      return checkFailed(name, wrongAddress(name, variable, origin, asked, status))
  }
}

const wrongAddress = (name: ServiceName, variable: string, origin: string, asked: string, status: string) =>
  `${origin} answers ${asked} with something else than the service would${status}. Check that ${variable} is the API's address and ends in ${reads[name].prefix}.`

/** What no key looks like, whatever the service: it was copied with something around it, or never filled in. */
const whyNoKey = (key: string): string | undefined => {
  if (/^(["'`]).*\1$/.test(key)) return 'has quotes around it. Set it without them.'
  if (/^(Bearer|Basic)\s/i.test(key)) return 'starts with the name of a scheme. Set the key alone.'
  if (/\s/.test(key)) return 'has a space in it. Copy it again.'
  return /^<.*>$|^\.{3}$|^(your|changeme|xxx)/i.test(key)
    ? 'is still a placeholder. Set the real key.'
    : undefined
}

const codeOf = ({ cause }: ServiceError): string => {
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? ` (${code})` : ''
}

const silent = { info: () => undefined, warn: () => undefined }
