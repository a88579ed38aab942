import { campaignFind } from '../../commands/campaign/find.ts'
import { campaignGet } from '../../commands/campaign/get.ts'
import { campaignSend } from '../../commands/campaign/send.ts'
import { campaignSendList } from '../../commands/campaign/send-list.ts'
import { listAdd } from '../../commands/list/add.ts'
import { listCreate } from '../../commands/list/create.ts'
import { listFind } from '../../commands/list/find.ts'
import { listGet } from '../../commands/list/get.ts'
import { listMove } from '../../commands/list/move.ts'
import { listRemove } from '../../commands/list/remove.ts'
import { listSegments } from '../../commands/list/segments.ts'
import { subscriberCreate } from '../../commands/subscriber/create.ts'
import { subscriberDelete } from '../../commands/subscriber/delete.ts'
import { subscriberExport } from '../../commands/subscriber/export.ts'
import { subscriberFields } from '../../commands/subscriber/fields.ts'
import { subscriberFind } from '../../commands/subscriber/find.ts'
import { subscriberGet } from '../../commands/subscriber/get.ts'
import { subscriberImport } from '../../commands/subscriber/import.ts'
import { subscriberStats } from '../../commands/subscriber/stats.ts'
import { subscriberUpdate } from '../../commands/subscriber/update.ts'
import type { Pack } from '../../src/command/pack.ts'
import { email as service } from './endpoints.ts'
import { person } from './person.ts'
import { things } from './things.ts'
import { words } from './words.ts'

export const emailPack: Pack = {
  ...service,
  surface: 1,
  commands: [
    subscriberCreate,
    subscriberDelete,
    subscriberExport,
    subscriberFields,
    subscriberFind,
    subscriberGet,
    subscriberImport,
    subscriberStats,
    subscriberUpdate,
    listAdd,
    listCreate,
    listFind,
    listGet,
    listMove,
    listRemove,
    listSegments,
    campaignFind,
    campaignGet,
    campaignSend,
    campaignSendList,
  ],
  tryIt: ({ baseUrl, apiKey }) => [
    `curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/subscribers/ada@example.com`,
  ],
  things,
  person,
  words,
  sandbox: async () => (await import('./sandbox/index.ts')).sandbox,
}
