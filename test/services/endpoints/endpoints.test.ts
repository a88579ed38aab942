import { describe, expect, it } from 'vitest'
import { rowFor } from '../../../src/lib/services/endpoints/routes.ts'
import type { ServiceName } from '../../../src/lib/services/endpoints/row.ts'
import { allRows } from '../../../src/lib/services/endpoints/tables.ts'

// Written down from the services' documents, not from the tables: a concrete request for each endpoint.
type Named = [service: ServiceName, method: string, path: string, row: string, body?: object]

const contact = '64b7f0c2a1d3e4f5a6b7c8d9'
const template = { to: 15550100, type: 'template', templateName: 't' }

const shown: Named[] = [
  ['email', 'PUT', '/subscribers/ada@example.com', 'updateSubscriber'],
  ['email', 'GET', '/subscribers/ada@example.com', 'getSubscriber'],
  ['email', 'GET', '/subscribers', 'findSubscribers'],
  ['email', 'GET', '/subscribers/stats', 'subscriberStats'],
  ['email', 'GET', '/campaigns', 'findCampaigns'],
  ['email', 'POST', '/campaigns/send-to-individual', 'sendCampaign'],
  ['email', 'POST', '/lists', 'createList'],
  ['email', 'POST', '/lists/remove-subscriber', 'removeFromLists'],
  ['chat', 'PUT', `/contacts/${contact}`, 'updateContact'],
  ['chat', 'GET', `/contacts/${contact}`, 'getContact'],
  ['chat', 'GET', '/contacts/lists', 'contactLists'],
  ['chat', 'POST', '/messages', 'sendProducts', { type: 'interactive', interactiveType: 'product_list' }],
  ['chat', 'POST', '/messages', 'sendMediaTemplate', { ...template, link: 'https://example.com/a.png' }],
  ['chat', 'POST', '/messages', 'sendCarousel', { ...template, carouselBodies: [], carouselFileData: [] }],
  ['billing', 'POST', '/multiplans', 'createMultiplan'],
  ['billing', 'POST', '/addon/prod_1', 'createAddon'],
  ['billing', 'PUT', '/addon/add_1', 'updateAddon'],
  ['billing', 'POST', '/transaction/refund/pay_1', 'refundPayment'],
  ['billing', 'GET', '/products/prod_1/licenses', 'findLicenses'],
  ['billing', 'PUT', '/subscription/sub_1/upgrade-downgrade', 'changePlan'],
]

const pathOnly: Named[] = [
  ['email', 'POST', '/subscribers', 'createSubscriber'],
  ['email', 'GET', '/subscribers/64b7f0c2', 'getSubscriberById'],
  ['email', 'PUT', '/subscribers/64b7f0c2', 'updateSubscriberById'],
  ['email', 'DELETE', '/subscribers', 'deleteSubscribers'],
  ['email', 'GET', '/custom-fields', 'customFields'],
  ['email', 'POST', '/campaigns', 'createCampaign'],
  ['email', 'GET', '/campaigns/c1', 'getCampaign'],
  ['email', 'POST', '/campaigns/send-to-list', 'sendCampaignToList'],
  ['email', 'GET', '/lists', 'findLists'],
  ['email', 'GET', '/lists/l1', 'getList'],
  ['email', 'GET', '/lists?name=VIP', 'findListByName'],
  ['email', 'POST', '/lists/add-subscriber', 'addToList'],
  ['email', 'POST', '/lists/move-subscriber', 'moveToList'],
  ['email', 'GET', '/lists-and-segments', 'listsAndSegments'],
  ['chat', 'POST', '/contacts', 'createContact'],
  ['chat', 'GET', '/contacts/', 'findContacts'],
  ['chat', 'POST', '/messages', 'sendTextTemplate', template],
  ['chat', 'POST', '/messages', 'sendText', { type: 'text' }],
  ['chat', 'POST', '/messages', 'sendImage', { type: 'image' }],
  ['chat', 'POST', '/messages', 'sendAudio', { type: 'audio' }],
  ['chat', 'POST', '/messages', 'sendVideo', { type: 'video' }],
  ['chat', 'POST', '/messages', 'sendDocument', { type: 'document' }],
  ['chat', 'POST', '/messages', 'sendProduct', { type: 'interactive', interactiveType: 'product' }],
  ['chat', 'POST', '/messages', 'sendCatalog', { type: 'interactive', interactiveType: 'catalog_message' }],
  ['chat', 'POST', '/messages', 'sendList', { type: 'interactive', interactiveType: 'list' }],
  ['chat', 'POST', '/messages', 'sendLink', { type: 'interactive', interactiveType: 'cta_url' }],
  [
    'chat',
    'POST',
    '/messages',
    'sendAddressRequest',
    { type: 'interactive', interactiveType: 'address_message' },
  ],
  [
    'chat',
    'POST',
    '/messages',
    'sendLocationRequest',
    { type: 'interactive', interactiveType: 'location_request_message' },
  ],
  ['billing', 'GET', '/multiplans/m1', 'getMultiplan'],
  ['billing', 'GET', '/multiplans', 'findMultiplans'],
  ['billing', 'PUT', '/multiplans/m1', 'updateMultiplan'],
  ['billing', 'DELETE', '/multiplans/m1', 'deleteMultiplan'],
  ['billing', 'GET', '/addon/a1', 'getAddon'],
  ['billing', 'GET', '/addons/p1', 'findAddons'],
  ['billing', 'DELETE', '/addon/a1', 'deleteAddon'],
  ['billing', 'GET', '/transactions/cus1', 'findTransactions'],
  ['billing', 'GET', '/refund/cus1', 'findRefunds'],
  ['billing', 'DELETE', '/transaction/t1', 'deleteTransaction'],
  ['billing', 'POST', '/products/p1/licenses', 'createLicense'],
  ['billing', 'GET', '/products/p1/licenses/l1', 'getLicense'],
  ['billing', 'PUT', '/products/p1/licenses/l1', 'updateLicense'],
  ['billing', 'DELETE', '/products/p1/licenses/l1', 'deleteLicense'],
  ['billing', 'GET', '/products/p1/licenses/l1/codes', 'licenseCodes'],
  ['billing', 'DELETE', '/products/p1/licenses/l1/codes/c1', 'deleteLicenseCode'],
]

// Their request shapes are not shown, so nothing tells them from the text template: they exist by name.
const untold = ['chat.sendAuthTemplate', 'chat.sendButtonsTemplate', 'chat.sendOfferTemplate']

describe('the endpoint tables', () => {
  it.each(shown)('%s %s %s is the shown row %s', (service, method, path, name, body) => {
    const found = rowFor(service, method, path, body)
    expect(found?.id).toBe(`${service}.${name}`)
    expect(found?.row.shown).toBe(true)
  })

  it.each(pathOnly)('%s %s %s is the path-only row %s', (service, method, path, name, body) => {
    const found = rowFor(service, method, path, body)
    expect(found?.id).toBe(`${service}.${name}`)
    expect(found?.row.shown).toBe(false)
  })

  it('have 20 shown and 47 path-only rows, and none besides those of the documents', () => {
    const listed = [...shown, ...pathOnly].map(([service, , , name]) => `${service}.${name}`)
    expect(allRows().filter(({ row }) => row.shown)).toHaveLength(20)
    expect(allRows().filter(({ row }) => !row.shown)).toHaveLength(47)
    expect(
      allRows()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...listed, ...untold].sort())
  })

  it('never let a billing write or a message be repeated', () => {
    const writes = allRows().filter(({ row }) => row.method !== 'GET')
    const repeatable = writes.filter(({ row }) => row.effect !== 'once').map(({ id }) => id)
    expect(repeatable.sort()).toEqual([
      'chat.updateContact',
      'email.removeFromLists',
      'email.updateSubscriber',
      'email.updateSubscriberById',
    ])
    for (const { row } of allRows()) expect(row.effect === 'read').toBe(row.method === 'GET')
  })

  it('have a parameter schema for exactly the names in each path', () => {
    for (const { row } of allRows()) {
      const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(row.params?.shape ?? {})).toEqual(names)
    }
  })
})
