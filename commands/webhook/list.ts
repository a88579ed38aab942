import { z } from 'zod'
import { webhooks } from '../../src/features/webhooks/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { when } from '../../src/lib/view/format.ts'
import { shownUrl } from '../../src/lib/view/shown-url.ts'
import { note, table } from '../../src/lib/view/view.ts'

export const webhookList = defineQuery({
  name: 'webhook list',
  summary: 'Show each webhook, what it is still owed, and the dead letters',
  area: 'bellhop',
  input: z.object({}),
  examples: ['webhook list'],
  uses: [],
  async run(_, { of }) {
    const [hooks, dead] = await Promise.all([of(webhooks).list(), of(webhooks).dead()])
    const lost = hooks.reduce((sum, hook) => sum + hook.dead, 0)
    return answer({
      title: hooks.length === 0 ? 'There are no webhooks' : `${hooks.length} webhooks`,
      tone: lost > 0 ? 'warn' : 'plain',
      blocks: [
        ...(hooks.length === 0
          ? [note('plain', 'List them under webhooks in bellhop.yml.')]
          : [
              table(
                ['Address', 'Events', 'Owed', 'Dead', 'Since'],
                hooks.map(({ url, id, events, queued, dead: given, since }) => [
                  url === undefined ? `${id}, no longer in bellhop.yml` : shownUrl(url),
                  events.join(', '),
                  String(queued),
                  String(given),
                  when(since) ?? '',
                ]),
              ),
            ]),
        ...(dead.length === 0
          ? []
          : [
              note(
                'warn',
                'Nobody took these, and they are not tried again. webhook resend tries them once more.',
              ),
              table(
                ['Change+', 'Event', 'Of', 'Address', 'Why'],
                dead.map(({ changeId, type, at, hook, error }) => {
                  const url = hooks.find(({ id }) => id === hook)?.url
                  return [
                    changeId,
                    type,
                    when(at) ?? '',
                    url === undefined ? hook : shownUrl(url),
                    error ?? '',
                  ]
                }),
              ),
            ]),
      ],
    })
  },
})

/** Without what stands behind the question mark: that can be a secret. */
