/**
 * What a feature from outside imports as `bellhop/feature`, and nothing else of the bot. A change that breaks a feature which
 * compiles against it is a new major version.
 */
export { z } from 'zod'
export type { Core } from '../../kernel/core.ts'
export { type ChangeStep, defineFeature, taskOf } from '../../kernel/feature.ts'
export { checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
export type { Change } from '../../kernel/model/change.ts'
export { type PolicySection, ruleOf } from '../../kernel/policy/file/sections.ts'
export { keys, text } from '../../kernel/policy/file/values.ts'
export { featureVersion } from './define.ts'
