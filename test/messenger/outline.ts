import type { Drawing } from '../../src/lib/view/drawing.ts'

/** A drawing as indented text: what each part is, and its words. */
export const outlineOf = (drawing: Drawing, depth = 0): string => {
  const indent = '  '.repeat(depth)
  if (typeof drawing === 'string') return `${indent}${JSON.stringify(drawing)}`
  if ('time' in drawing) return `${indent}${drawing.isAge ? 'age' : 'time'} ${drawing.time}`
  if ('chart' in drawing) return `${indent}chart ${JSON.stringify(drawing.chart)}`
  const { box, look, parts, colour } = drawing
  const name = `${indent}${box} ${look}${colour === undefined ? '' : ` #${colour.toString(16)}`}`
  const words = parts.every((part) => typeof part === 'string')
    ? ` ${JSON.stringify(parts.join(''))}`
    : undefined
  return words === undefined
    ? [name, ...parts.map((part) => outlineOf(part, depth + 1))].join('\n')
    : name + words
}
