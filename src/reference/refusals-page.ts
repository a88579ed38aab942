import type { MessengerError } from '../messenger/messenger.ts'
import type { ServiceErrorKind } from '../services/errors.ts'
import type { DatabaseError } from '../storage/database/database-error.ts'
import { refusals } from '../view/refusals.ts'

type Row = readonly [meaning: string, next: string]

/** What a call to a service can end in. Whether a change may have happened all the same is said beside the kind. */
const serviceErrors: Record<ServiceErrorKind, Row> = {
  rejected: [
    'The service refused the request with a 4xx status, or with an answer that says no. Nothing was done.',
    'Correct what its message complains about, and ask again.',
  ],
  not_found: [
    'The service answered 404. Nothing was done.',
    'Check the id or address; the find command of the same noun lists what there is.',
  ],
  unauthorized: [
    'The service answered 401 or 403. Nothing was done.',
    'An administrator checks the key and the base URL of the service; `npm run doctor` tries them.',
  ],
  rate_limited: [
    'The service answered 429, or still rests after one. Nothing was done.',
    'Wait as long as the sentence says. Reads within their deadline have waited already.',
  ],
  unavailable: [
    'The service could not be reached, answered 5xx, or did not answer in time. A read changed nothing. A change that may have left is `unknown`, one that surely did not is `failed`.',
    'Try a read again later. Look up an unknown change, then press It happened or It did not.',
  ],
  malformed: [
    'The answer to a read is no JSON, too large, or of another shape than documented. An unreadable answer to a change that was accepted is no error: the change is applied, with a warning.',
    'Try again; if it stays, an administrator looks at the log, which has the status and size of the answer.',
  ],
  given_up: [
    'The process stood still, or its database did, for so long that the claim was no longer surely its own. Nothing was sent.',
    'Look at the card: a change that failed may be asked for again.',
  ],
}

const databaseErrors: Record<DatabaseError['kind'], Row> = {
  down: [
    'No database answers, or it cannot be written. Changes are refused, look-ups answer without being recorded.',
    'An administrator brings it back; `/readyz` says when it is. Nothing that was approved is lost.',
  ],
  failed: [
    'The database answered, and the statement or a stored row is wrong: a fault in Bellhop.',
    'Report it with the incident number; the log has the cause.',
  ],
}

const messengerErrors: Record<MessengerError['kind'], Row> = {
  gone: [
    'A place will never take the message: the channel is archived, the conversation closed, the message deleted.',
    'Nothing: the requester is told directly, and the other copies of the card go on.',
  ],
  later: [
    'The chat platform is down or limits us.',
    'Nothing: it is told again when the platform is back, as late as a minute after.',
  ],
}

/** docs/refusals.md: every way in which the bot says no, and every kind of error behind one. */
export const refusalsDoc = (): string =>
  [
    '# Refusals and errors',
    '',
    'Written by `npm run derive` from `src/view/refusals.ts` and `src/reference/refusals-page.ts`; do not edit.',
    '',
    'A refusal is an expected no: it names what is wrong here, says what to do next, and changes nothing. Its code is in the',
    'audit log where somebody tried what they may not, and in the `result` label of the metrics.',
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
