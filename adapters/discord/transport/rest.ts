import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { RESTOptions } from '@discordjs/rest'
import { plainHeaders, request } from '../../../src/lib/undici.ts'

type Answer = Awaited<ReturnType<RESTOptions['makeRequest']>>

const load = createRequire(import.meta.url)
/** An import would load Node's own copy of undici. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/**
 * Its file for other places than Node, which leaves the sending to us; the one for Node loads all of undici. Loaded by
 * the first call that is not asking whether Discord takes us, because it takes a twentieth of the start.
 */
export const discordLibrary = (): typeof import('@discordjs/rest') => {
  loaded ??= load(join(dirname(load.resolve('@discordjs/rest')), 'web.js'))
  return loaded as typeof import('@discordjs/rest')
}
let loaded: typeof import('@discordjs/rest') | undefined

/** JSON leaves by one plain request; files, which are rare, by fetch. */
export const makeRequest: RESTOptions['makeRequest'] = async (url, { body, ...init }) => {
  if (body != null && typeof body !== 'string')
    return (await fetch(url, { ...init, body } as object)) as unknown as Answer
  const answer = await request(url, { ...init, body: body ?? null } as Parameters<typeof request>[1])
  const { statusCode: status, headers, body: said } = answer
  return {
    body: said,
    arrayBuffer: () => said.arrayBuffer(),
    json: () => said.json(),
    text: () => said.text(),
    get bodyUsed() {
      return said.bodyUsed
    },
    headers: plainHeaders(headers),
    status,
    statusText: STATUS_CODES[status] ?? '',
    ok: status >= 200 && status < 300,
  } as unknown as Answer
}
