import type { Block } from './view.ts'

/** What a box is; a page may make of it what fits there. */
const boxes = ['box', 'line', 'bold', 'struck', 'code', 'pre', 'table', 'row', 'cell', 'head'] as const

/**
 * How a message looks on its platform, drawn by its adapter from what would be sent: text and boxes, nothing to press.
 * `look` is one word that names the part, for whoever draws it.
 */
export type Drawing =
  | string
  | { box: (typeof boxes)[number]; look: string; parts: Drawing[]; colour?: number }
  | { chart: Extract<Block, { kind: 'chart' }> }
  /** An instant, as its reader has it: exactly, or how long ago. */
  | { time: number; isAge: boolean }

export const box = (look: string, parts: Drawing[]): Drawing => ({ box: 'box', look, parts })
export const line = (look: string, parts: Drawing[]): Drawing => ({ box: 'line', look, parts })
