import { messengers } from '../../adapters/index.ts'

/** Every messenger that a policy may name, and the terminal. */
export const platforms = [...messengers, { name: 'terminal', title: 'Terminal', accounts: 'people' as const }]
