import { billingPack } from '../packs/billing/index.ts'
import { chatPack } from '../packs/chat/index.ts'
import { emailPack } from '../packs/email/index.ts'
import type { Pack } from '../src/kernel/command/pack.ts'
import { addonCreate } from './addon/create.ts'
import { addonDelete } from './addon/delete.ts'
import { addonFind } from './addon/find.ts'
import { addonGet } from './addon/get.ts'
import { addonUpdate } from './addon/update.ts'
import { campaignFind } from './campaign/find.ts'
import { campaignGet } from './campaign/get.ts'
import { campaignSend } from './campaign/send.ts'
import { campaignSendList } from './campaign/send-list.ts'
import { contactCreate } from './contact/create.ts'
import { contactFind } from './contact/find.ts'
import { contactGet } from './contact/get.ts'
import { contactLists } from './contact/lists.ts'
import { contactUpdate } from './contact/update.ts'
import { licenseCodes } from './license/codes.ts'
import { licenseDelete } from './license/delete.ts'
import { licenseDeleteCode } from './license/delete-code.ts'
import { licenseFind } from './license/find.ts'
import { licenseGet } from './license/get.ts'
import { listAdd } from './list/add.ts'
import { listCreate } from './list/create.ts'
import { listFind } from './list/find.ts'
import { listGet } from './list/get.ts'
import { listMove } from './list/move.ts'
import { listRemove } from './list/remove.ts'
import { listSegments } from './list/segments.ts'
import { messageCarousel } from './message/carousel.ts'
import { messageMedia } from './message/media.ts'
import { messageProducts } from './message/products.ts'
import { messageTemplate } from './message/template.ts'
import { messageText } from './message/text.ts'
import { multiplanCreate } from './multiplan/create.ts'
import { multiplanDelete } from './multiplan/delete.ts'
import { multiplanFind } from './multiplan/find.ts'
import { multiplanGet } from './multiplan/get.ts'
import { multiplanUpdate } from './multiplan/update.ts'
import { refund } from './refund/refund.ts'
import { subscriberCreate } from './subscriber/create.ts'
import { subscriberDelete } from './subscriber/delete.ts'
import { subscriberExport } from './subscriber/export.ts'
import { subscriberFields } from './subscriber/fields.ts'
import { subscriberFind } from './subscriber/find.ts'
import { subscriberGet } from './subscriber/get.ts'
import { subscriberImport } from './subscriber/import.ts'
import { subscriberStats } from './subscriber/stats.ts'
import { subscriberUpdate } from './subscriber/update.ts'
import { transactionDelete } from './transaction/delete.ts'
import { transactionFind } from './transaction/find.ts'
import { transactionGet } from './transaction/get.ts'
import { transactionRefunds } from './transaction/refunds.ts'
import { downgrade } from './upgrade/downgrade.ts'
import { upgrade } from './upgrade/upgrade.ts'

/** The packs that come with the bot, in the order in which they are listed, with what people do there in the order of help. */
export const ownPacks: readonly Pack[] = [
  {
    ...emailPack,
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
  },
  {
    ...chatPack,
    commands: [
      contactCreate,
      contactFind,
      contactGet,
      contactLists,
      contactUpdate,
      messageCarousel,
      messageMedia,
      messageProducts,
      messageTemplate,
      messageText,
    ],
  },
  {
    ...billingPack,
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
  },
]
