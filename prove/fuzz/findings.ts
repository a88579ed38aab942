import { createLog } from '../../src/lib/log.ts'

/** One target of the fuzzing: how many cases it had, and what broke. */
export type Fuzzed = { target: string; cases: number; outcomes: Record<string, number>; violations: string[] }

export type FuzzOptions = { cases: number; seed: number }

/** Words that stand for every kind of secret; finding one in the log is a violation. */
export const canaries = {
  emailKey: 'canary-email-key-71c2',
  chatKey: 'canary-chat-key-9f0a',
  billingKey: 'canary-billing-key-33d1',
  billingSecret: 'canary-billing-secret-e8b7',
  billingBasic: Buffer.from('canary-billing-key-33d1:canary-billing-secret-e8b7').toString('base64'),
  slackToken: 'xoxb-canary-slack-token-5a5a',
  slackSecret: 'canary-slack-signing-secret-4b4b',
  discordToken: 'canary.discord.token-6c6c',
  interactionToken: 'canary-interaction-token-7d7d',
  responseUrl: 'canary-response-url-8e8e',
  agentToken: 'canary-agent-token-9a9a-0123456789-0123456789',
}

/** A log that keeps nothing and looks at every line. */
export const createLeakDetectingLog = () => {
  const leaks = new Set<string>()
  let lines = 0
  const log = createLog('trace', {
    write: (line: string) => {
      lines++
      for (const [name, secret] of Object.entries(canaries)) {
        if (line.includes(secret)) leaks.add(`${name} in: ${line.trim().slice(0, 300)}`)
      }
    },
  })
  return { log, leaks: () => [...leaks].map((leak) => `a secret in the log: ${leak}`), lines: () => lines }
}

/** What escapes every catch while the work runs. */
export const catchEscapedErrors = async <T>(
  work: () => Promise<T>,
): Promise<{ result: T; escaped: string[] }> => {
  const escaped: string[] = []
  const onEscape = (error: unknown) => {
    escaped.push(`escaped: ${error instanceof Error ? error.stack : String(error)}`)
  }
  process.on('unhandledRejection', onEscape)
  process.on('uncaughtException', onEscape)
  try {
    const result = await work()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { result, escaped }
  } finally {
    process.off('unhandledRejection', onEscape)
    process.off('uncaughtException', onEscape)
  }
}

/** Keeps the first few of many alike. */
export const createFindings = (target: string) => {
  const violations: string[] = []
  const outcomes: Record<string, number> = {}
  return {
    count: (outcome: string) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    },
    violate: (words: string) => {
      if (violations.length < 20) violations.push(`${target}: ${words}`)
    },
    done: (cases: number, more: string[] = []): Fuzzed => ({
      target,
      cases,
      outcomes,
      violations: [...violations, ...more.map((each) => `${target}: ${each}`)],
    }),
  }
}
