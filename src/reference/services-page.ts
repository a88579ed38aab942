import type { ServiceName } from '../services/endpoints/row.ts'
import { allRows, type NamedRow, type RowId } from '../services/endpoints/tables.ts'
import { unshownFields } from './unshown-fields.ts'

/** The text of docs/services.md. `usedBy` names the commands that call a row. */
export function servicesDoc(usedBy: ReadonlyMap<RowId, readonly string[]>): string {
  const rows = allRows()
  const shown = rows.filter(({ row }) => row.shown).length
  return [
    '# Services',
    '',
    '<!-- Derived from the endpoint tables in src/services by `npm run derive`. Change those, not this file. -->',
    '',
    `Bellhop knows ${rows.length} endpoints of three services. Of ${shown} the request and the answer are documented (shown);`,
    `the other ${rows.length - shown} are documented by method and path only. Those take any JSON and are reached through`,
    '`api call` unless the table names a command.',
    '',
    '- `read` changes nothing, and is repeated with growing pauses when a service is unavailable.',
    '- `idempotent` is a change that may be repeated the same way.',
    '- `once` is never sent again after any part of the request may have been sent. If no answer comes, the outcome is unknown.',
    '',
    ...services.flatMap(([name, title]) => [
      `## ${title}`,
      '',
      '| endpoint | what it does | command | effect | shape |',
      '|---|---|---|---|---|',
      ...rows.filter(({ service }) => service === name).map((named) => toLine(named, usedBy.get(named.id))),
      '',
    ]),
    ...guesses,
    '',
    ...unshown,
    '',
  ].join('\n')
}

const services: readonly [ServiceName, string][] = [
  ['email', 'Email marketing (`email`)'],
  ['chat', 'Messaging (`chat`)'],
  ['billing', 'Billing (`billing`)'],
]

function toLine({ row }: NamedRow, commands: readonly string[] = []) {
  const used = commands.length === 0 ? '`api call`' : commands.map((command) => `\`${command}\``).join(', ')
  const shape = row.shown ? 'shown' : 'path only'
  return `| \`${row.method} ${row.path}\` | ${row.summary} | ${used} | ${row.effect} | ${shape} |`
}

const unshown = [
  '## What is not shown',
  '',
  'Every documented field of an answer is shown by some command, except these; `plan.*` is everything in `plan`. `api call` shows an answer as it came.',
  '',
  '| record | fields | why |',
  '|---|---|---|',
  ...unshownFields.map(
    ({ record, fields, why }) =>
      `| ${record} | ${fields.map((field) => `\`${field}\``).join(', ')} | ${why} |`,
  ),
]

const guesses = [
  '## What is guessed',
  '',
  'Some request fields are declared as strings although they hold more than a string, and their exact text is not documented.',
  'The guess is made in one file, `src/services/endpoints/string-fields.ts`; where it is wrong, `guesses` in',
  '[bellhop.yml](policy.md#guesses) chooses another form, and `api call` sends any JSON for these fields:',
  '',
  '| field | sent as |',
  '|---|---|',
  '| `tagsToAdd`, `tagsToRemove` of a contact; `plans_array` of an add-on update | names or ids joined by commas |',
  '| `attributes` of a contact | JSON text of a list of `{ name, value }` |',
  '| `contact` of a template message | JSON text of an object |',
  '| `quickReplies` of a carousel | JSON text of a list of strings |',
  '| `addons` of a plan change | JSON text of a list of `{ id, quantity }` |',
  '| `price`, `quantity`, `setup_fee` of a plan change | the number as decimal text |',
  '| `status` of a new add-on | `true` or `false` as text |',
  '| `amount` of a refund | a whole number in the unit of the payment; what is refunded without one is not documented |',
  '',
  'Requests that the documents name by path only take the field names of the documented request next to them. Their cards say so:',
  '',
  '| request | guessed fields | as in |',
  '|---|---|---|',
  '| `POST /campaigns/send-to-list` | `campaignId`, `listIds`, and what replaces subject and sender | `POST /campaigns/send-to-individual`, `POST /lists/remove-subscriber` |',
  '| `POST /lists/add-subscriber` | `email` or `subscriberId`, `listIds` | `POST /lists/remove-subscriber` |',
  '| `POST /lists/move-subscriber` | `email` or `subscriberId`, `fromListId`, `toListId` | `POST /lists/remove-subscriber`; the two list names are free guesses |',
  '| `GET /lists` for one list | `name` | `POST /lists` |',
  '| `POST /subscribers` | `email` and the fields of an update | `PUT /subscribers/{email}` |',
  '| `DELETE /subscribers` | `emails` | `POST /campaigns/send-to-individual` |',
  '| `POST /contacts` | the fields of an update | `PUT /contacts/{id}` |',
  '| `POST /messages`, a text | `to`, `type` with the value `text`, `body` | the message with products |',
  '| `POST /messages`, a text template | `to`, `type`, `templateName`, `languageCode`, `bodyParams`, `contact` | the carousel template |',
  '| `PUT /multiplans/{multiplan_id}` | `page_title`, `plans`, `multiplan_list`, `preferred_plan_id` | `POST /multiplans` |',
  '',
  'Failure answers are not documented either. A 4xx is a refusal, and so is a 2xx answer with `success: false` or with a `status`',
  'other than `success`. In the result of a message, two names carry the brand of the platform: they are',
  'recognised by what they hold and read as `platformResponse` and `channel_id`. `POST /messages` serves many kinds: the kinds',
  'whose shape is shown are recognised by `interactiveType`, `carouselBodies` or `link`. `GET /lists` with a `name` in the query is the search for one list.',
]
