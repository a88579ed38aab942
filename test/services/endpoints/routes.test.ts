import { describe, expect, it } from 'vitest'
import { rowFor } from '../../../src/lib/services/endpoints/routes.ts'

describe('a path that somebody typed', () => {
  it('gives its parameters decoded and its query apart', () => {
    expect(rowFor('email', 'GET', '/subscribers/a%2Bb%40example.com?x=1&y=a%20b')).toMatchObject({
      id: 'email.getSubscriber',
      params: { email: 'a+b@example.com' },
      query: { x: '1', y: 'a b' },
    })
    expect(rowFor('billing', 'DELETE', '/products/p1/licenses/l1/codes/AB-1')?.params).toEqual({
      product_id: 'p1',
      license_id: 'l1',
      code: 'AB-1',
    })
  })

  it('is the literal endpoint even when its letters are encoded', () => {
    expect(rowFor('email', 'GET', '/subscribers/%73tats')?.id).toBe('email.subscriberStats')
    expect(rowFor('chat', 'GET', '/contacts/%6Cists')?.id).toBe('chat.contactLists')
  })

  it.each([
    ['email', 'GET', '/subscribers/', 'email.findSubscribers'],
    ['chat', 'GET', '/contacts', 'chat.findContacts'],
    ['chat', 'GET', '/contacts/', 'chat.findContacts'],
    ['billing', 'DELETE', '/addon/add_1/', 'billing.deleteAddon'],
  ] as const)(
    '%s %s %j is the same endpoint with a slash at its end and without',
    (service, method, path, id) => {
      expect(rowFor(service, method, path)?.id).toBe(id)
    },
  )

  it.each([
    ['email', 'GET', '/subscribers/..'],
    ['email', 'GET', '/subscribers/%2e%2e'],
    ['email', 'GET', '/subscribers/..%2Fcampaigns'],
    ['email', 'GET', '/subscribers/a%2Fb'],
    ['email', 'GET', '/subscribers/a%252Fb'],
    ['email', 'GET', '/subscribers/a%5Cb'],
    ['email', 'GET', '/subscribers/a\\b'],
    ['email', 'GET', '/subscribers/%00'],
    ['email', 'GET', '/subscribers/%E0%A4%A'],
    ['email', 'GET', '/subscribers//'],
    ['email', 'GET', '//subscribers'],
    ['email', 'GET', '/subscribers//stats'],
    ['email', 'GET', 'subscribers'],
    ['email', 'GET', 'http://elsewhere.example/subscribers'],
    ['email', 'GET', '/subscribers#x'],
    ['email', 'PATCH', '/subscribers'],
    ['email', 'get', '/subscribers'],
    ['email', 'DELETE', '/subscribers/64b7'],
    ['email', 'GET', '/multiplans'],
    ['chat', 'GET', '/messages'],
    ['billing', 'POST', '/transaction/refund'],
    ['billing', 'GET', '/'],
    ['billing', 'GET', ''],
  ] as const)('%s %s %j is no endpoint', (service, method, path) => {
    expect(rowFor(service, method, path)).toBeUndefined()
  })

  it('of a message is told apart by its body, and without certainty it is a path-only row', () => {
    const idFor = (body: unknown) => rowFor('chat', 'POST', '/messages', body)?.id
    expect(idFor({ type: 'interactive', sections: [], action: {} })).toBe('chat.sendProducts')
    expect(idFor({ type: 'template', carouselFileData: [], link: 'x' })).toBe('chat.sendCarousel')
    for (const body of [undefined, null, {}, [], 7, 'x', { type: 'constructor' }, { type: 'interactive' }])
      expect(rowFor('chat', 'POST', '/messages', body)?.row.shown).toBe(false)
  })
})
