import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { connectionWords, isUp } from '../../src/model/connection.ts'
import { plural } from '../../src/view/button-labels.ts'
import { absolute, names, when } from '../../src/view/format.ts'
import { facts, note, table } from '../../src/view/view.ts'

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
          'Signed by': status.log.key || undefined,
          Agents: names(
            records.agents().map(({ name, owner }) => `${name} (of ${owner})`),
            '',
          ),
        }),
        table(
          ['Part', 'State'],
          [
            ...status.services.map(({ name, sandbox, breaker, pausedForMs }) => [
              `${name} service`,
              `${breakerWords[breaker] ?? breaker}${pauseWords(pausedForMs)}${sandbox ? ', sandbox' : ''}`,
            ]),
            ...status.platforms.flatMap(({ name, remark, connections }) =>
              connections.map((connection) => [
                `${name} ${connection.name}`,
                [
                  connectionWords(connection),
                  ...(isUp(connection) ? [] : [`since ${absolute(connection.since)}`]),
                  ...(connection.heardAt === undefined ? [] : [`last heard ${absolute(connection.heardAt)}`]),
                  ...(connection.refusedAt === undefined
                    ? []
                    : [`last refused ${absolute(connection.refusedAt)}`]),
                  ...(remark === undefined ? [] : [remark]),
                ].join(', '),
              ]),
            ),
          ],
        ),
        ...(status.witnesses.length === 0
          ? []
          : [
              table(
                ['Witness of the log', 'State'],
                status.witnesses.map(({ name, latest, away }) => [
                  name,
                  [
                    away === undefined ? 'there' : `away since ${absolute(away.since)}: ${away.why}`,
                    latest === undefined
                      ? 'nothing given yet'
                      : `has ${plural(latest.size, 'entry', 'entries')}, ${absolute(latest.at)}`,
                  ].join('; '),
                ]),
              ),
            ]),
        ...(status.stream === undefined
          ? []
          : [
              table(
                ['Stream of the log', 'State'],
                [
                  [
                    status.stream.to,
                    [
                      status.stream.away === undefined
                        ? 'there'
                        : `away since ${absolute(status.stream.away.since)}: ${status.stream.away.why}`,
                      status.stream.behind === 0
                        ? 'has everything'
                        : `${plural(status.stream.behind, 'entry', 'entries')} behind, by ${plural(Math.ceil(status.stream.lagMs / 1000), 'second')}`,
                    ].join('; '),
                  ],
                ],
              ),
            ]),
        ...freezes.map((freeze) =>
          note(
            'warn',
            `Frozen: ${freeze.area}, by ${freeze.name} at ${absolute(freeze.at)}${freeze.reason ? `: ${freeze.reason}` : ''}`,
          ),
        ),
      ],
    })
  },
})

const pauseWords = (ms: number): string =>
  ms === 0 ? '' : `, asks us to wait: no calls for ${plural(Math.ceil(ms / 1000), 'second')}`

const breakerWords: Record<string, string> = {
  closed: 'reachable',
  open: 'not answering; no calls are sent for now',
  half_open: 'trying again',
}
