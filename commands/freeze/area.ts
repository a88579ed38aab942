import { z } from 'zod'

export const frozenAreas = ['email', 'chat', 'billing', 'all', 'agents'] as const
export const area = z
  .enum(frozenAreas)
  .describe('What to freeze: one service, all three, or whatever agents ask')

export const areaWords: Record<(typeof frozenAreas)[number], string> = {
  email: 'email changes',
  chat: 'messaging changes',
  billing: 'billing changes',
  all: 'all changes',
  agents: 'agents',
}
