import { describe, expect, it } from 'vitest'
import { discordCommandsOf } from '../../../adapters/discord/registration/definitions.ts'
import { registerCommands } from '../../../adapters/discord/registration/register.ts'
import { commandsWith } from '../../harness/commands.ts'
import { whenDone } from '../../harness/when-done.ts'
import { startFakeDiscord } from '../fake/discord.ts'
import type { Json } from '../fake/state.ts'

describe('registering commands', async () => {
  const fake = await startFakeDiscord()
  whenDone(fake.close)
  const registry = commandsWith()
  const config = { token: fake.state.token, applicationId: fake.state.applicationId, apiUrl: fake.apiUrl }
  const register = (dryRun = false) => registerCommands(config, registry, { dryRun })

  it('says what would change without changing it', async () => {
    const { lines, isPut } = await register(true)
    expect(lines).toContain('+ /refund')
    expect(isPut).toBe(false)
    expect(fake.state.puts).toBe(0)
  })

  it('puts them once, and not again when Discord gives them back in its own way', async () => {
    expect((await register()).isPut).toBe(true)
    expect(fake.state.commands).toHaveLength(discordCommandsOf(registry).length)
    expect(await register()).toEqual({ lines: [], isPut: false })
    expect(fake.state.puts).toBe(1)
  })

  it('names each difference by its place, and puts things right', async () => {
    const refund = fake.state.commands.find(({ name }) => name === 'refund') as Json
    const [payment] = refund.options as Json[]
    if (payment) payment.description = 'Something else'
    fake.state.commands.push({ name: 'old', description: 'Left behind', type: 1 })
    const campaign = fake.state.commands.find(({ name }) => name === 'campaign') as Json
    campaign.options = (campaign.options as Json[]).filter(({ name }) => name !== 'get')
    const { lines } = await register()
    expect(lines.toSorted()).toEqual(['+ /campaign get', '- /old', '~ /refund payment-id: description'])
    expect(await register(true)).toEqual({ lines: [], isPut: false })
  })
})
