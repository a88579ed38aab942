// Keeps of a whole OpenAPI document the operations that are named, and the schemas that they need:
//   node extract.js squareup.com.json ListPaymentRefunds,RefundPayment > square.openapi.json
import { readFileSync } from 'node:fs'

const [file, ids] = process.argv.slice(2)
const { openapi, info, servers, paths, components } = JSON.parse(readFileSync(file, 'utf8'))
const wanted = new Set(ids.split(','))
const kept = {}
for (const [path, item] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (wanted.has(operation.operationId)) kept[path] = { ...kept[path], [method]: trimmed(operation) }
  }
}
const schemas = {}
keepNeeded(kept)
const { title, version, license } = info
const securitySchemes = { accessToken: { type: 'http', scheme: 'bearer' } }
const whole = { openapi, info: { title, version, license }, servers, paths: kept, components: { schemas, securitySchemes } }
process.stdout.write(`${JSON.stringify(whole, null, 2)}\n`)

function keepNeeded(part) {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (name in schemas) continue
    schemas[name] = trimmed(components.schemas[name])
    keepNeeded(schemas[name])
  }
}

/** Without what is for other tools. */
function trimmed(part) {
  if (Array.isArray(part)) return part.map(trimmed)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).filter(([key]) => !key.startsWith('x-') && key !== 'security')
  return Object.fromEntries(entries.map(([key, value]) => [key, trimmed(value)]))
}
