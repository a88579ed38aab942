const cards = JSON.stringify([
  { fileUrl: 'https://files.example.com/a.jpg', fileName: 'a.jpg', bodyParams: ['Mug', '7'] },
  { fileUrl: 'https://files.example.com/b.jpg', fileName: 'b.jpg', bodyParams: ['Bowl'] },
])
const sections = JSON.stringify([{ title: 'Mugs', products: ['sku-1', 'sku-2'] }])
const files = JSON.stringify([{ filename: 'terms.pdf', url: 'https://files.example.com/terms.pdf' }])
const contact = '64b000000000000000000001'

/** Each command that writes to a service, with every flag it has. */
export const widest: Readonly<Record<string, readonly string[]>> = {
  'subscriber update': [
    'subscriber update ada@example.com --first-name Adah --last-name Lind --lead-score 3 --status unsubscribed --tags-to-add beta --tags-to-remove customer --company "Fern and Field" --position Owner --custom-fields plan=gold,seats=12',
  ],
  'subscriber create': [
    'subscriber create new@example.com --first-name Noor --last-name Lind --lead-score 3 --status subscribed --tags-to-add beta --company Fern --position Owner --custom-fields plan=gold',
  ],
  'subscriber delete': ['subscriber delete ada@example.com'],
  'list add': ['list add ada@example.com --list-ids lst_vip'],
  'list move': ['list move ada@example.com lst_newsletter lst_vip'],
  'campaign send-list': [
    `campaign send-list cmp_order_receipt lst_vip,Newsletter --subject Again --from-name Desk --sender-email desk@example.com --delivery-server-id server_9 --attachments '${files}'`,
  ],
  'contact create': [
    `contact create +15550119876 --name "Noor H" --optin no --incoming-blocked yes --tags vip --attributes '{"city":"Lund"}'`,
  ],
  'message text': ['message text 15550110000 "Your parcel, at last"'],
  'message template': [
    `message template 15550110000 order_update --body-params Ada,8 --language-code en --contact '{"name":"Ada"}'`,
  ],
  'multiplan update': [
    'multiplan update mp_desk --page-title "All of Desk" --plans plan_desk_team_m,plan_desk_business_m --multiplan-list select --preferred-plan-id plan_desk_business_m',
  ],
  'list create': ['list create "Spring launch"'],
  'list remove': ['list remove ada@example.com --list-ids lst_newsletter'],
  'campaign send': [
    `campaign send cmp_order_receipt ada@example.com,kim@example.com --subject Again --from-name Desk --sender-email desk@example.com --delivery-server-id server_9 --attachments '${files}' --include unsubscribed`,
  ],
  'contact update': [
    `contact update ${contact} --name "Ada L" --mobile +15550119876 --optin no --incoming-blocked yes --tags-to-add support --tags-to-remove lead --attributes '{"city":"Lund"}'`,
    `contact update ${contact} --tags vip,returns`,
  ],
  'message products': [
    `message products 15550110000 --header "Spring picks" --body "Chosen for you" --footer Bye --catalog-id cat_1 --sections '${sections}'`,
  ],
  'message media': [
    `message media 15550110000 order_invoice https://files.example.com/i.pdf --filename i.pdf --body-params Ada,8 --contact '{"name":"Ada"}'`,
  ],
  'message carousel': [
    `message carousel 15550110000 spring_picks --cards '${cards}' --body-params Ada --language-code en --url-variables x1,x2 --copy-code-param SAVE9 --quick-replies yes,no --contact '{"name":"Ada"}'`,
  ],
  refund: ['refund pay_1006 90 --customer cus_1004 --refund-type refund_credit --description Goodwill'],
  upgrade: [
    'upgrade sub_1001 plan_desk_business_m --payment-mode credit_card --activate immediately --payment-term net15 --customer-id cus_1001 --card-id card_1001 --coupon-code SPRING20 --price 99.50 --quantity 5 --setup-fee 4 --addons addon_seats:2 --reason Grew',
  ],
  downgrade: [
    'downgrade sub_1002 plan_desk_team_m --payment-mode offline --activate eot --payment-term neteom --customer-id cus_1002 --card-id card_1002 --coupon-code SPRING20 --price 9.5 --quantity 1 --setup-fee 0 --addons addon_seats:3 --reason Shrank',
  ],
  'multiplan create': [
    'multiplan create prod_mail --page-title "Mail for all" --plans plan_mail_basic_m,plan_mail_pro_m --multiplan-list select --preferred-plan-id plan_mail_pro_m',
  ],
  'multiplan delete': ['multiplan delete mp_desk_yearly'],
  'addon create': [
    'addon create prod_desk --name "Data import" --code import --price 150 --billing-period y --billing-period-num 2 --billing-cycle onetime --status no --associate-plans selected_plans --plans plan_desk_team_m,plan_desk_business_m --categories extras --description "By hand"',
  ],
  'addon update': [
    'addon update addon_training --name Lesson --code lesson --price 7 --billing-period w --billing-period-num 3 --billing-cycle lifetime --status no --associate-plans selected_plans --plans plan_desk_team_m,plan_desk_business_m --categories extras --description "By hand" --product-id prod_mail',
  ],
  'addon delete': ['addon delete addon_archive'],
  'license delete': ['license delete prod_mail lic_514'],
  'license delete-code': ['license delete-code prod_desk lic_502 HG-502-2'],
  'transaction delete': ['transaction delete pay_1008'],
}
