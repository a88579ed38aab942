import { z } from 'zod'

export const frozenAreas = ['email', 'chat', 'billing', 'all'] as const
export const area = z.enum(frozenAreas).describe('What to freeze: one service, or all three')

export const areaWords: Record<(typeof frozenAreas)[number], string> = {
  email: 'email changes',
  chat: 'messaging changes',
  billing: 'billing changes',
  all: 'all changes',
}
