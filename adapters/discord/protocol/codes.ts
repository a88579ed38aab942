/** Discord's numbers by their names. The types come from discord.js; its code is not loaded for them. */
export const componentType = {
  row: 1,
  button: 2,
  select: 3,
  textInput: 4,
  section: 9,
  text: 10,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
  fileUpload: 19,
  radioGroup: 21,
  checkboxGroup: 22,
  checkbox: 23,
} as const

export const messageFlag = { ephemeral: 64, componentsV2: 32_768 } as const

export const answerType = {
  pong: 1,
  message: 4,
  deferred: 5,
  deferredUpdate: 6,
  choices: 8,
  modal: 9,
} as const

export const interactionType = { ping: 1, command: 2, press: 3, complete: 4, modal: 5 } as const

export const optionType = {
  subcommand: 1,
  text: 3,
  integer: 4,
  boolean: 5,
  number: 10,
  attachment: 11,
} as const
