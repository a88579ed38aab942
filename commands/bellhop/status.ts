import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { defineQuery } from '../../src/command/define.ts'
import { connectionWords, isUp } from '../../src/model/connection.ts'
import { plural } from '../../src/view/button-labels.ts'
import { names, when } from '../../src/view/format.ts'
import { facts, note } from '../../src/view/view.ts'
import { joinWords, sentence, type Words } from '../../src/view/words.ts'

export const bellhopStatus = defineQuery({
  name: 'bellhop status',
  summary: 'Show how the bot, its services and its messengers are doing',
  area: 'bellhop',
  input: z.object({}),
  examples: ['bellhop status'],
  uses: [],
  async run(_, { records }) {
    const [status, freezes] = await Promise.all([records.status(), records.freezes()])
    const isReachable = status.services.every(({ breaker }) => breaker === 'closed')
    const isWaiting = status.services.some(({ pausedForMs }) => pausedForMs > 0)
    const isConnected = status.platforms.every(({ connections }) => connections.every(isUp))
    const isWell = isReachable && !isWaiting && isConnected
    return answer({
      title: isWell
        ? 'Everything is working'
        : !isReachable
          ? 'A service is not answering'
          : isWaiting
            ? 'A service asks us to wait'
            : 'A messenger is not connected',
      tone: isWell ? 'good' : 'warn',
      blocks: [
        facts({
          Version: status.version,
          Started: when(status.startedAt),
          Database: status.database === 'sqlite' ? 'embedded (SQLite)' : 'PostgreSQL',
          Waiting: plural(status.waiting, 'change'),
          'Messages to send': plural(status.queue, 'message'),
          'Audit log': plural(status.log.entries, 'entry', 'entries'),
          'Signed by': status.log.key,
          Agents: names(
            records.agents().map(({ name, owner }) => `${name} (of ${owner})`),
            '',
          ),
        }),
        facts(
          Object.fromEntries<Words>([
            ...status.services.map(({ name, sandbox, breaker, pausedForMs }): [string, Words] => [
              `${name} service`,
              `${breakerWords[breaker] ?? breaker}${pauseWords(pausedForMs)}${sandbox ? ', sandbox' : ''}`,
            ]),
            ...status.platforms.flatMap(({ name, remark, connections }) =>
              connections.map((connection): [string, Words] => [
                `${name} ${connection.name}`,
                joinWords(
                  [
                    connectionWords(connection),
                    ...(isUp(connection) ? [] : [sentence`since ${when(connection.since)}`]),
                    ...(connection.heardAt === undefined
                      ? []
                      : [sentence`last heard ${when(connection.heardAt)}`]),
                    ...(connection.refusedAt === undefined
                      ? []
                      : [sentence`last refused ${when(connection.refusedAt)}`]),
                    ...(remark === undefined ? [] : [remark]),
                  ],
                  ', ',
                ),
              ]),
            ),
            ...status.witnesses.map(({ name, latest, away }): [string, Words] => [
              `Witness ${name}`,
              joinWords(
                [
                  awayWords(away),
                  latest === undefined
                    ? 'nothing given yet'
                    : sentence`has ${plural(latest.size, 'entry', 'entries')}, ${when(latest.at)}`,
                ],
                '; ',
              ),
            ]),
            ...(status.stream === undefined ? [] : [streamLine(status.stream)]),
          ]),
        ),
        ...freezes.map((freeze) =>
          note(
            'warn',
            sentence`Frozen: ${freeze.area}, by ${freeze.name} at ${when(freeze.at)}${freeze.reason ? `: ${freeze.reason}` : ''}`,
          ),
        ),
      ],
    })
  },
})

const awayWords = (away: { since: number; why: string } | undefined): Words =>
  away === undefined ? 'there' : sentence`away since ${when(away.since)}: ${away.why}`

const streamLine = ({
  to,
  away,
  behind,
  lagMs,
}: NonNullable<Awaited<ReturnType<ReadContext['records']['status']>>['stream']>): [
  label: string,
  state: Words,
] => [
  `Stream to ${to}`,
  joinWords(
    [
      awayWords(away),
      behind === 0
        ? 'has everything'
        : `${plural(behind, 'entry', 'entries')} behind, by ${plural(Math.ceil(lagMs / 1000), 'second')}`,
    ],
    '; ',
  ),
]

const pauseWords = (ms: number): string =>
  ms === 0 ? '' : `, asks us to wait: no calls for ${plural(Math.ceil(ms / 1000), 'second')}`

const breakerWords: Record<string, string> = {
  closed: 'reachable',
  open: 'not answering; no calls are sent for now',
  half_open: 'trying again',
}
