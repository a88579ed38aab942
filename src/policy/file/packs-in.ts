import { readSource } from './source.ts'

/** The packs that a file names, whatever else is wrong with it. */
export const packsIn = (text: string): string[] => {
  const { packs } = Object(readSource(text).value) as { packs?: unknown }
  return Array.isArray(packs) ? packs.filter((one) => typeof one === 'string') : []
}
