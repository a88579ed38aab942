import { ownTime } from '../../harness/own-time.ts'
import { choiceFaults, messageFaults, modalFaults } from './rules.ts'
import type { FakeInteraction, Json, State } from './state.ts'

export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const interactionBy = (state: State, token: string): FakeInteraction => {
  const interaction = state.interactions.get(token)
  if (interaction === undefined) throw new Refused(404, 10_015, 'Unknown Webhook')
  return interaction
}

/** The first answer, by whichever way it comes: within three seconds, once, and of a type that fits. */
export const firstAnswer = (state: State, interaction: FakeInteraction, answer: Json): void => {
  const type = Number(answer.type)
  const data = (answer.data ?? {}) as Json
  if (interaction.answered !== undefined) throw new Refused(400, 40_060, 'Interaction already acknowledged')
  if (ownTime() - interaction.begun > 3_000) throw new Refused(404, 10_062, 'Unknown interaction')
  const faults = faultsOf(interaction, type, data)
  if (faults.length > 0) {
    state.refused.push(...faults)
    throw new Refused(400, 50_035, faults.join('; '))
  }
  interaction.answered = type
  if (type === 4 || type === 5) {
    const id = state.newId()
    const flags = Number(data.flags ?? 0)
    state.messages.set(id, {
      id,
      channel: interaction.channel,
      body: data,
      flags,
      onlyFor: (flags & 64) === 0 ? null : interaction.account,
      files: {},
      edits: 0,
      isThinking: type === 5,
    })
    interaction.original = id
  }
  if (type === 8) interaction.choices = (data.choices ?? []) as Json[]
  if (type === 9) interaction.modal = data
}

const faultsOf = ({ type: asked, source }: FakeInteraction, type: number, data: Json): string[] => {
  if (asked === 4)
    return type === 8 ? choiceFaults((data.choices ?? []) as Json[]) : [`answer ${type} to autocomplete`]
  switch (type) {
    case 4:
      return messageFaults(data)
    case 5:
      return data.flags === undefined || data.flags === 64 ? [] : ['a deferred answer can only be private']
    case 6:
      return source === undefined ? ['there is no message to update'] : []
    case 9:
      return asked === 5 ? ['a form in answer to a form'] : modalFaults(data)
    default:
      return [`answer ${type}`]
  }
}
