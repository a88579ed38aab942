import { ok, type Result } from '../result.ts'
import type { View } from '../view/view.ts'
import type { Answer } from './define.ts'

export const answer = (view: View, more: Omit<Answer, 'view'> = {}): Result<Answer> => ok({ view, ...more })
