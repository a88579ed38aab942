import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { discordCommandsOf } from '../../adapters/discord/registration/definitions.ts'
import { policyOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'
import { runTool } from '../harness/tool.ts'
import { until } from '../harness/until.ts'
import { whenDone } from '../harness/when-done.ts'
import { startFakeDiscord } from './fake/discord.ts'
import { labelsOf, textOf } from './fake/person.ts'
import type { FakeInteraction } from './fake/state.ts'
import { channels, openDiscordHarness } from './harness.ts'

const doc = readFileSync(new URL('../../docs/discord.md', import.meta.url), 'utf8')

describe('docs/discord.md', () => {
  it('invites with the permissions of its table and no others', () => {
    const inUrl = Number(/permissions=(\d+)/.exec(doc)?.[1])
    const inTable = [...doc.matchAll(/^\| [A-Z][\w ]+ \| (\d+) \|/gm)].map(([, value]) => Number(value))
    expect(inTable).toHaveLength(5)
    expect(inTable.reduce((sum, one) => sum + one, 0)).toBe(inUrl)
  })

  it('has a policy that loads', () => {
    const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(doc) ?? []
    expect(policyOf(yaml, commandsWith()).people).toHaveLength(2)
  })

  it('names the commands that stand alone', () => {
    const alone = discordCommandsOf(commandsWith()).filter(
      ({ options = [] }) => !options.some(({ type }) => type === 1),
    )
    for (const { name } of alone) expect(doc).toContain(`\`/${name}\``)
  })
})

describe('the tour of docs/discord.md', async () => {
  const [, policy = ''] = /```yaml\n([\s\S]+?)```/.exec(doc) ?? []
  const tour = doc.split(/^## /m).find((section) => section.startsWith('4. Try it')) ?? ''
  const { fake, sam, fay } = await openDiscordHarness({ policy })
  const { general, approvals } = channels
  /** As the page writes it: the name of the command, then each option with a colon. */
  const slash = (line: string) => {
    expect(tour).toContain(`\`${line}\``)
    const [name = '', ...pairs] = line.slice(1).split(/ (?=[\w-]+: )/)
    return sam.slash(general, name, Object.fromEntries(pairs.map((pair) => pair.split(': '))))
  }
  const shown = (asked: FakeInteraction, words: string) =>
    until(() => {
      const message = fake.state.messages.get(asked.original ?? '')
      if (message === undefined || !textOf(message).includes(words)) throw new Error(`no ${words}`)
      return message
    })

  it('looks somebody up, and asks for lists in a form', async () => {
    await shown(await slash('/subscriber get who: ada@example.com'), 'Ada Lindqvist')
    expect((await slash('/list remove who: ada@example.com')).modal).toBeDefined()
  })

  it('shows a card to confirm for a small refund, and asks finance for a larger one', async () => {
    expect(tour).toMatch(/amount: 20 customer: cus_1001` shows you a card to confirm/)
    expect(tour).toContain('without the customer, you are asked whose payment it is')
    await shown(
      await sam.slash(general, 'refund', { 'payment-id': 'pay_1001', amount: 20 }),
      'Whose payment is pay\\_1001?',
    )
    const line = '/refund payment-id: pay_1001 amount: 20 customer: cus_1001'
    const card = await shown(await slash(line), 'Refund 20 USD')
    await sam.press(card, 'Confirm')
    await until(() => expect(textOf(fake.state.messages.get(card.id) ?? card)).toContain('Refunded 20'))
    expect(tour).toMatch(/amount: 100 customer: cus_1001` asks somebody in finance/)
    await slash('/refund payment-id: pay_1001 amount: 100 customer: cus_1001')
    const asked = await until(() => {
      const found = [...fake.state.messages.values()].find(
        (one) => one.channel === approvals && labelsOf(one).includes('Approve'),
      )
      if (found === undefined) throw new Error('finance is not asked')
      return found
    })
    await fay.press(asked, 'Approve')
    await until(() => expect(textOf(fake.state.messages.get(asked.id) ?? asked)).toContain('Refunded 100'))
  })

  it('refunds from a list of payments', async () => {
    const payments = await shown(await slash('/transaction find customer-id: cus_1001'), 'Payments by')
    const row = await shown(await sam.choose(payments, 'INV-502'), 'Payment')
    expect((await sam.choose(row, 'refund')).modal).toBeDefined()
  })
})

describe('npm run register', async () => {
  const fake = await startFakeDiscord()
  whenDone(fake.close)
  const register = async (args: string[], env: Record<string, string> = {}) => {
    const { code, out, err } = await runTool('register', args, {
      env: {
        DISCORD_TOKEN: fake.state.token,
        DISCORD_APPLICATION_ID: fake.state.applicationId,
        DISCORD_API_URL: fake.apiUrl,
        ...env,
      },
    })
    return { code, said: code === 0 ? out : err }
  }

  it('prints what would change, then changes it, then finds nothing to do', async () => {
    const dry = await register(['--dry-run'])
    expect(dry.said).toContain('+ /refund\n')
    expect(dry.said).toContain('Nothing was changed')
    expect(fake.state.puts).toBe(0)
    expect((await register([])).said).toContain('Registered.')
    expect((await register([])).said).toBe('Everything is registered as it is defined.\n')
    expect(fake.state.puts).toBe(1)
  })

  it('says what is missing or refused, without the token', async () => {
    const missing = await register([], { DISCORD_TOKEN: '' })
    expect(missing).toMatchObject({ code: 2, said: expect.stringContaining('Set DISCORD_TOKEN') })
    const refused = await register([], { DISCORD_TOKEN: 'not-the-token' })
    expect(refused).toMatchObject({ code: 4, said: expect.stringContaining('401') })
    expect(refused.said).not.toContain('not-the-token')
  })
})
