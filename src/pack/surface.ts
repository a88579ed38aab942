/**
 * The public surface: what a pack from outside imports as `bellhop/pack`, and nothing else of the bot. A change that breaks a
 * pack which compiles against it is a new major version.
 */
export { z } from 'zod'
export { amountParam, toAmount } from '../command/amount.ts'
export { answer } from '../command/answer.ts'
export { candidatesIn } from '../command/candidate.ts'
export { defineChange, defineQuery } from '../command/define.ts'
export { idOf } from '../command/id.ts'
export type { PackWords } from '../command/language.ts'
export { fromMinorUnits, openView, toMinorUnits } from '../command/open-view.ts'
export type {
  Candidate,
  Pack,
  PersonKnown,
  PersonPart,
  PersonSaid,
  SourceContext,
  ThingSource,
} from '../command/pack.ts'
export { defineServiceChange } from '../command/service-change.ts'
export { found } from '../core/context/person-part.ts'
export type { KindTraits } from '../model/kinds.ts'
export { endsOfKind } from '../model/known-person.ts'
export { linkEnd } from '../model/link.ts'
export { no, ok } from '../model/result.ts'
export { answersWith } from '../sandbox/endpoint/answers-with.ts'
export { notFound, parseOrRefuse, refuse } from '../sandbox/endpoint/refuse.ts'
export { defineSandbox } from '../sandbox/service-sandbox.ts'
export * from '../services/endpoints/row.ts'
export { ifKnown, isRecord, recordIn, recordsIn } from '../services/read-answer.ts'
export { due, money, when } from '../view/format.ts'
export { refusal } from '../view/refusals.ts'
export * from '../view/thing.ts'
export { type Block, code, diff, facts, list, note, table, text, type View } from '../view/view.ts'
export { sentence, type Words } from '../view/words.ts'
export { definePack, packVersion } from './define.ts'
