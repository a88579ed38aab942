import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { createServices, type Services } from '../../lib/services/client/client.ts'
import type { CallInput } from '../../lib/services/client/request.ts'
import type { Row, Service } from '../../lib/services/endpoints/row.ts'
import { allServices, type RowId, rowById } from '../../lib/services/endpoints/tables.ts'
import { isServiceError, type ServiceError } from '../../lib/services/errors.ts'
import { isToolsChanged } from '../../lib/services/mcp/connection.ts'
import { placeWords } from '../../lib/services/mcp/place.ts'
import { plural } from '../../lib/view/button-labels.ts'
import type { Config } from '../start/config.ts'

/** Reaches each service and proves its key, by one read through the client that the bot itself uses. */
export const checkServices = async (
  config: Config['services'],
  inherited: Readonly<Record<string, string>> = {},
): Promise<CheckResult[]> => {
  const called = allServices().flatMap((service) => {
    const settings = config[service.name]
    return settings === undefined ? [] : [[service, settings] as const]
  })
  const entries = allServices().map(({ name }) => {
    const settings = config[name]
    return [name, typeof settings === 'object' ? settings : nowhere] as const
  })
  const services = createServices(Object.fromEntries(entries), {
    log: silent,
    inherited,
    settings: { retries: 1, readDeadlineMs: 8_000 },
  })
  const check = async ([service, one]: (typeof called)[number]): Promise<CheckResult> => {
    const { name, environment } = service
    const variable = environment.baseUrl
    if (one === 'sandbox')
      return checkPassed(name, `SANDBOX, made-up data. ${variable} turns the real one on.`)
    const strange = Object.entries(environment.keys).find(([field]) => whyNoKey(one[field] ?? ''))
    if (strange !== undefined) {
      const [field, key] = strange
      return checkFailed(name, `${key} ${whyNoKey(one[field] ?? '')} Nothing was sent.`)
    }
    if (service.mcp !== undefined) return checkTools(service, one.baseUrl, services)
    const proof = proofOf(service)
    if (proof === undefined) {
      return checkPassed(
        name,
        `${new URL(one.baseUrl).origin} is set; it has no read that would prove the key.`,
      )
    }
    try {
      await services.call(proof.id, proof.input)
      return checkPassed(name, `${new URL(one.baseUrl).origin} answers and takes the key.`)
    } catch (error) {
      if (!isServiceError(error)) throw error
      return diagnose(service, proof.id, new URL(one.baseUrl).origin, error)
    }
  }
  try {
    return await Promise.all(called.map(check))
  } finally {
    await services.close()
  }
}

/** Asks an MCP server for its tools, which proves the key and tells whether they are those that somebody looked at. */
const checkTools = async (
  { name, environment, mcp }: Service,
  baseUrl: string,
  services: Services,
): Promise<CheckResult> => {
  const where = placeWords(baseUrl)
  const wrong = await services.look(name)
  if (wrong === undefined)
    return checkPassed(
      name,
      `${where} answers, and what it says of its ${plural(mcp?.tools.length ?? 0, 'tool')} is as it was pinned.`,
    )
  if (isToolsChanged(wrong))
    return checkFailed(
      name,
      [
        `${where} says other things of its tools than when somebody looked, so nothing is sent there.`,
        ...wrong.cause.changes.slice(0, maxChanges),
        ...(wrong.cause.changes.length > maxChanges ? ['And more.'] : []),
        `Look at that. If it is well: ${toolLine('packs', 'pin')}. Where arguments changed, write the pack again with ${toolLine('pack', 'new --mcp')}.`,
      ].join(' '),
    )
  if (wrong.end === 'answered')
    return wrong.status === 401 || wrong.status === 403
      ? checkFailed(
          name,
          `${where} does not take the key (status ${wrong.status}). Check ${Object.values(environment.keys).join(' and ') || environment.baseUrl}.`,
        )
      : checkFailed(
          name,
          `${where} answers with status ${wrong.status}. Check that ${environment.baseUrl} is the address of an MCP server.`,
        )
  const why = wrong.cause instanceof Error ? wrong.cause.message : 'no reason'
  return checkFailed(
    name,
    `${where} cannot be reached or started: ${services.redact(why)}. Check ${environment.baseUrl}.`,
  )
}

const maxChanges = 6

const nowhere = { baseUrl: 'http://127.0.0.1:9' }

/** The cheapest read that needs no id: the one that the pack names, or the first. */
const proofOf = ({ name, rows, proof }: Service): { id: RowId; input: CallInput } | undefined => {
  const row =
    proof?.row ??
    Object.keys(rows).find((one) => {
      const { effect, params, query } = rows[one] as Row
      return effect === 'read' && params === undefined && (query === undefined || query.safeParse({}).success)
    })
  return row === undefined ? undefined : { id: `${name}.${row}` as RowId, input: proof?.input ?? {} }
}

const diagnose = (service: Service, id: RowId, origin: string, error: ServiceError): CheckResult => {
  const { name, environment } = service
  const variable = environment.baseUrl
  const keys = Object.values(environment.keys).join(' and ')
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
      return checkFailed(name, wrongAddress(service, origin, asked, status))
    case 'rejected':
    case 'malformed':
    case 'given_up':
    case 'held':
    case 'tools_changed':
      // A path that is listed without its shapes may answer an account that has none of it in any way.
      if (!row.shown && error.kind !== 'malformed') {
        return checkPassed(name, `${origin} answers${status}, but ${asked} could not prove the key.`)
      }
      return checkFailed(name, wrongAddress(service, origin, asked, status))
  }
}

const wrongAddress = ({ environment, prefix }: Service, origin: string, asked: string, status: string) =>
  `${origin} answers ${asked} with something else than the service would${status}. Check that ${environment.baseUrl} is the API's address${prefix === undefined ? '' : ` and ends in ${prefix}`}.`

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
