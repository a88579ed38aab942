import { definePlanChange } from './plan-change.ts'

export const upgrade = definePlanChange({
  name: 'upgrade',
  summary: 'Move a subscription up to another plan, now or at the end of its term',
  examples: [
    'upgrade sub_1001 plan_desk_business_m --payment-mode credit_card --activate immediately',
    'upgrade sub_1003 plan_desk_team_m --payment-mode offline --activate eot --reason "Asked by phone"',
    'upgrade sub_1009 plan_desk_business_m --payment-mode offline --price 99.50 --quantity 5 --addons addon_seats:2',
  ],
})
