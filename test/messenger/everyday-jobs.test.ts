import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { valuesOfLine } from '../../src/kernel/command/line/parse.ts'
import { labelsOf, menusOf, textOf } from '../discord/fake/person.ts'
import type { FakeInteraction, FakeMessage } from '../discord/fake/state.ts'
import { openDiscordHarness, channels as rooms } from '../discord/harness.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { until } from '../harness/until.ts'
import { textOfMessage } from '../slack/fake/reading.ts'
import { channels, openSlackHarness } from '../slack/harness.ts'
import { characters, copiedIds, everydayJobs } from './everyday-jobs.ts'

const policy = demoPolicy
  .replace('id: p-support,', 'id: p-support, slack: U0SAM, discord: "400000000000000001",')
  .replace('id: p-finance,', 'id: p-finance, slack: U0FAY, discord: "400000000000000002",')
  .replace('      - job *\n', '      - job *\n      - report *\n')
  .concat(`\nunseen: pass\napprovals: { slack: ${channels.approvals}, discord: "${rooms.approvals}" }\n`)

/** One person at one platform: what they type is counted. */
type Hands = {
  says(line: string): Promise<void>
  /** Chooses what to do with a thing of the answer that has these words, from its menu. */
  chooses(words: string, thing: string, action: string): Promise<void>
  /** Fills in the form that this opened; each field by its flag. */
  submits(values: Record<string, string>): Promise<void>
  presses(words: string, label: string): Promise<void>
  /** What they can read. */
  reads(): string
  /** What the one who decides can read. */
  others(): string
}

const openSlackHands = async () => {
  const { sam, fay, fake, sandbox } = await openSlackHarness({ policy })
  const reads = (who: typeof sam): string =>
    fake.state.messages
      .filter(({ isDeleted, onlyFor, channel }) =>
        isDeleted
          ? false
          : onlyFor === undefined
            ? fake.state.channels.get(channel)?.members.has(who.id)
            : onlyFor === who.id,
      )
      .map(textOfMessage)
      .join('\n---\n')
  const hands: Hands = {
    says: async (line) => {
      await sam.types(`/${line}`, channels.general)
    },
    chooses: async (words, thing, action) => {
      const message = await until(() => sam.finds(words, channels.general))
      await sam.chooses(message, thing, action)
    },
    submits: async (values) => {
      await until(() => expect(sam.hasModal()).toBe(true))
      const labelled = Object.entries(values).map(([flag, value]) => [
        flag === 'description' ? 'Reason' : flag.charAt(0).toUpperCase() + flag.slice(1).replaceAll('-', ' '),
        value,
      ])
      await sam.submits(Object.fromEntries(labelled))
    },
    presses: async (words, label) => {
      const on = await until(() => sam.finds(words, channels.general))
      await sam.clicks(label, { on })
    },
    reads: () => reads(sam),
    others: () => reads(fay),
  }
  return { hands, sandbox, refused: () => fake.state.calls.filter(({ ok }) => !ok) }
}

const openDiscordHands = async () => {
  const { sam, fay, fake, sandbox, registry } = await openDiscordHarness({ policy })
  let last: FakeInteraction | undefined
  const mine = () =>
    [...fake.state.messages.values()].filter(({ onlyFor }) => onlyFor === sam.id || onlyFor === null)
  const finds = (words: string): FakeMessage => {
    const found = mine().findLast((message) => plain(textOf(message)).includes(words))
    if (found === undefined) throw new Error(`no ${words} in ${mine().map(textOf).join('\n---\n')}`)
    return found
  }
  const rowOf = async (message: FakeMessage, thing: string): Promise<FakeMessage> => {
    const row = await sam.choose(message, thing)
    return until(() => {
      const shown = fake.state.messages.get(row.original ?? '')
      if (shown === undefined || menusOf(shown).length === 0)
        throw new Error(`nothing is offered for ${thing}`)
      return shown
    })
  }
  const hands: Hands = {
    says: async (line) => {
      const typed = valuesOfLine(registry, line)
      if (!typed.ok) throw new Error(typed.refusal.message)
      const { command, values } = typed.value
      const options = command.params.flatMap(({ name, flag }) =>
        values[name] === undefined ? [] : [[flag, String(values[name])] as const],
      )
      await sam.slash(rooms.general, command.name, Object.fromEntries(options))
    },
    chooses: async (words, thing, action) => {
      const message = await until(() => finds(words))
      const isOnly = menusOf(message)[0]?.options.some(({ label }) => label === action)
      const offered = isOnly ? message : await rowOf(message, thing)
      last = await sam.choose(offered, action)
    },
    submits: async (values) => {
      if (last?.modal === undefined) throw new Error('no form is open')
      await sam.submit(last, values)
    },
    presses: async (words, label) => {
      const message = await until(() => {
        const found = finds(words)
        expect(labelsOf(found)).toContain(label)
        return found
      })
      await sam.press(message, label)
    },
    reads: () =>
      mine()
        .map((message) => plain(textOf(message)))
        .join('\n---\n'),
    others: () => plain(`${fay.reads(rooms.approvals)}\n${fay.reads(fay.direct)}`),
  }
  return { hands, sandbox, refused: () => fake.state.refused }
}

const plain = (markdown: string): string => markdown.replace(/\\([^0-9A-Za-z\s])/g, '$1').replace(/\*\*/g, '')

describe.each([
  ['Slack', openSlackHands],
  ['Discord', openDiscordHands],
])('an everyday job in %s, without copying an id', async (_, open) => {
  const { hands, sandbox, refused } = await open()
  const sent = (row: string) => sandbox.wire.filter((entry) => entry.row === row).length

  it('refunds a double charge from what is known of a person', async () => {
    const [line, reason] = everydayJobs.refund.now
    await hands.says(line)
    await hands.chooses('49 USD was charged twice', 'INV-513', 'refund')
    await hands.submits({ description: reason })
    await hands.presses('Refund 49 USD to Ada Lindqvist', 'Confirm')
    await until(() => expect(hands.reads()).toContain('Refunded 49 USD'))
    expect(sent('refundPayment')).toBe(1)
  })

  it('answers a customer by message from what is known of them', async () => {
    const [line, body] = everydayJobs.answer.now
    await hands.says(line)
    // The same person is there as a subscriber too.
    await hands.chooses('may be written to', 'Ada Lindqvist, contact', 'message text')
    await hands.submits({ body })
    await hands.presses(body, 'Confirm')
    await until(() => expect(sent('sendText')).toBe(1))
  })

  it('sends a campaign to those who bought, with the number of people before it is confirmed', async () => {
    await hands.says(everydayJobs.campaign.now[0])
    await until(() => expect(hands.reads()).toMatch(/Send Spring sale to \d+ people/))
    await hands.presses('Send Spring sale to', 'Confirm')
    await until(() => expect(sandbox.state.email.outbox.length).toBeGreaterThan(5))
  })

  it('finds what is stuck and nudges', async () => {
    await hands.says('refund pay_1004 200')
    await until(() => expect(hands.others()).toContain('payment pay_1004'))
    await hands.says(everydayJobs.nudge.now[0])
    await hands.chooses('Waiting for a decision', 'payment pay_1004', 'approval remind')
    await until(() =>
      expect(hands.others()).toContain('Sam Support asks again: Refund 200 of payment pay_1004'),
    )
  })

  it('shows what was refunded this month, by whom and why', async () => {
    const [byWhom, why] = everydayJobs.refunded.now
    await hands.says(byWhom)
    await until(() => expect(hands.reads()).toMatch(/1 refund, 49 USD[\s\S]*Sam Support/))
    await hands.says(why)
    await until(() => expect(hands.reads()).toMatch(/1 refund, 49 USD[\s\S]*Charged twice/))
  })

  it('is never refused by the platform', () => {
    expect(refused()).toEqual([])
  })
})

it('the figures of docs/screenshots.md are those of these jobs', () => {
  const doc = readFileSync(new URL('../../docs/screenshots.md', import.meta.url), 'utf8')
  for (const { title, before, now } of Object.values(everydayJobs)) {
    expect(doc).toContain(
      `| ${title} | ${characters(before)} | ${copiedIds(before)} | ${characters(now)} | ${copiedIds(now)} |`,
    )
    expect(copiedIds(now)).toBe(0)
  }
})
