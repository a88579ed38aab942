import type { Definition } from '../src/command/define.ts'
import { createRegistry, type Registry } from '../src/command/registry.ts'
import { addonCreate } from './addon/create.ts'
import { addonDelete } from './addon/delete.ts'
import { addonFind } from './addon/find.ts'
import { addonGet } from './addon/get.ts'
import { addonUpdate } from './addon/update.ts'
import { apiCallFor } from './api/call.ts'
import { approvalApprove } from './approval/approve.ts'
import { approvalCancel } from './approval/cancel.ts'
import { approvalGet } from './approval/get.ts'
import { approvalList } from './approval/list.ts'
import { approvalReceipt } from './approval/receipt.ts'
import { approvalReject } from './approval/reject.ts'
import { approvalRemind } from './approval/remind.ts'
import { approvalResolve } from './approval/resolve.ts'
import { auditExport } from './audit/export.ts'
import { auditFind } from './audit/find.ts'
import { auditPack } from './audit/pack.ts'
import { auditVerify } from './audit/verify.ts'
import { awayEnd } from './away/end.ts'
import { awayList } from './away/list.ts'
import { awaySet } from './away/set.ts'
import { bellhopConsole } from './bellhop/console.ts'
import { bellhopHelp } from './bellhop/help.ts'
import { bellhopSessions } from './bellhop/sessions.ts'
import { bellhopStatus } from './bellhop/status.ts'
import { bellhopWhoami } from './bellhop/whoami.ts'
import { campaignFind } from './campaign/find.ts'
import { campaignGet } from './campaign/get.ts'
import { campaignSend } from './campaign/send.ts'
import { campaignSendList } from './campaign/send-list.ts'
import { contactCreate } from './contact/create.ts'
import { contactFind } from './contact/find.ts'
import { contactGet } from './contact/get.ts'
import { contactLists } from './contact/lists.ts'
import { contactUpdate } from './contact/update.ts'
import { freeze } from './freeze/freeze.ts'
import { unfreeze } from './freeze/unfreeze.ts'
import { jobGet } from './job/get.ts'
import { jobList } from './job/list.ts'
import { jobPause } from './job/pause.ts'
import { jobResume } from './job/resume.ts'
import { jobStop } from './job/stop.ts'
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
import { messageText } from './message/text.ts'
import { messageTemplate } from './message/text-template.ts'
import { multiplanCreate } from './multiplan/create.ts'
import { multiplanDelete } from './multiplan/delete.ts'
import { multiplanFind } from './multiplan/find.ts'
import { multiplanGet } from './multiplan/get.ts'
import { multiplanUpdate } from './multiplan/update.ts'
import { personFind } from './person/find.ts'
import { personForget } from './person/forget.ts'
import { personGet } from './person/get.ts'
import { personLink } from './person/link.ts'
import { personUnlink } from './person/unlink.ts'
import { policyExplain } from './policy/explain.ts'
import { policyHistory } from './policy/history.ts'
import { policyReload } from './policy/reload.ts'
import { policyShow } from './policy/show.ts'
import { refund } from './refund/refund.ts'
import { reportApprovals } from './report/approvals.ts'
import { reportBudgets } from './report/budgets.ts'
import { reportDigest } from './report/digest.ts'
import { reportRefunds } from './report/refunds.ts'
import { scheduleCreate } from './schedule/create.ts'
import { scheduleDelete } from './schedule/delete.ts'
import { scheduleFind } from './schedule/find.ts'
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
import { transactionRefunds } from './transaction/refunds.ts'
import { downgrade } from './upgrade/downgrade.ts'
import { upgrade } from './upgrade/upgrade.ts'
import { english } from './words/english.ts'

/** All commands, in the order in which help lists them. */
const ours: readonly Definition[] = [
  personFind,
  personForget,
  personGet,
  personLink,
  personUnlink,
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
  transactionRefunds,
  approvalApprove,
  approvalCancel,
  approvalGet,
  approvalList,
  approvalReceipt,
  approvalReject,
  approvalRemind,
  approvalResolve,
  jobGet,
  jobList,
  jobPause,
  jobResume,
  jobStop,
  auditExport,
  scheduleCreate,
  scheduleFind,
  scheduleDelete,
  reportRefunds,
  reportApprovals,
  reportBudgets,
  reportDigest,
  awaySet,
  awayList,
  awayEnd,
  auditFind,
  auditPack,
  auditVerify,
  policyExplain,
  policyHistory,
  policyReload,
  policyShow,
  freeze,
  unfreeze,
  bellhopConsole,
  bellhopHelp,
  bellhopSessions,
  bellhopStatus,
  bellhopWhoami,
]

export const definitions: readonly Definition[] = [...ours, apiCallFor(ours)]

export const createCommands = (): Registry => createRegistry(definitions, english)
