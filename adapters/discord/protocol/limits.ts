/** What Discord accepts. Characters are counted as JavaScript counts them, which is never less than Discord counts. */
export const discordLimits = {
  message: {
    /** Everything nested counts. */
    components: 40,
    /** Over all text displays together. */
    text: 4_000,
    files: 10,
    /** Larger attachments are refused unless the server is boosted. */
    fileBytes: 10_000_000,
  },
  title: 250,
  footer: 300,
  /** More sections than this are left out, and the message says so. */
  sections: 24,
  /** So many requests have their buttons beside them: with more, a list would pass the limit of components. */
  requests: 3,
  /** One value of a fact, a list item or one side of a difference. */
  value: 500,
  label: 80,
  cell: 120,
  /** A monospaced table that is wider than this breaks on a phone. */
  phoneColumns: 38,
  charts: 3,
  altText: 1_000,
  button: { label: 80, customId: 100, perRow: 5, rows: 5 },
  modal: {
    title: 45,
    fields: 5,
    label: 45,
    description: 100,
    value: 4_000,
    placeholder: 100,
    options: 25,
    optionLabel: 100,
    optionValue: 100,
    /** Of a radio group, at least two. */
    radios: 10,
    /** Of a checkbox group. */
    boxes: 10,
  },
  select: { options: 25, optionLabel: 100, optionValue: 100, description: 100, placeholder: 150 },
  autocomplete: { choices: 25, name: 100, value: 100 },
  command: {
    count: 100,
    name: 32,
    description: 100,
    options: 25,
    choices: 25,
    choice: 100,
    /** Names, descriptions and values of one command together. */
    characters: 8_000,
    textLength: 6_000,
  },
  /** How long an interaction's token can be answered through; Discord says fifteen minutes. */
  webhookMs: 15 * 60_000 - 15_000,
  /** The first answer must come within three seconds. */
  firstAnswerMs: 2_000,
  /** A signature is good for so long, both ways. */
  signatureWindowMs: 5 * 60_000,
  /** Interactions are a few kilobytes; a pressed message comes along whole. */
  bodyBytes: 1_000_000,
} as const
