import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The page as it lies in `page/`: read once, served as it is. */
export const servePage = (routes: FastifyInstance): void => {
  const folder = join(import.meta.dirname, 'page')
  const webauthn = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'))
  serveFile(routes, '/webauthn.js', readFileSync(webauthn), types['.js'] ?? '')
  for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = name === 'index.html' ? '/' : `/${name.replace(/\.html$/, '')}`
    serveFile(routes, path, readFileSync(join(folder, name)), type)
  }
}

const serveFile = (routes: FastifyInstance, path: string, content: Buffer, type: string): void => {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  routes.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(type).send(content)
  })
}
