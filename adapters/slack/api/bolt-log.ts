import type { Logger, LogLevel } from '@slack/bolt'
import type { Log } from '../../../src/lib/log.ts'

/** Bolt's log in ours. Its finer levels hold whole requests, so they end here. */
export const toBoltLog = (log: Log): Logger => {
  const say =
    (level: 'debug' | 'warn' | 'error') =>
    (...words: unknown[]): void =>
      log[level]({ from: 'bolt' }, wordsOf(words[0]))
  return {
    debug: () => undefined,
    info: say('debug'),
    warn: say('warn'),
    error: say('error'),
    setLevel: () => undefined,
    getLevel: () => 'info' as LogLevel,
    setName: () => undefined,
  }
}

const wordsOf = (first: unknown): string =>
  (first instanceof Error ? first.message : String(first))
    .replace(/https?:\/\/\S+/g, '[address]')
    .slice(0, 200)
