import { expect, it } from 'vitest'
import { fuzzDiscord } from '../../prove/fuzz/discord.ts'
import { catchEscapedErrors, type Fuzzed, type FuzzOptions } from '../../prove/fuzz/findings.ts'
import { fuzzMcp } from '../../prove/fuzz/mcp.ts'
import { fuzzParser } from '../../prove/fuzz/parser.ts'
import { fuzzPolicy } from '../../prove/fuzz/policy.ts'
import { fuzzSayings } from '../../prove/fuzz/sayings.ts'
import { fuzzAnswers } from '../../prove/fuzz/service-answers.ts'
import { fuzzSlack } from '../../prove/fuzz/slack.ts'
import { dailySeed } from '../harness/daily-seed.ts'

const fuzz = async (target: (options: FuzzOptions) => Promise<Fuzzed>, cases: number) => {
  const { result, escaped } = await catchEscapedErrors(() => target({ cases, seed: dailySeed }))
  expect([...result.violations, ...escaped]).toEqual([])
  expect(Object.keys(result.outcomes).length).toBeGreaterThan(1)
}

it('no line breaks the parser', () => fuzz(fuzzParser, 1_000))
it('no saying breaks the reader, or is read as a decision', () => fuzz(fuzzSayings, 300))
it('no policy file breaks the start', () => fuzz(fuzzPolicy, 150))
it('no answer of a service breaks a command', () => fuzz(fuzzAnswers, 150))
it('no payload of Slack breaks the bot', () => fuzz(fuzzSlack, 150))
it('no payload of Discord breaks the bot', () => fuzz(fuzzDiscord, 150))
it('no call of an agent breaks the bot', () => fuzz(fuzzMcp, 250))
