import { features } from '../src/features/index.ts'
import type { Definition } from '../src/kernel/command/define.ts'
import { withForeignWords, withPackWords } from '../src/kernel/command/language.ts'
import type { Pack } from '../src/kernel/command/pack.ts'
import { createRegistry, type Registry } from '../src/kernel/command/registry.ts'
import { type Feature, useFeatures } from '../src/kernel/feature.ts'
import { useServices } from '../src/lib/services/endpoints/tables.ts'
import { apiCallFor } from './api/call.ts'
import { approvalAgain } from './approval/again.ts'
import { approvalAnswer } from './approval/answer.ts'
import { approvalApprove } from './approval/approve.ts'
import { approvalAsk } from './approval/ask.ts'
import { approvalCancel } from './approval/cancel.ts'
import { approvalChange } from './approval/change.ts'
import { approvalGet } from './approval/get.ts'
import { approvalList } from './approval/list.ts'
import { approvalReceipt } from './approval/receipt.ts'
import { approvalReject } from './approval/reject.ts'
import { approvalRemind } from './approval/remind.ts'
import { approvalResolve } from './approval/resolve.ts'
import { approvalReview } from './approval/review.ts'
import { auditExport } from './audit/export.ts'
import { auditFind } from './audit/find.ts'
import { auditPack } from './audit/pack.ts'
import { auditVerify } from './audit/verify.ts'
import { awayEnd } from './away/end.ts'
import { awayList } from './away/list.ts'
import { awaySet } from './away/set.ts'
import { bellhopConsole } from './bellhop/console.ts'
import { bellhopHelp } from './bellhop/help.ts'
import { bellhopPasskey } from './bellhop/passkey.ts'
import { bellhopPasskeys } from './bellhop/passkeys.ts'
import { bellhopSessions } from './bellhop/sessions.ts'
import { bellhopStatus } from './bellhop/status.ts'
import { bellhopWhoami } from './bellhop/whoami.ts'
import { freezeFor } from './freeze/freeze.ts'
import { unfreezeFor } from './freeze/unfreeze.ts'
import { grantCreate } from './grant/create.ts'
import { grantEnd } from './grant/end.ts'
import { grantList } from './grant/list.ts'
import { jobGet } from './job/get.ts'
import { jobList } from './job/list.ts'
import { jobPause } from './job/pause.ts'
import { jobResume } from './job/resume.ts'
import { jobStop } from './job/stop.ts'
import { ownPacks } from './own-packs.ts'
import { personFindFor } from './person/find.ts'
import { personForgetFor } from './person/forget.ts'
import { personGetFor } from './person/get.ts'
import { personLinkFor } from './person/link.ts'
import { personUnlinkFor } from './person/unlink.ts'
import { policyExplain } from './policy/explain.ts'
import { policyHistory } from './policy/history.ts'
import { policyPatch } from './policy/patch.ts'
import { policyPropose } from './policy/propose.ts'
import { policyReload } from './policy/reload.ts'
import { policyShow } from './policy/show.ts'
import { reportAccess } from './report/access.ts'
import { reportApprovals } from './report/approvals.ts'
import { reportBudgets } from './report/budgets.ts'
import { reportDigest } from './report/digest.ts'
import { reportRefunds } from './report/refunds.ts'
import { reportShadow } from './report/shadow.ts'
import { scheduleCreate } from './schedule/create.ts'
import { scheduleDelete } from './schedule/delete.ts'
import { scheduleFind } from './schedule/find.ts'
import { webhookList } from './webhook/list.ts'
import { webhookResend } from './webhook/resend.ts'
import { english } from './words/english.ts'
import { french } from './words/french.ts'
import { german } from './words/german.ts'
import { spanish } from './words/spanish.ts'

/** About people, in the order in which help lists it: before what the packs do. */
const aboutPeople = (packs: readonly Pack[]): readonly Definition[] => [
  personFindFor(packs),
  personForgetFor(),
  personGetFor(packs),
  personLinkFor(),
  personUnlinkFor(),
]

/** What the bot does itself: after what the packs do. */
const ofTheBot = (packs: readonly Pack[]): readonly Definition[] => [
  approvalApprove,
  approvalAsk,
  approvalAnswer,
  approvalChange,
  approvalAgain,
  approvalCancel,
  approvalGet,
  approvalList,
  approvalReceipt,
  approvalReject,
  approvalRemind,
  approvalResolve,
  approvalReview,
  jobGet,
  jobList,
  jobPause,
  jobResume,
  jobStop,
  auditExport,
  grantCreate,
  grantList,
  grantEnd,
  scheduleCreate,
  scheduleFind,
  scheduleDelete,
  reportRefunds,
  reportApprovals,
  reportBudgets,
  reportDigest,
  reportAccess,
  reportShadow,
  awaySet,
  awayList,
  awayEnd,
  auditFind,
  auditPack,
  auditVerify,
  policyExplain,
  policyHistory,
  policyPatch,
  policyPropose,
  policyReload,
  policyShow,
  webhookList,
  webhookResend,
  freezeFor(packs),
  unfreezeFor(packs),
  bellhopConsole,
  bellhopHelp,
  bellhopPasskey,
  bellhopPasskeys,
  bellhopSessions,
  bellhopStatus,
  bellhopWhoami,
]

/** All commands: the bot's own, and those of its packs. From here on the process knows these services, and the features with those from outside. */
export const createCommands = (
  packs: readonly Pack[] = ownPacks,
  outside: readonly Feature[] = [],
): Registry => {
  useServices(packs)
  useFeatures([...features, ...outside])
  const all = [...aboutPeople(packs), ...packs.flatMap(({ commands }) => commands), ...ofTheBot(packs)]
  const words = packs.flatMap((pack) => pack.words ?? [])
  const own = Object.fromEntries(all.flatMap(({ name, sayings }) => (sayings ? [[name, sayings]] : [])))
  const said = withPackWords(english, [...words, { commands: own }])
  return createRegistry(
    [...all, apiCallFor(all, packs)],
    withForeignWords(said, [german, french, spanish]),
    packs,
  )
}
