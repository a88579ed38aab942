/**
 * The words of one language for what can be said to the bot. A group of words is one string with | between the
 * alternatives. Another language is another object of this type.
 */
export type Language = {
  /** Words that say nothing about what is wanted. */
  filler: string
  /** Openings after which a sentence is meant as an order, although it looks like a question or a wish. */
  polite: string
  /** First words that make a sentence a question. */
  questions: string
  /** Words that turn an order into its opposite, or into a thought. */
  negations: string
  greetings: string
  thanks: string
  /** What follows is why. */
  reasons: string
  /** What follows is a name. */
  naming: string
  /** Words that stand for what the last answer was about. */
  references: {
    it: string
    last: string
    ordinals: readonly string[]
    again: string
    next: string
    previous: string
  }
  /** Words of time: how many days before today they begin. */
  days: Record<string, string>
  /** Words for units of time, by how many days they last. */
  units: Record<string, string>
  currencies: string
  /** A meaning, and the words for it. The kinds of things are among them, with their plurals. */
  concepts: Record<string, string>
  /** Meanings that many commands share: they tell less than the others. */
  generic: string
  /** Meanings that may stand beside a thing when it is only to be shown. */
  about: string
  /** Words for the values of a choice, by the name of the parameter. */
  choices: Record<string, Record<string, string>>
  /** What can be said for a command besides its own name. */
  commands: Record<string, CommandWords>
}

export type CommandWords = {
  /** Meanings that are all there when this command is meant, in any order. */
  say: readonly Way[]
  /** The parameter that takes the words that are left. */
  free?: string
  /** Meanings that may stand beside, without changing what is meant. */
  beside?: string
  /** Whole sentences for the docs, which tests run. */
  examples?: readonly string[]
}

/** `"show subscriber"`, or with values that these words already give. */
export type Way = string | { say: string; set: Readonly<Record<string, string>>; free?: string }

/** No language at all: commands then answer to their names only. */
export const noWords: Language = {
  filler: '',
  polite: '',
  questions: '',
  negations: '',
  greetings: '',
  thanks: '',
  reasons: '',
  naming: '',
  references: { it: '', last: '', ordinals: [], again: '', next: '', previous: '' },
  days: {},
  units: {},
  currencies: '',
  concepts: {},
  generic: '',
  about: '',
  choices: {},
  commands: {},
}

/** The words of one pack: its concepts, its choices and what is said for its commands. */
export type PackWords = {
  readonly concepts?: Readonly<Record<string, string>>
  /** Concepts that may stand beside a thing when it is only to be shown. */
  readonly about?: string
  readonly choices?: Language['choices']
  readonly commands?: Readonly<Record<string, CommandWords>>
  /** The commands that people begin with, for whoever was not understood. */
  readonly first?: readonly string[]
}

/** A language with the words of the packs: where two say the same concept, both of their words count. */
export const withPackWords = (language: Language, packs: readonly PackWords[]): Language => {
  const joined = (...groups: (string | undefined)[]) => groups.filter(Boolean).join('|')
  const concepts = { ...language.concepts }
  const choices = { ...language.choices }
  for (const words of packs) {
    for (const [concept, group] of Object.entries(words.concepts ?? {}))
      concepts[concept] = joined(concepts[concept], group)
    for (const [param, values] of Object.entries(words.choices ?? {}))
      choices[param] = { ...choices[param], ...values }
  }
  return {
    ...language,
    concepts,
    choices,
    about: joined(language.about, ...packs.map(({ about }) => about)),
    commands: Object.assign({}, language.commands, ...packs.map(({ commands }) => commands)),
  }
}
