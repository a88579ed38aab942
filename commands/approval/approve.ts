import { z } from 'zod'
import { defineDecision } from '../../src/kernel/command/define.ts'
import { changeIds } from './id.ts'

export const approvalApprove = defineDecision({
  name: 'approval approve',
  title: 'Approve',
  summary: 'Approve a change that is waiting, or confirm one of your own',
  input: z.object({ id: changeIds }),
  positional: ['id'],
  examples: ['approval approve 7k2m9qwx4p'],
  uses: [],
  act: ({ id: ids }) => ({ verb: 'approve', id: ids.join(',') }),
})
