import { defineLinkChange } from './link-change.ts'

export const personLinkFor = () =>
  defineLinkChange('person link', {
    summary: 'Say by hand which customer or contact somebody is',
    examples: [
      'person link ada@example.com --customer cus_1001',
      'person link ada@example.com --contact 64b000000000000000000001',
    ],
  })
