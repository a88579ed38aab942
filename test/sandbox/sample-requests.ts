import type { OwnName as ServiceName } from '../../sandbox/sandbox.ts'

export interface Request {
  service: ServiceName
  row: string
  method: string
  path: string
  body?: unknown
  shown: boolean
}

type Line = readonly [row: string, request: string, body?: unknown]

const requests = (service: ServiceName, shown: boolean, lines: readonly Line[]): Request[] =>
  lines.map(([row, request, body]) => {
    const [method = '', path = ''] = request.split(/ (.*)/)
    return { service, row, method, path, body, shown }
  })

const adaId = '64a000000000000000000001'
const contact = '64b000000000000000000001'
const to = 15_550_110_000

export const products = {
  to,
  type: 'interactive',
  interactiveType: 'product_list',
  header: 'Picked for you',
  body: 'Three things for the season',
  footer: 'Reply STOP to opt out',
  action: { catalogId: 'catalog-1' },
  sections: [{ title: 'Lamps', products: [{ productRetailerId: 'lamp-1' }] }],
}

export const media = {
  to,
  type: 'template',
  templateName: 'spring_banner',
  link: 'https://files.example.com/a.png',
}

const card = { fileUrl: 'https://files.example.com/a.png', fileName: 'a.png' }

export const carousel = {
  to,
  type: 'template',
  templateName: 'spring_picks',
  carouselBodies: [{ bodyParams: ['one'] }, { bodyParams: [] }],
  carouselFileData: [card, card],
}

export const addon = {
  name: 'Sticker pack',
  code: 'stickers',
  price: 5,
  billing_period: 'm',
  billing_period_num: 1,
  billing_cycle: 'onetime',
  status: 'true',
  associate_plans: 'all_plans',
}

export const multiplan = {
  product_id: 'prod_desk',
  page_title: 'Pick one',
  plans: ['plan_desk_team_m', 'plan_desk_team_y'],
}

export const emailRequests = [
  ...requests('email', true, [
    ['updateSubscriber', 'PUT /subscribers/ada@example.com', { firstName: 'Ada' }],
    ['getSubscriber', 'GET /subscribers/ada%40example.com'],
    ['findSubscribers', 'GET /subscribers?page=1'],
    ['subscriberStats', 'GET /subscribers/stats'],
    ['findCampaigns', 'GET /campaigns'],
    [
      'sendCampaign',
      'POST /campaigns/send-to-individual',
      { campaignId: 'cmp_welcome', emails: ['ada@example.com'] },
    ],
    ['createList', 'POST /lists', { name: 'Autumn' }],
    [
      'removeFromLists',
      'POST /lists/remove-subscriber',
      { email: 'ada@example.com', listIds: ['lst_newsletter'] },
    ],
  ]),
  ...requests('email', false, [
    ['createSubscriber', 'POST /subscribers', { email: 'new@example.com' }],
    ['getSubscriberById', `GET /subscribers/${adaId}`],
    ['updateSubscriberById', `PUT /subscribers/${adaId}`, { leadScore: 3 }],
    ['deleteSubscribers', 'DELETE /subscribers', { emails: ['ada@example.com'] }],
    ['customFields', 'GET /custom-fields'],
    ['createCampaign', 'POST /campaigns', { campaignName: 'Hello', subject: 'Hello' }],
    ['getCampaign', 'GET /campaigns/cmp_welcome'],
    [
      'sendCampaignToList',
      'POST /campaigns/send-to-list',
      { campaignId: 'cmp_welcome', listIds: ['lst_vip'] },
    ],
    ['findLists', 'GET /lists'],
    ['getList', 'GET /lists/lst_vip'],
    ['findListByName', 'GET /lists?name=vip'],
    ['addToList', 'POST /lists/add-subscriber', { email: 'ada@example.com', listIds: ['lst_vip'] }],
    [
      'moveToList',
      'POST /lists/move-subscriber',
      { subscriberId: adaId, fromListId: 'lst_newsletter', toListId: 'lst_vip' },
    ],
    ['listsAndSegments', 'GET /lists-and-segments'],
  ]),
]

export const chatRequests = [
  ...requests('chat', true, [
    ['updateContact', `PUT /contacts/${contact}`, { name: 'Ada L' }],
    ['getContact', `GET /contacts/${contact}`],
    ['contactLists', 'GET /contacts/lists'],
    ['sendProducts', 'POST /messages', products],
    ['sendMediaTemplate', 'POST /messages', media],
    ['sendCarousel', 'POST /messages', carousel],
  ]),
  ...requests('chat', false, [
    ['createContact', 'POST /contacts', { mobile: '15550119999', name: 'New' }],
    ['findContacts', 'GET /contacts/'],
    ['sendTextTemplate', 'POST /messages', { to, type: 'template', templateName: 'order_update' }],
    ['sendAuthTemplate', 'POST /messages', { to, type: 'template', templateName: 'login_code' }],
    ['sendButtonsTemplate', 'POST /messages', { to, type: 'template', templateName: 'rate_your_visit' }],
    ['sendOfferTemplate', 'POST /messages', { to, type: 'template', templateName: 'weekend_offer' }],
    ['sendText', 'POST /messages', { to, type: 'text', body: 'Hello' }],
    ['sendImage', 'POST /messages', { to, type: 'image' }],
    ['sendAudio', 'POST /messages', { to, type: 'audio' }],
    ['sendVideo', 'POST /messages', { to, type: 'video' }],
    ['sendDocument', 'POST /messages', { to, type: 'document' }],
    ['sendProduct', 'POST /messages', { to, type: 'interactive', interactiveType: 'product' }],
    ['sendCatalog', 'POST /messages', { to, type: 'interactive', interactiveType: 'catalog_message' }],
    ['sendList', 'POST /messages', { to, type: 'interactive', interactiveType: 'list' }],
    ['sendLink', 'POST /messages', { to, type: 'interactive', interactiveType: 'cta_url' }],
    ['sendAddressRequest', 'POST /messages', { to, type: 'interactive', interactiveType: 'address_message' }],
    [
      'sendLocationRequest',
      'POST /messages',
      { to, type: 'interactive', interactiveType: 'location_request_message' },
    ],
  ]),
]

export const billingRequests = [
  ...requests('billing', true, [
    ['createMultiplan', 'POST /multiplans', multiplan],
    ['createAddon', 'POST /addon/prod_desk', addon],
    ['updateAddon', 'PUT /addon/addon_seats', { price: 30 }],
    ['refundPayment', 'POST /transaction/refund/pay_1001', { amount: 20 }],
    ['findLicenses', 'GET /products/prod_desk/licenses'],
    [
      'changePlan',
      'PUT /subscription/sub_1001/upgrade-downgrade',
      { plan_id: 'plan_desk_business_m', payment_mode: 'offline' },
    ],
  ]),
  ...requests('billing', false, [
    ['getMultiplan', 'GET /multiplans/mp_desk'],
    ['findMultiplans', 'GET /multiplans'],
    ['updateMultiplan', 'PUT /multiplans/mp_desk', { page_title: 'Another title' }],
    ['deleteMultiplan', 'DELETE /multiplans/mp_desk'],
    ['getAddon', 'GET /addon/addon_seats'],
    ['findAddons', 'GET /addons/prod_desk'],
    ['deleteAddon', 'DELETE /addon/addon_seats'],
    ['findTransactions', 'GET /transactions/cus_1001'],
    ['findRefunds', 'GET /refund/cus_1009'],
    ['deleteTransaction', 'DELETE /transaction/pay_1001'],
    ['createLicense', 'POST /products/prod_desk/licenses', { name: 'New pool', codes: ['A-1'] }],
    ['getLicense', 'GET /products/prod_desk/licenses/lic_501'],
    ['updateLicense', 'PUT /products/prod_desk/licenses/lic_501', { codes: ['A-2'] }],
    ['deleteLicense', 'DELETE /products/prod_desk/licenses/lic_501'],
    ['licenseCodes', 'GET /products/prod_desk/licenses/lic_501/codes'],
    ['deleteLicenseCode', 'DELETE /products/prod_desk/licenses/lic_501/codes/HG-501-2'],
  ]),
]
