import type { Area } from '../../src/kernel/model/change.ts'
import type { CommandRef } from '../../src/kernel/policy/file/draft.ts'

const of = (area: Area, kind: 'query' | 'change', ...names: string[]): CommandRef[] =>
  names.map((name) => ({ name, area, kind, movesMoney: area === 'billing' }))

/** What moves money has an amount, takes a reason and looks things up. */
const money = { movesMoney: true, amountOf: true, reasonOf: true, evidenceOf: true }

/** Enough of the real commands for every kind of pattern, area and alias. */
export const knownCommands: CommandRef[] = [
  ...of(
    'email',
    'query',
    'subscriber get',
    'subscriber find',
    'subscriber stats',
    'list find',
    'campaign find',
  ),
  ...of('email', 'change', 'subscriber update', 'list create', 'list remove', 'campaign send'),
  ...of('chat', 'query', 'contact get', 'contact find'),
  ...of('chat', 'change', 'contact update', 'message products', 'message media', 'message carousel'),
  ...of(
    'billing',
    'query',
    'transaction find',
    'transaction get',
    'transaction refunds',
    'addon find',
    'license find',
  ),
  { name: 'refund', area: 'billing', kind: 'change', ...money },
  ...of('billing', 'change', 'transaction delete', 'addon create', 'addon delete', 'license delete-code'),
  { name: 'upgrade', area: 'billing', kind: 'change', sameAs: ['downgrade'], ...money },
  { name: 'downgrade', area: 'billing', kind: 'change', sameAs: ['upgrade'], ...money },
  { name: 'api call', kind: 'switch' },
  { name: 'approval approve', kind: 'decision' },
  { name: 'job pause', kind: 'decision' },
  ...of('bellhop', 'query', 'person get', 'approval list', 'audit find', 'bellhop help', 'bellhop whoami'),
  ...of('bellhop', 'query', 'report digest', 'schedule find'),
  ...of('bellhop', 'change', 'freeze', 'unfreeze', 'away set', 'schedule create', 'grant create'),
]
