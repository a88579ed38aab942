/**
 * The words of one language for what can be said to the bot. A group of words is one string with | between the
 * alternatives. Another language is another object of this type.
 */
export type Language = {
  /** Words that say nothing about what is wanted. */
  filler: string
  /** Words of talk, which say neither whom, how much, when nor what: a look-up passes over them, and a change that has one asks. */
  talk: string
  /** Openings after which a sentence is meant as an order, although it looks like a question or a wish. */
  polite: string
  /** First words that make a sentence a question. */
  questions: string
  /** Words that turn an order into its opposite, or into a thought. */
  negations: string
  /** First words of what takes back what was said before. */
  denials: string
  /** Between two wishes in one sentence. */
  joining: string
  greetings: string
  thanks: string
  /** What follows is why. */
  reasons: string
  /** What follows is a name. */
  naming: string
  /** Words that stand for what the last answer was about. */
  references: {
    it: string
    /** Words for whom the last answer was about; they say nothing where that is nobody, or somebody is named beside them. */
    whom: string
    last: string
    ordinals: readonly string[]
    again: string
    next: string
    previous: string
    /** Before somebody or something else, for which the last look-up is wanted, too. */
    same: string
    /** Before a noun, the newest of them: "the last payment". */
    newest: string
  }
  /** Times that are over, as parameters take them, and the words for each. */
  periods: Record<string, string>
  /** Words of times by the English word that is read. */
  times: Record<string, string>
  /** Behind these a time says which one is meant, and not when something is to be done. */
  backward: string
  /** Behind these a time is only the beginning. */
  beginnings: string
  /** And behind these only the end. */
  endings: string
  /** Behind these stands who, what, when or where: an unknown word there is asked about, in look-ups too. */
  leading: string
  /** Behind whom something is to be written to, these begin what is to be written; a colon does, too. */
  beforeBody: string
  /** Behind whom something is to be written to, these are the first word of it. */
  bodies: string
  /** Words for parameters, beside their own names. */
  params: Record<string, string>
  /** Behind these stands where something goes. */
  goals: string
  /** What stands before or behind what is wanted, to its writer's own name. */
  signoffs: string
  /** Words that are of another language alone. */
  foreign: readonly string[]
  /** Words for units of time, by how many days they last. */
  units: Record<string, string>
  currencies: string
  /** Words of numbers, by the number. */
  numbers: Record<string, string>
  /** Words of shares, by how many in a hundred. */
  shares: Record<string, string>
  /** Before a sum, that it is only near it, above it or below it. */
  bounds: Record<'about' | 'over' | 'under', string>
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
export type Way =
  | string
  | {
      say: string
      set: Readonly<Record<string, string>>
      free?: string
      /** Only where it is asked, and not ordered. */
      isAsked?: true
      /** What it shows has the rest of what such a sentence asks for: words that are left over are no reason to ask. */
      isEnough?: true
      /** A parameter without which it is not whole: a part of something is no part without its sum. */
      needs?: string
    }

/** No language at all: commands then answer to their names only. */
export const noWords: Language = {
  filler: '',
  talk: '',
  polite: '',
  questions: '',
  negations: '',
  denials: '',
  joining: '',
  greetings: '',
  thanks: '',
  reasons: '',
  naming: '',
  references: {
    it: '',
    whom: '',
    last: '',
    ordinals: [],
    again: '',
    next: '',
    previous: '',
    same: '',
    newest: '',
  },
  periods: {},
  times: {},
  backward: '',
  beginnings: '',
  endings: '',
  leading: '',
  beforeBody: '',
  bodies: '',
  params: {},
  goals: '',
  signoffs: '',
  foreign: [],
  units: {},
  currencies: '',
  numbers: {},
  shares: {},
  bounds: { about: '', over: '', under: '' },
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
  readonly params?: Language['params']
  readonly commands?: Readonly<Record<string, CommandWords>>
  /** The commands that people begin with, for whoever was not understood. */
  readonly first?: readonly string[]
  /** The command that writes to a person: the parameter for their address, and the one for the words. */
  readonly tell?: { readonly command: string; readonly to: string; readonly words: string }
}

/** A language with the words of the packs: where two say the same concept, both of their words count. */
export const withPackWords = (language: Language, packs: readonly PackWords[]): Language => {
  const joined = (...groups: (string | undefined)[]) => groups.filter(Boolean).join('|')
  const concepts = { ...language.concepts }
  const choices = { ...language.choices }
  const params = { ...language.params }
  for (const words of packs) {
    for (const [concept, group] of Object.entries(words.concepts ?? {}))
      concepts[concept] = joined(concepts[concept], group)
    for (const [param, group] of Object.entries(words.params ?? {}))
      params[param] = joined(params[param], group)
    for (const [param, values] of Object.entries(words.choices ?? {}))
      choices[param] = { ...choices[param], ...values }
  }
  return {
    ...language,
    concepts,
    choices,
    params,
    about: joined(language.about, ...packs.map(({ about }) => about)),
    commands: Object.assign({}, language.commands, ...packs.map(({ commands }) => commands)),
  }
}

type EverydayWords =
  | 'filler'
  | 'talk'
  | 'polite'
  | 'questions'
  | 'negations'
  | 'denials'
  | 'joining'
  | 'greetings'
  | 'thanks'
  | 'reasons'
  | 'naming'
  | 'backward'
  | 'beginnings'
  | 'endings'
  | 'leading'
  | 'beforeBody'
  | 'goals'
  | 'bodies'
  | 'signoffs'

/** What somebody says in another language for the same: the words alone, because answers stay English. */
export type ForeignWords = Partial<Pick<Language, EverydayWords>> & {
  readonly references?: Partial<Omit<Language['references'], 'ordinals'>> & {
    readonly ordinals?: readonly string[]
  }
  readonly periods?: Readonly<Record<string, string>>
  readonly times?: Readonly<Record<string, string>>
  readonly units?: Readonly<Record<string, string>>
  readonly numbers?: Readonly<Record<string, string>>
  readonly shares?: Readonly<Record<string, string>>
  readonly bounds?: Readonly<Record<'about' | 'over' | 'under', string>>
  readonly concepts?: Readonly<Record<string, string>>
}

/** A language with the everyday words of others beside its own, each also as it is typed without accents. */
export const withForeignWords = (language: Language, others: readonly ForeignWords[]): Language => {
  const foreign = new Set<string>()
  const said = new Set(others.flatMap(({ concepts }) => Object.values(concepts ?? {}).flatMap(phrasesOf)))
  const join = (own: string, ...more: (string | undefined)[]): string => {
    const added = more.flatMap((group) => phrasesOf(group).flatMap((phrase) => typedWays(phrase, said)))
    for (const phrase of added) foreign.add(phrase.split(' ')[0] as string)
    return [own, ...added].filter(Boolean).join('|')
  }
  const joinAll = (
    own: Readonly<Record<string, string>>,
    more: readonly (Readonly<Record<string, string>> | undefined)[],
  ): Record<string, string> => {
    const keys = new Set([own, ...more].flatMap((one) => Object.keys(one ?? {})))
    return Object.fromEntries(
      [...keys].map((key) => [key, join(own[key] ?? '', ...more.map((one) => one?.[key]))]),
    )
  }
  const of = (key: EverydayWords) => join(language[key], ...others.map((one) => one[key]))
  const reference = (key: Exclude<keyof Language['references'], 'ordinals'>) =>
    join(language.references[key], ...others.map(({ references }) => references?.[key]))
  const own = new Set(wordsIn(language))
  return {
    ...language,
    filler: of('filler'),
    talk: of('talk'),
    polite: of('polite'),
    questions: of('questions'),
    negations: of('negations'),
    denials: of('denials'),
    joining: of('joining'),
    greetings: of('greetings'),
    thanks: of('thanks'),
    reasons: of('reasons'),
    naming: of('naming'),
    backward: of('backward'),
    beginnings: of('beginnings'),
    endings: of('endings'),
    leading: of('leading'),
    beforeBody: of('beforeBody'),
    goals: of('goals'),
    bodies: of('bodies'),
    signoffs: of('signoffs'),
    references: {
      it: reference('it'),
      whom: reference('whom'),
      last: reference('last'),
      again: reference('again'),
      next: reference('next'),
      previous: reference('previous'),
      newest: reference('newest'),
      same: reference('same'),
      ordinals: language.references.ordinals.map((group, at) =>
        join(group, ...others.map(({ references }) => references?.ordinals?.[at])),
      ),
    },
    periods: joinAll(
      language.periods,
      others.map(({ periods }) => periods),
    ),
    times: joinAll(
      language.times,
      others.map(({ times }) => times),
    ),
    units: joinAll(
      language.units,
      others.map(({ units }) => units),
    ),
    numbers: joinAll(
      language.numbers,
      others.map(({ numbers }) => numbers),
    ),
    shares: joinAll(
      language.shares,
      others.map(({ shares }) => shares),
    ),
    bounds: joinAll(
      language.bounds,
      others.map(({ bounds }) => bounds),
    ) as Language['bounds'],
    concepts: joinAll(
      language.concepts,
      others.map(({ concepts }) => concepts),
    ),
    foreign: [...foreign].filter((word) => !own.has(word)),
  }
}

const phrasesOf = (group: string | undefined): string[] => (group ?? '').split('|').filter(Boolean)

/** "über", "uber", "ueber"; without its accent a word may be another one, which then is meant: "remboursé", "rembourse". */
const typedWays = (phrase: string, said: ReadonlySet<string>): string[] => {
  const text = phrase.trim()
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  const german = text.replace(
    /[äöüß]/g,
    (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter] as string,
  )
  return [text, ...new Set([plain, german].filter((one) => one !== text && !said.has(one)))]
}

const wordsIn = (language: Language): string[] =>
  [
    language.filler,
    language.polite,
    language.questions,
    language.negations,
    ...Object.values(language.concepts),
  ]
    .flatMap((group) => group.split('|'))
    .map((phrase) => phrase.trim().split(' ')[0] as string)
