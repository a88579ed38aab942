/**
 * The public surface: what a pack from outside imports as `bellhop/pack`, and nothing else of the bot. A change that breaks a
 * pack which compiles against it is a new major version.
 */
export { z } from 'zod'
export { amountParam, toAmount } from '../../kernel/command/amount.ts'
export { answer } from '../../kernel/command/answer.ts'
export { candidatesIn } from '../../kernel/command/candidate.ts'
export { defineChange, defineQuery } from '../../kernel/command/define.ts'
export { wording } from '../../kernel/command/facts.ts'
export { idOf } from '../../kernel/command/id.ts'
export type { PackWords } from '../../kernel/command/language.ts'
export { fromMinorUnits, openView, toMinorUnits } from '../../kernel/command/open-view.ts'
export type {
  Candidate,
  Pack,
  PersonKnown,
  PersonPart,
  PersonSaid,
  SourceContext,
  ThingSource,
} from '../../kernel/command/pack.ts'
export { defineServiceChange } from '../../kernel/command/service-change.ts'
export { found } from '../../kernel/context/person-part.ts'
export { endsOfKind } from '../../kernel/model/known-person.ts'
export { no, ok } from '../../lib/result.ts'
export { answersAsRecorded, answersWith } from '../../lib/sandbox/endpoint/answers-with.ts'
export { notFound, parseOrRefuse, refuse } from '../../lib/sandbox/endpoint/refuse.ts'
export { defineSandbox } from '../../lib/sandbox/service-sandbox.ts'
export * from '../../lib/services/endpoints/row.ts'
export { ifKnown, isRecord, recordIn, recordsIn } from '../../lib/services/read-answer.ts'
export type { KindTraits } from '../../lib/things/kinds.ts'
export { linkEnd } from '../../lib/things/link.ts'
export { due, money, when } from '../../lib/view/format.ts'
export { refusal } from '../../lib/view/refusals.ts'
export * from '../../lib/view/thing.ts'
export { type Block, code, diff, facts, list, note, table, text, type View } from '../../lib/view/view.ts'
export { sentence, type Words } from '../../lib/view/words.ts'
export { definePack, packVersion } from './define.ts'
