import { carousel, media, products } from '../sample-requests.ts'
import type { RefusalCase } from './refusal-case.ts'

const contact = '/contacts/64b000000000000000000001'
const section = products.sections[0]
const lamps = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ productRetailerId: `lamp-${index}` }))
const [firstBody] = carousel.carouselBodies
const [firstFile] = carousel.carouselFileData

export const chatRefusals: readonly RefusalCase[] = [
  ['a contact id that is not 24 hex', 'chat', 400, 'GET /contacts/abc'],
  ['an unknown contact', 'chat', 404, 'GET /contacts/64b0000000000000000000ff'],
  ['an update of a bad contact id', 'chat', 400, 'PUT /contacts/xyz', { name: 'X' }],
  [
    'tags that are not in settings',
    'chat',
    400,
    `PUT ${contact}`,
    { name: 'X', tags: ['vip', 'unheard-of'] },
  ],
  [
    'tags to add that are not in settings',
    'chat',
    400,
    `PUT ${contact}`,
    { name: 'X', tagsToAdd: 'lead,unheard-of' },
  ],
  [
    'an attribute that is not in settings',
    'chat',
    400,
    `PUT ${contact}`,
    { name: 'X', attributes: '[{"name":"shoe","value":"44"}]' },
  ],
  ['an opt-in that is no boolean', 'chat', 400, `PUT ${contact}`, { optin: 'yes' }],
  ['a recipient in quotes', 'chat', 400, 'POST /messages', { ...products, to: '15550110000' }],
  ['a header of 61 characters', 'chat', 400, 'POST /messages', { ...products, header: 'x'.repeat(61) }],
  ['a body of 1025 characters', 'chat', 400, 'POST /messages', { ...products, body: 'x'.repeat(1025) }],
  ['a footer of 61 characters', 'chat', 400, 'POST /messages', { ...products, footer: 'x'.repeat(61) }],
  ['no catalog', 'chat', 400, 'POST /messages', { ...products, action: {} }],
  ['11 sections', 'chat', 400, 'POST /messages', { ...products, sections: Array(11).fill(section) }],
  [
    '31 products',
    'chat',
    400,
    'POST /messages',
    {
      ...products,
      sections: [
        { title: 'A', products: lamps(15) },
        { title: 'B', products: lamps(16) },
      ],
    },
  ],
  [
    'a section title of 25 characters',
    'chat',
    400,
    'POST /messages',
    { ...products, sections: [{ ...section, title: 'x'.repeat(25) }] },
  ],
  ['an unknown interactive type', 'chat', 400, 'POST /messages', { ...products, interactiveType: 'riddle' }],
  ['an unknown type', 'chat', 400, 'POST /messages', { ...products, type: 'constructor' }],
  ['a media template without a link', 'chat', 400, 'POST /messages', { ...media, link: undefined }],
  ['a template that does not exist', 'chat', 404, 'POST /messages', { ...media, templateName: 'none' }],
  [
    'a text template sent as media',
    'chat',
    404,
    'POST /messages',
    { ...media, templateName: 'order_update' },
  ],
  ['a file name for an image', 'chat', 400, 'POST /messages', { ...media, filename: 'a.pdf' }],
  [
    'a contact with an unknown tag',
    'chat',
    400,
    'POST /messages',
    { ...media, contact: '{"name":"X","tags":["unheard-of"]}' },
  ],
  [
    'one card',
    'chat',
    400,
    'POST /messages',
    { ...carousel, carouselBodies: [firstBody], carouselFileData: [firstFile] },
  ],
  [
    '11 cards',
    'chat',
    400,
    'POST /messages',
    { ...carousel, carouselBodies: Array(11).fill(firstBody), carouselFileData: Array(11).fill(firstFile) },
  ],
  [
    'a card without a file',
    'chat',
    400,
    'POST /messages',
    { ...carousel, carouselBodies: Array(3).fill(firstBody) },
  ],
  [
    'a carousel that is not approved',
    'chat',
    404,
    'POST /messages',
    { ...carousel, templateName: 'winter_picks' },
  ],
]
