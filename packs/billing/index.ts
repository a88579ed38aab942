import { addonCreate } from '../../commands/addon/create.ts'
import { addonDelete } from '../../commands/addon/delete.ts'
import { addonFind } from '../../commands/addon/find.ts'
import { addonGet } from '../../commands/addon/get.ts'
import { addonUpdate } from '../../commands/addon/update.ts'
import { licenseCodes } from '../../commands/license/codes.ts'
import { licenseDelete } from '../../commands/license/delete.ts'
import { licenseDeleteCode } from '../../commands/license/delete-code.ts'
import { licenseFind } from '../../commands/license/find.ts'
import { licenseGet } from '../../commands/license/get.ts'
import { multiplanCreate } from '../../commands/multiplan/create.ts'
import { multiplanDelete } from '../../commands/multiplan/delete.ts'
import { multiplanFind } from '../../commands/multiplan/find.ts'
import { multiplanGet } from '../../commands/multiplan/get.ts'
import { multiplanUpdate } from '../../commands/multiplan/update.ts'
import { refund } from '../../commands/refund/refund.ts'
import { transactionDelete } from '../../commands/transaction/delete.ts'
import { transactionFind } from '../../commands/transaction/find.ts'
import { transactionGet } from '../../commands/transaction/get.ts'
import { transactionRefunds } from '../../commands/transaction/refunds.ts'
import { downgrade } from '../../commands/upgrade/downgrade.ts'
import { upgrade } from '../../commands/upgrade/upgrade.ts'
import type { Pack } from '../../src/command/pack.ts'
import { billing as service } from './endpoints.ts'
import { person } from './person.ts'
import { things } from './things.ts'
import { words } from './words.ts'

export const billingPack: Pack = {
  ...service,
  surface: 1,
  commands: [
    refund,
    downgrade,
    upgrade,
    multiplanCreate,
    multiplanDelete,
    multiplanFind,
    multiplanGet,
    multiplanUpdate,
    addonCreate,
    addonDelete,
    addonFind,
    addonGet,
    addonUpdate,
    licenseCodes,
    licenseDeleteCode,
    licenseDelete,
    licenseFind,
    licenseGet,
    transactionDelete,
    transactionFind,
    transactionGet,
    transactionRefunds,
  ],
  tryIt: ({ baseUrl, apiKey, secretKey }) => [
    `curl -u ${apiKey}:${secretKey} ${baseUrl}/transactions/cus_1001`,
  ],
  things,
  person,
  words,
  sandbox: async () => (await import('./sandbox/index.ts')).sandbox,
}
