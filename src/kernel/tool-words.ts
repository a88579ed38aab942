/** How people start Bellhop's tools here: through npm in a clone, or by its one command. */
let isCommand = false

export const startedAsCommand = (): void => {
  isCommand = true
}

/** The line that starts a tool, as the reader would type it: `npm run audit -- rotate` or `bellhop audit rotate`. */
export const toolLine = (name: string, args = ''): string => {
  if (isCommand) return args === '' ? `bellhop ${name}` : `bellhop ${name} ${args}`
  const started = name === 'start' ? 'npm start' : `npm run ${name}`
  return args === '' ? started : `${started} -- ${args}`
}
