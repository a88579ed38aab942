import { contactCreate } from '../../commands/contact/create.ts'
import { contactFind } from '../../commands/contact/find.ts'
import { contactGet } from '../../commands/contact/get.ts'
import { contactLists } from '../../commands/contact/lists.ts'
import { contactUpdate } from '../../commands/contact/update.ts'
import { messageCarousel } from '../../commands/message/carousel.ts'
import { messageMedia } from '../../commands/message/media.ts'
import { messageProducts } from '../../commands/message/products.ts'
import { messageText } from '../../commands/message/text.ts'
import { messageTemplate } from '../../commands/message/text-template.ts'
import type { Pack } from '../../src/command/pack.ts'
import { chat as service } from './endpoints.ts'
import { person } from './person.ts'
import { things } from './things.ts'
import { words } from './words.ts'

export const chatPack: Pack = {
  ...service,
  surface: 1,
  commands: [
    contactCreate,
    contactFind,
    contactGet,
    contactLists,
    contactUpdate,
    messageCarousel,
    messageMedia,
    messageProducts,
    messageTemplate,
    messageText,
  ],
  things,
  person,
  words,
  sandbox: async () => (await import('./sandbox/index.ts')).sandbox,
}
