import { z } from 'zod'
import { defineFeature, type FeatureEnvironment, taskOf } from '../../kernel/feature.ts'
import { allServices } from '../../lib/services/endpoints/tables.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import { handleEvent } from './handle.ts'
import { createHookHandler, type HookSettings } from './receive.ts'
import { createEvents, eventTables } from './store.ts'

/** Longer than any service tries again. */
const keptMs = 30 * 24 * 3_600_000
const minSecret = 16

const variables = (): string[] => allServices().flatMap(({ hook }) => hook?.secret ?? [])

const environment: FeatureEnvironment = {
  get variables() {
    return variables()
  },
  get secrets() {
    return variables()
  },
  read: (env, problems): HookSettings => ({
    base: withoutAtEnd(env.PUBLIC_URL ?? '', '/'),
    secrets: Object.fromEntries(
      allServices().flatMap(({ name, hook }) => {
        const given = hook && env[hook.secret]
        if (hook === undefined || given === undefined) return []
        const secrets = given.split(',').map((one) => one.trim())
        if (secrets.some((one) => one.length < minSecret))
          problems.push(`${hook.secret} holds a secret that is too short to be one: copy it again.`)
        if (JSON.stringify(hook.signs).includes('{url}') && env.PUBLIC_URL === undefined)
          problems.push(`${hook.secret} is set, and the service signs our address: set PUBLIC_URL to it.`)
        return [[name, secrets]]
      }),
    ),
  }),
}

/** What services tell by themselves, at /hooks/<name>. */
export const hooks = defineFeature({
  name: 'hooks',
  environment,
  tables: eventTables,
  serve: (core, http, settings) => http.mount('/hooks', createHookHandler(core, settings as HookSettings)),
  tasks: {
    hook_event: taskOf(z.object({ service: z.string(), id: z.string() }), (core, doc) =>
      handleEvent(core, doc),
    ),
  },
  onStep: (tx, { before, after }) => {
    const { atService, id: changeId } = after
    if (atService === undefined || before?.atService !== undefined) return
    const { service, id } = atService
    return tx.of(createEvents).know({ service, id, changeId })
  },
  metrics: [
    {
      name: 'bellhop_hooks_total',
      help: 'What services told by themselves, by what came of it',
      labels: ['service', 'result'],
    },
  ],
  prune: (store, now) => store.of(createEvents).prune(now - keptMs),
  returns: {
    hooks_events: { stays: 'what services told: what comes twice counts once' },
    hooks_changes: { stays: 'under which id a service knows a change' },
  },
})
