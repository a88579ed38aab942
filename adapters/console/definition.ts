import { checkPassed, type MessengerDefinition } from '../../src/kernel/messenger/definition.ts'
import { type ConsoleConfig, readConsoleConfig } from './config.ts'

export const consoleDefinition: MessengerDefinition<ConsoleConfig> = {
  name: 'console',
  title: 'Console',
  variables: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  secrets: ['OIDC_CLIENT_SECRET'],
  switches: ['CONSOLE'],
  accounts: 'people',
  turnOn: 'CONSOLE=on',
  readConfig: readConsoleConfig,
  check: async ({ entry }) => [
    checkPassed(
      'console',
      entry.kind === 'sign-in'
        ? `on; people sign in at ${entry.publicUrl} with the link of bellhop console.`
        : `on${entry.token === null ? '' : ', for those who know its token'}.`,
    ),
    // Without a PUBLIC_URL the links lead to this machine, where nothing runs before the first start.
    ...(entry.kind === 'sign-in' && entry.isGiven
      ? [await (await import('./doctor.ts')).checkWayIn(entry.publicUrl)]
      : []),
    ...(entry.kind === 'sign-in' && entry.oidc !== undefined
      ? [await (await import('./doctor.ts')).checkProvider(entry.oidc)]
      : []),
  ],
  create: async (deps) => (await import('./console.ts')).createConsole(deps),
}
