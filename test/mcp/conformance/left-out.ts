const noPrompts = 'the bot has no prompts'
const noCompletion =
  'the protocol lets arguments of prompts and templates be completed, and the bot has neither'
const noPush = 'nothing is asked of a client of this revision while a call runs: there are no sessions'
const noSampling = 'the bot asks no model for anything'
const onlyText = 'an answer is text, data, and at most one text file'
const noState = 'a call is made again with all that it said, so no state is given to the client'
const noTaskInput =
  'a task waits for people and never for its client: what is missing is asked for before there is one'

const always = {
  'completion-complete': noCompletion,
  'json-schema-2020-12': 'the schema of a tool is made of parameters, which have no definitions of their own',
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-with-image': noPrompts,
  'prompts-list': noPrompts,
  'resources-read-binary': 'both resources are JSON',
  'resources-templates-read': 'there are no templates',
  'tools-call-audio': onlyText,
  'tools-call-embedded-resource': onlyText,
  'tools-call-image': onlyText,
  'tools-call-mixed-content': onlyText,
}

/** Scenarios of the official suite that do not apply to this bot, by revision, with the reason. One that passes must go. */
export const leftOut: Record<string, Record<string, string>> = {
  '2025-11-25': {
    ...always,
    'elicitation-sep1034-defaults': noPush,
    'elicitation-sep1330-enums': noPush,
    'logging-set-level': 'the bot logs for those who run it, and not for clients',
    'resources-subscribe': noPush,
    'resources-unsubscribe': noPush,
    'server-sse-multiple-streams': noPush,
    'server-sse-polling': noPush,
    'tools-call-elicitation': noPush,
    'tools-call-sampling': noSampling,
    'tools-call-with-logging': 'the bot logs for those who run it, and not for clients',
  },
  '2026-07-28': {
    ...always,
    'http-custom-header-server-validation': 'no tool wants its arguments in headers',
    'input-required-result-basic-list-roots': 'the bot reads no files of a client',
    'input-required-result-basic-sampling': noSampling,
    'input-required-result-capability-check': noSampling,
    'input-required-result-multi-round': noState,
    'input-required-result-multiple-input-requests': 'one form asks for all that is missing',
    'input-required-result-non-tool-request': noPrompts,
    'input-required-result-request-state': noState,
    'input-required-result-tampered-state': noState,
    'tasks-mrtr-input': noTaskInput,
    'tasks-required-task-error': 'every tool can also be called without tasks',
  },
}

/** The same for single checks of scenarios that apply. */
export const leftOutChecks: Record<string, string> = {
  'sep-2549-prompts-list-caching-hints': noPrompts,
  'sep-2575-server-rejects-undeclared-capability': 'no tool wants anything of its client',
  'sep-2575-missing-capability-http-400': 'no tool wants anything of its client',
  'sep-2575-http-server-no-independent-requests-on-stream': 'there is no tool that could',
  'sep-2575-server-no-log-without-loglevel': 'there is no tool that logs',
  'sep-2663-tasks-get-status-failed': 'what goes wrong in the protocol is answered before there is a task',
  'tasks-headers-tolerate-mcp-method-on-tools-call': 'it wants the words of a tool of the suite',
  'tasks-result-type-complete-on-non-task-responses': noTaskInput,
}
