import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { OpenAPIV3_1 } from 'openapi-types'
import { generate } from 'openapi-typescript-codegen'
import { expect, it } from 'vitest'
import { openAgents, tokenOf } from '../harness.ts'

type Told = { id: string; state: string; message: string }

/** What the generator writes for our document. */
type Generated = {
  OpenAPI: { BASE: string; TOKEN: string }
  RequestsService: {
    askForChange(given: { idempotencyKey: string; requestBody: object }): Promise<Told>
    getRequest(given: { id: string; waitSeconds?: number }): Promise<Told>
    listRequests(given: { state?: string }): Promise<{ requests: Told[] }>
  }
  LookUpsService: {
    lookUp(given: { requestBody: object }): Promise<{ state: string; title: string }>
  }
}

it('a client that a stock generator makes of the document asks, waits and reads the outcome', async () => {
  const { base, press } = await openAgents()
  const document = (await (await fetch(`${base}/api/openapi.json`)).json()) as OpenAPIV3_1.Document
  await SwaggerParser.validate(structuredClone(document))
  const output = mkdtempSync(join(tmpdir(), 'bellhop-openapi-'))
  await generate({ input: document, output, useOptions: true, useUnionTypes: true })
  // What it writes names its files without their endings, as compilers read them and Node does not.
  const compiler = [
    'node_modules/typescript/bin/tsc',
    '--ignoreConfig',
    '--module',
    'commonjs',
    '--types',
    '',
  ]
  execFileSync(process.execPath, [...compiler, join(output, 'index.ts')])
  const made: Generated = createRequire(import.meta.url)(join(output, 'index.js'))
  made.OpenAPI.BASE = base
  made.OpenAPI.TOKEN = tokenOf('helper')
  const { RequestsService: requests, LookUpsService: lookUps } = made

  const found = await lookUps.lookUp({
    requestBody: { command: 'subscriber get', values: { who: 'ada@example.com' } },
  })
  expect(found.state).toBe('answered')
  const asked = await requests.askForChange({
    idempotencyKey: 'ticket-4711',
    requestBody: { command: 'refund', values: { payment_id: 'pay_1001', amount: 120 } },
  })
  expect(asked.state).toBe('pending')
  expect((await requests.listRequests({ state: 'pending' })).requests.map(({ id }) => id)).toEqual([asked.id])
  const ended = requests.getRequest({ id: asked.id, waitSeconds: 50 })
  await press('approve', asked.id, 'fay')
  expect(await ended).toMatchObject({ id: asked.id, state: 'applied' })
  const refused = requests.askForChange({
    idempotencyKey: 'ticket-4711',
    requestBody: { command: 'refund', values: { payment_id: 'pay_1001', amount: 121 } },
  })
  await expect(refused).rejects.toMatchObject({ status: 409, body: { code: 'key_reused' } })
})
