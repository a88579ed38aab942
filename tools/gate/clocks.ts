import { globSync, readFileSync } from 'node:fs'

/** The one file that asks the system for the time. */
const clock = 'src/lib/clock.ts'

/**
 * Where wall time is compared with a moment that is stored, shown, or told by somebody else, and why ticks cannot do it. What
 * one process paces, limits, waits for or keeps for a while is measured by ticks, and has no place here.
 */
const wallCompared: Readonly<Record<string, string>> = {
  'src/cli/doctor/records.ts': 'the age of the last backup and of the first entry',
  'src/features/jobs/job-scheduler.ts': 'the age of a chunk whose process may be gone',
  'src/cli/policy/differences.ts': 'moments that a policy test names',
  'src/kernel/change/applying/ask-service.ts': 'how long a service has had what it settles later',
  'src/features/hooks/handle.ts': 'the age of a stored event',
  'src/features/hooks/receive.ts': 'the time that a service has signed',
  'src/features/grants/ask.ts': 'the time until which somebody would have a right',
  'src/features/replay/draft.ts': 'the period of a replay',
  'src/kernel/request/intake.ts': 'the age of what a dead process had acknowledged',
  'src/kernel/request/look-ups/query.ts': 'stored answers of the last while',
  'src/kernel/actors/passkeys.ts': 'the end that a challenge says of itself, which any replica may read',
  'src/kernel/loss/others.ts': 'the ends of the leases of others, which are stored',
  'src/kernel/tasks/worker.ts': 'the age of what is pruned',
  'src/kernel/tasks/kinds.ts': 'the end of a hold, and of a request, that people read',
  'src/features/replay/tool.ts': 'the period of a replay',
  'src/kernel/things/sources.ts': 'stored answers of the last while',
  'src/lib/http/body-signature.ts': 'the time that a platform signed',
  'adapters/discord/reply/messenger.ts': 'the end of a token, stored with an address',
  'adapters/slack/api/response-url.ts': 'the end of an address, stored with it',
  'adapters/slack/inbound/button-clicks.ts': 'the end of an address, stored with it',
  'adapters/slack/install/oauth.ts': 'the end of a permission that travels through a browser',
}

const system = /\bDate\.now\b|\bperformance\.now\b|\bhrtime\b|\bnew Date\(\)/
const wall = String.raw`(?:\bnow|wallTime)\(\)`
const compared = new RegExp(String.raw`${wall} *(?:-|[<>]=?) |(?:-|(?<!=)[<>]=?) (?:[\w.]*\.)?${wall}`)

/** Stand-ins are other people's services: their time is their own. */
const isJudged = (file: string): boolean => file !== clock && !/(^|\/)sandbox\//.test(file)

export async function clockFaults(): Promise<string[]> {
  const used = new Set<string>()
  const faults = globSync('{src,adapters,packs,commands}/**/*.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isJudged)
    .toSorted()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          if (/^\s*(\*|\/\/|\/\*)/.test(line)) return []
          if (system.test(line)) return [`${file}:${at + 1} asks the system for the time: ${clock} does that`]
          if (!compared.test(line)) return []
          used.add(file)
          return file in wallCompared
            ? []
            : [`${file}:${at + 1} measures with wall time, which may step: measure with ticks of ${clock}`]
        }),
    )
  const unused = Object.keys(wallCompared).filter((file) => !used.has(file) && globSync(file).length > 0)
  return [
    ...faults,
    ...unused.map((file) => `${file} compares no wall time any more: strike it from the list`),
  ]
}
