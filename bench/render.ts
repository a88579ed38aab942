import { renderMessage as renderDiscord } from '../adapters/discord/render/render.ts'
import { renderSlack } from '../adapters/slack/render/message.ts'
import { createCommands } from '../commands/index.ts'
import { lineBy, pressBy } from '../prove/crash/child-bot.ts'
import { openInProcessBot } from '../prove/fuzz/in-process-bot.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { isConfirmOnly } from '../src/kernel/law/clauses.ts'
import { buttonIdOf } from '../src/kernel/model/shown.ts'
import { createLog } from '../src/lib/log.ts'
import type { View } from '../src/lib/view/view.ts'
import { messageFaults } from '../test/discord/fake/rules.ts'
import { faultInMessage } from '../test/slack/fake/blocks.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { interleave, median, microseconds, percentile } from './measure.ts'

/** Every view that the commands' own examples lead to, for both platforms. */
export const benchRender = async ({ scale }: BenchOptions): Promise<Bench> => {
  const views = await allViews()
  const faults = views.flatMap(({ name, view }) => {
    const { blocks, text } = renderSlack(view)
    const slack = faultInMessage(text, blocks)
    const discord = discordFaults(view)
    return [
      ...(slack === undefined ? [] : [`${name} in Slack: ${slack}`]),
      ...discord.map((fault) => `${name} in Discord: ${fault}`),
    ]
  })
  const spent: { name: string; slack: number; discord: number }[] = []
  for (const { name, view } of views) {
    const measured = await interleave(
      {
        slack: () => microseconds(() => renderSlack(view), 20 * scale),
        discord: () => microseconds(() => renderDiscord(view), 20 * scale),
      },
      3,
    )
    spent.push({ name, slack: median(measured.slack), discord: median(measured.discord) })
  }
  const slowest = spent
    .toSorted((one, other) => other.slack + other.discord - one.slack - one.discord)
    .slice(0, 5)
  const row = (words: string, pick: (values: number[]) => number) => [
    words,
    pick(spent.map(({ slack }) => slack)).toFixed(0),
    pick(spent.map(({ discord }) => discord)).toFixed(0),
  ]
  return {
    title: 'Rendering',
    what: `${views.length} views: the answer, card and outcome of every example of every command, rendered for both platforms.`,
    tables: [
      {
        head: ['', 'Slack, µs', 'Discord, µs'],
        rows: [
          row('median view', median),
          row('99th percentile', (values) => percentile(values, 99)),
          ...slowest.map(({ name, slack, discord }) => [
            `slowest: ${name}`,
            slack.toFixed(0),
            discord.toFixed(0),
          ]),
        ],
      },
    ],
    goals: [
      {
        goal: 'none over a limit',
        measured: faults.length === 0 ? 'none' : faults.slice(0, 3).join('; '),
        isMet: faults.length === 0,
      },
    ],
    notes: [
      "Limits are checked by rules that were written apart from the renderers, those of the platforms' stand-ins.",
    ],
    figures: { spent },
  }
}

const discordFaults = (view: View): string[] => {
  const { body } = renderDiscord(view)
  return messageFaults({ ...body }, { files: body.attachments.map(({ filename }) => filename) })
}

const allViews = async (): Promise<{ name: string; view: View }[]> => {
  const sandbox = await startSandbox()
  const { email, chat, billing } = sandbox
  const bot = await openInProcessBot(
    createLog('silent'),
    { email: email.baseUrl, chat: chat.baseUrl, billing: billing.baseUrl },
    { keys: sandbox },
  )
  const views: { name: string; view: View }[] = []
  try {
    for (const { name, kind, examples } of createCommands().all) {
      if (kind === 'decision') continue
      for (const line of examples) {
        const reply = await bot.app.handle(lineBy('U0SUPPORT', line))
        if ('view' in reply) views.push({ name: `${name} (${reply.kind})`, view: reply.view })
        if (reply.kind !== 'change' || reply.change.state !== 'pending') continue
        const { clauses } = reply.change
        const id = buttonIdOf(reply.change)
        const ended = await bot.app.handle(
          isConfirmOnly(clauses) ? pressBy('U0SUPPORT', 'confirm', id) : pressBy('U0FINANCE', 'approve', id),
        )
        if ('view' in ended) views.push({ name: `${name} (outcome)`, view: ended.view })
      }
    }
  } finally {
    await bot.close()
    await sandbox.close()
  }
  return views
}
