import type { MessengerError } from '../../src/kernel/messenger/messenger.ts'
import type { ServiceErrorKind } from '../../src/lib/services/errors.ts'
import type { DatabaseError } from '../../src/lib/sql/database.ts'
import { verbs } from '../../src/lib/view/button-labels.ts'
import { refusals } from '../../src/lib/view/refusals.ts'

type Row = readonly [meaning: string, next: string, nextInFields?: string]

/** How a call to a service can fail. Each kind says whether the change may have happened anyway. */
const serviceErrors: Record<ServiceErrorKind, Row> = {
  rejected: [
    'The service refused the request with a 4xx status, or with an answer that says no. Nothing was done. Of an MCP server: a tool declared an error, and what became of a change is unknown unless its row says otherwise.',
    'Correct what its message complains about, and ask again.',
  ],
  not_found: [
    'The service answered 404. Nothing was done.',
    'Check the id or address; the find command of the same noun lists what exists.',
  ],
  unauthorized: [
    'The service answered 401 or 403. Nothing was done.',
    'An administrator checks the key and the base URL of the service; `npm run doctor` tries them.',
  ],
  rate_limited: [
    'The service answered 429, or recently did and is given time to recover. Nothing was done.',
    'Wait as long as the message says. Reads have already been retried within their deadline.',
  ],
  unavailable: [
    'The service could not be reached, answered 5xx, or did not answer in time. A read changed nothing. A change whose request may have been sent is `unknown`; one that was certainly not sent is `failed`.',
    `Try a read again later. Look up an unknown change, then press ${verbs.happened.label} or ${verbs.did_not.label}.`,
  ],
  malformed: [
    'The answer is not JSON, too large, about something else, or not of the documented shape, whatever its status says. A change that is answered so may have happened: its outcome is unknown.',
    'Try again; if it keeps happening, an administrator checks the log, which has the status and size of the answer.',
  ],
  held: [
    'The service holds the change until somebody agrees to it there, as its pack says that it does. The change is `held`: it is asked after, and never sent again.',
    'Agree or refuse in the service; the card of the change says what comes of it.',
  ],
  tools_changed: [
    'An MCP server lists a tool of the pack with other words, other arguments or other hints than were pinned, or not at all. Nothing was sent.',
    '`npm run doctor` says what changed. Look at it, then `npm run packs -- pin`; where the arguments changed, write the pack again.',
  ],
  given_up: [
    'The process stood still, or its database did, for so long that the claim was no longer surely its own. Nothing was sent.',
    'Look at the card: a change that failed may be asked for again.',
  ],
}

const databaseErrors: Record<DatabaseError['kind'], Row> = {
  down: [
    'The database does not answer or cannot be written to. Changes are refused; look-ups still work but are not recorded.',
    'An administrator restores it; `/readyz` shows when it is back. Nothing that was approved is lost.',
  ],
  full: [
    'The disk of the database, or of the machine, has no room left. As `down`, and `/readyz` says so too.',
    'An administrator makes room; the next write that finds some ends it.',
  ],
  unsure: [
    'The connection was lost while something was being committed, so it is stored or not.',
    'Look at the card or at `approval list`. What is sent again with its old id or key counts once.',
  ],
  failed: [
    'The database answered, and the statement or a stored row is wrong: a fault in Bellhop.',
    'Report it with the incident number; the log has the cause.',
  ],
}

const messengerErrors: Record<MessengerError['kind'], Row> = {
  gone: [
    'The message can never be posted there: the channel is archived, the conversation closed, or the message deleted.',
    'Nothing: the requester gets a direct message, and the other copies of the card still work.',
  ],
  later: [
    'The chat platform is down or limits our requests.',
    'Nothing: the message is sent again within a minute after the platform is back.',
  ],
  broken: [
    'The chat platform does not take a message of this form: a fault in Bellhop. It is not sent again.',
    'Report it; the log has what the platform said. `approval get` shows the change.',
  ],
}

/** The text of docs/refusals.md: every refusal, and every kind of error behind one. */
export const refusalsDoc = (): string =>
  [
    '# Refusals and errors',
    '',
    'Written by `npm run derive` from `src/lib/view/refusals.ts` and `tools/reference/refusals-page.ts`; do not edit.',
    '',
    'A refusal says what is wrong and what to do next, and changes nothing. Its code is in the',
    'audit log when somebody tried something they may not do, and in the `result` label of the metrics.',
    '',
    '## Refusals',
    '',
    ...table('code', refusals),
    '',
    '## Errors of a service',
    '',
    'Each becomes the refusal of the same name for a look-up, and the outcome of a change.',
    '',
    ...table('kind', serviceErrors),
    '',
    '## Errors of the database',
    '',
    ...table('kind', databaseErrors),
    '',
    '## Errors of a chat platform',
    '',
    ...table('kind', messengerErrors),
    '',
  ].join('\n')

const table = (first: string, rows: Record<string, Row>): string[] => [
  `| ${first} | what it means | what to do |`,
  '|---|---|---|',
  ...Object.entries(rows).map(([name, [meaning, next]]) => `| \`${name}\` | ${meaning} | ${next} |`),
]
