/** What the terminal prints, in a terminal of a hundred columns. */
export const terminalPage = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><style>${css}</style><pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`

const css = `body { margin: 0; background: #16181d; color: #d7dae0 }
pre { margin: 0; padding: 16px; width: 728px; font: 13px/1.45 'DejaVu Sans Mono', 'Liberation Mono', 'Noto Color Emoji', monospace; white-space: pre-wrap; overflow-wrap: anywhere }`
