import { definePlanChange } from './plan-change.ts'

export const downgrade = definePlanChange({
  name: 'downgrade',
  summary: 'Move a subscription down to another plan, now or at the end of its term',
  examples: [
    'downgrade sub_1002 plan_desk_team_m --payment-mode credit_card --activate eot',
    'downgrade sub_1005 plan_desk_team_y --payment-mode offline --activate immediately --reason "Fewer seats"',
  ],
})
