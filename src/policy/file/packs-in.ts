import { parse } from 'yaml'

/** The packs that a file names, whatever else is wrong with it. */
export const packsIn = (text: string): string[] => {
  try {
    const { packs } = Object(parse(text, { logLevel: 'silent' })) as { packs?: unknown }
    return Array.isArray(packs) ? packs.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
