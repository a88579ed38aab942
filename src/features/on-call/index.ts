import { defineFeature, type FeatureEnvironment } from '../../kernel/feature.ts'
import type { FindDoubts } from '../../kernel/policy/file/doubts.ts'
import { ticks } from '../../lib/clock.ts'
import { whyNoBase } from '../../lib/codecs/public-address.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import type { DutySettings } from './ask.ts'
import { checkSchedules } from './doctor.ts'
import { createDuty, schedulesIn } from './duty.ts'
import { dutySources } from './sources.ts'

const tokens = dutySources.map(({ token }) => token)

const readSettings: FeatureEnvironment['read'] = (env, problems): DutySettings =>
  Object.fromEntries(
    dutySources.flatMap(({ name, token, url, base }) => {
      const given = env[url]
      const wrong = given === undefined ? undefined : whyNoBase(given)
      if (wrong !== undefined) problems.push(`${url} ${wrong}`)
      const secret = env[token]
      if (secret === undefined) return []
      if (!/^[\x21-\x7e]+$/.test(secret))
        problems.push(`${token} holds a space, a line break or a letter that no token has: copy it again.`)
      return [[name, { base: withoutAtEnd(given ?? base, '/'), token: secret }]]
    }),
  )

/** A role that nobody can come to have by being on duty. */
const unaddressed: FindDoubts = (policy) =>
  policy.people.some(({ address }) => address !== undefined)
    ? []
    : [...new Set(schedulesIn(policy).map(({ source }) => source))].map(({ name, title }) => ({
        path: ['groups', name],
        message: `nobody under people has an email, so whoever is on duty in ${title} gets no role by it. Add email to people.`,
      }))

/** Roles for those who are on duty now in a schedule of PagerDuty, Opsgenie or Rootly. */
export const onCall = defineFeature({
  name: 'on-call',
  environment: {
    variables: [...tokens, ...dutySources.map(({ url }) => url)],
    secrets: tokens,
    read: readSettings,
  },
  doubts: unaddressed,
  outsideGroups: {
    kinds: dutySources,
    open: ({ settings, log }) => createDuty((settings['on-call'] ?? {}) as DutySettings, { log, ticks }),
  },
  doctor: ({ policy, settings }) => checkSchedules({ policy }, (settings['on-call'] ?? {}) as DutySettings),
})
