import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

/** All that a replica is told. What is not here the proof does not try, so it is refused. */
const replica = z.strictObject({
  build: z.literal('.'),
  image: z.literal('bellhop'),
  env_file: z.string(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string().regex(/^[^:]+:[^:]+(:ro)?$/)),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  restart: z.string(),
  stop_grace_period: z.string().regex(/^\d+s$/),
  depends_on: z.object({ database: z.object({ condition: z.literal('service_healthy') }) }),
})

const compose = z.object({
  services: z.strictObject({
    'bellhop-1': replica,
    'bellhop-2': replica,
    balancer: z.object({ image: z.string(), configs: z.tuple([z.object({ target: z.string() })]) }),
    database: z.object({ healthcheck: z.object({ test: z.array(z.string()) }) }),
  }),
  configs: z.strictObject({ balancer: z.object({ content: z.string() }) }),
})

export type Compose = z.infer<typeof compose>

/** compose.yml with the variables of the environment in their places, as `docker compose` reads it. */
export const readCompose = (env: Record<string, string>): Compose => {
  const text = readFileSync('compose.yml', 'utf8').replaceAll(
    /\$(\$|\{(\w+):\?[^}]*\})?/g,
    (whole, _, name: string | undefined) => {
      if (whole === '$$') return '$'
      const value = name === undefined ? undefined : env[name]
      if (value === undefined) throw new Error(`compose.yml has a ${whole} that the proof cannot replace`)
      return value
    },
  )
  return compose.parse(parse(text, { merge: true }))
}
