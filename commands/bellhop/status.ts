import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { connectionWords, isUp } from '../../src/kernel/model/connection.ts'
import { freezeNotes, unfreezeActions } from '../../src/kernel/model/freeze.ts'
import { lossIn } from '../../src/kernel/model/store-loss.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { names, when } from '../../src/lib/view/format.ts'
import { facts } from '../../src/lib/view/view.ts'
import { joinWords, sentence, type Words } from '../../src/lib/view/words.ts'

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
    const loss = lossIn(freezes)
    const isWell = isReachable && !isWaiting && isConnected && freezes.length === 0
    return answer({
      title: isWell
        ? 'Everything is working'
        : loss !== undefined
          ? 'The database lost what was stored last'
          : !isReachable
            ? 'A service is not answering'
            : isWaiting
              ? 'A service asks us to wait'
              : !isConnected
                ? 'A messenger is not connected'
                : 'Everything is working, and changes are frozen',
      tone: isWell ? 'good' : 'warn',
      blocks: [
        facts({
          Version: status.version,
          Started: when(status.startedAt),
          Database: status.database === 'sqlite' ? 'embedded (SQLite)' : 'PostgreSQL',
          Lost: loss === undefined ? undefined : sentence`${loss.reason}. Noticed at ${when(loss.at)}`,
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
            ...status.ofFeatures,
          ]),
        ),
        ...freezeNotes(freezes),
      ],
      actions: unfreezeActions(freezes),
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
