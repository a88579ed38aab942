import { defineLinkChange } from './link-change.ts'

export const personUnlinkFor = () =>
  defineLinkChange('person unlink', {
    summary: 'Say by hand that a customer or a contact is not this person',
    examples: ['person unlink ada@example.com --customer cus_1001'],
  })
