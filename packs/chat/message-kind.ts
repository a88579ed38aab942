import { toShortText } from '../../src/lib/services/client/service-message.ts'
import { mediaTemplate } from './requests.ts'

const interactiveRows: Record<string, string> = {
  product_list: 'sendProducts',
  product: 'sendProduct',
  catalog: 'sendCatalog',
  catalog_message: 'sendCatalog',
  list: 'sendList',
  cta_url: 'sendLink',
  address: 'sendAddressRequest',
  address_message: 'sendAddressRequest',
  location_request: 'sendLocationRequest',
  location_request_message: 'sendLocationRequest',
}

const plainRows: Record<string, string> = {
  text: 'sendText',
  image: 'sendImage',
  audio: 'sendAudio',
  video: 'sendVideo',
  document: 'sendDocument',
}

/** Only the three shown kinds are certain; the other words are guesses, and their rows are alike but for the name. */
export function messageKindOf(body: unknown): { row: string; summary?: string } {
  const { type, interactiveType, ...rest } = (body ?? {}) as Record<string, unknown>
  if (type === 'template') {
    if ('carouselBodies' in rest || 'carouselFileData' in rest) return { row: 'sendCarousel' }
    if (!('link' in rest)) return { row: 'sendTextTemplate', summary: 'Send a template without media' }
    return Object.keys(rest).every((key) => key in mediaTemplate.shape)
      ? { row: 'sendMediaTemplate' }
      : {
          row: 'sendTextTemplate',
          summary: 'Send a template with a link, of a kind that is not documented',
        }
  }
  if (type === 'interactive' && interactiveType === undefined && 'sections' in rest && 'action' in rest)
    return { row: 'sendProducts' }
  const isInteractive = type === 'interactive'
  const row = isInteractive ? ownOf(interactiveRows, interactiveType) : ownOf(plainRows, type)
  if (row !== undefined) return { row }
  const kind = toShortText(String((isInteractive ? interactiveType : type) ?? 'none').slice(0, 40))
  return {
    row: 'sendText',
    summary: `Send a message whose ${isInteractive ? 'interactiveType' : 'type'} is not documented (${kind})`,
  }
}

const ownOf = (map: Record<string, string>, key: unknown) =>
  typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined
