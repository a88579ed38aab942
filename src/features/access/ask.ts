import { refuseToRun } from '../../kernel/actors/authorization.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { Core } from '../../kernel/core.ts'
import type { Reply } from '../../kernel/messenger/inbound.ts'
import { entryBy } from '../../kernel/model/audit-entry.ts'
import { administratorWords } from '../../kernel/policy/listed.ts'
import { tellAdministrators } from '../../kernel/telling/administrators.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { code, note, type View } from '../../lib/view/view.ts'
import { sentence } from '../../lib/view/words.ts'
import { accessDifference, accessEdits } from './difference.ts'

/** Whoever may not run a command reads who could give them the right, and can ask for it with one press. */
export const withAccess = (
  { policy }: Pick<Core, 'policy'>,
  { known, agent }: Actor,
  command: string,
  refused: Refusal,
): Refusal => {
  if (refused.code !== 'may_not_run' || !known || agent !== undefined) return refused
  return {
    ...refused,
    next: sentence`${refused.next} ${administratorWords(policy)} can give you the right.`,
    actions: [{ verb: 'ask_access', id: command }],
  }
}

/** Asks the administrators for the right to run a command. Nothing is granted here: they read what to change in the file. */
export const askAccess = async (core: Core, actor: Actor, command: string): Promise<Result<Reply>> => {
  const { policy, store } = core
  if (core.registry.get(command) === undefined || !actor.known || actor.agent !== undefined) {
    return no(refusal('unknown_command', 'There is nothing to ask for.'))
  }
  if (refuseToRun(policy, actor, [command]) === undefined) {
    return no(refusal('not_allowed_now', `You may run ${command} already.`, { next: 'Run it.' }))
  }
  const text = await store.policies.text(policy.digest)
  const lines = text === undefined ? [] : accessDifference(text, policy, { person: actor.person, command })
  await store.audit.append(entryBy(actor, 'asked for access', { command }, { lines }))
  await tellAdministrators(
    core,
    `access:${actor.person}:${command}`,
    accessView(actor.name, command, lines, accessEdits(policy, { person: actor.person, command })),
    {
      space: actor.space,
    },
  )
  return ok({
    kind: 'answer',
    command: 'policy explain',
    view: {
      title: `Asked for the right to run ${command}`,
      tone: 'plain',
      blocks: [
        note(
          'plain',
          `${administratorWords(policy)} will read it. Nothing changes until they change bellhop.yml.`,
        ),
      ],
    },
  })
}

/** What a button of every messenger can carry. */
const maxOnButton = 80

const accessView = (name: string, command: string, lines: readonly string[], edits: string): View => ({
  title: `${name} asks for the right to run ${command}`,
  tone: 'warn',
  blocks: [
    note(
      'plain',
      lines.length === 0
        ? 'Nothing is granted from here. Add it to a role of theirs in bellhop.yml.'
        : 'Nothing is granted yet. This change of bellhop.yml would do, and has to be approved; everybody with that role gets it too:',
    ),
    ...(lines.length === 0 ? [] : [code(lines.join('\n')), note('plain', `policy propose ${edits}`)]),
  ],
  ...(lines.length === 0 || edits.length > maxOnButton
    ? {}
    : { actions: [{ verb: 'propose' as const, id: edits }] }),
})
