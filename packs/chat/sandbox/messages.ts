import { z } from 'zod'
import { hexId, isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { jsonOf, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall, HandlerResult } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { prepareUpsert } from './contacts.ts'
import type { ChatState, MessageTemplate } from './state.ts'

const recipient = z.int().min(10_000).max(999_999_999_999_999)
const bounded = (max: number) => z.string().min(1).max(max)
const webUrl = z.url({ protocol: /^https?$/ })

const products = z.object({
  to: recipient,
  type: z.literal('interactive'),
  interactiveType: z.literal('product_list').optional(),
  header: bounded(60),
  body: bounded(1024),
  footer: z.string().max(60).optional(),
  action: z.object({ catalogId: textField }),
  sections: z
    .array(
      z.object({
        title: bounded(24),
        products: z.array(z.object({ productRetailerId: textField })).min(1),
      }),
    )
    .min(1)
    .max(10, 'must hold at most 10 sections')
    .refine(
      (all) => all.flatMap((one) => one.products).length <= 30,
      'must hold at most 30 products in total',
    ),
})

/** The one answer of the service that carries `success` where the others carry `status`. */
export function sendProducts(call: HandlerCall<ChatState>): HandlerResult {
  const { to } = parseOrRefuse(products, call.body)
  return { body: { success: true, message: 'Message sent', data: recordMessage(call, 'sendProducts', to) } }
}

const media = z.object({
  to: recipient,
  type: z.literal('template'),
  templateName: textField,
  link: webUrl,
  filename: textField.optional(),
  bodyParams: z.array(z.string()).optional(),
  contact: z.unknown().optional(),
})

export function sendMediaTemplate(call: HandlerCall<ChatState>) {
  const { to, templateName, filename, contact } = parseOrRefuse(media, call.body)
  const template = templateOf(call.state, templateName, 'media')
  if (filename !== undefined && template.format !== 'document') {
    refuse(`filename goes with document templates; ${templateName} shows a ${template.format}`)
  }
  return sendTemplate(call, 'sendMediaTemplate', to, contact)
}

const cards = <S extends z.ZodType>(card: S) => z.array(card).min(2).max(10)

const carousel = z.object({
  to: recipient,
  type: z.literal('template'),
  templateName: textField,
  languageCode: textField.optional(),
  bodyParams: z.array(z.string()).optional(),
  carouselBodies: cards(z.object({ bodyParams: z.array(z.string()) })),
  carouselFileData: cards(z.object({ fileUrl: webUrl, fileName: textField })),
  urlVariables: z.array(z.string()).optional(),
  copyCodeParam: z.string().optional(),
  quickReplies: z.unknown().optional(),
  contact: z.unknown().optional(),
})

export function sendCarousel(call: HandlerCall<ChatState>) {
  const { to, templateName, carouselBodies, carouselFileData, urlVariables, contact } = parseOrRefuse(
    carousel,
    call.body,
  )
  const count = carouselBodies.length
  if (carouselFileData.length !== count) refuse('carouselFileData must have one entry for each card')
  if (urlVariables && urlVariables.length !== count) refuse('urlVariables must have one value for each card')
  templateOf(call.state, templateName, 'carousel')
  return sendTemplate(call, 'sendCarousel', to, contact)
}

const undocumentedMessage = z.object({
  to: recipient,
  type: textField,
  templateName: textField.optional(),
  contact: z.unknown().optional(),
})

/** The kinds whose bodies are not documented: a recipient, a type and, for a template, its name are all that is asked. */
export const sendUndocumented =
  (row: string, kind?: MessageTemplate['kind']) => (call: HandlerCall<ChatState>) => {
    const { to, templateName = '', contact } = parseOrRefuse(undocumentedMessage, call.body)
    if (kind) templateOf(call.state, templateName, kind)
    return sendTemplate(call, row, to, contact)
  }

function templateOf(state: ChatState, name: string, kind: MessageTemplate['kind']): MessageTemplate {
  const usable = state.templates.filter((one) => one.kind === kind && one.approved)
  const template = usable.find((one) => one.name === name)
  const names = usable.map((one) => one.name).join(', ')
  return template ?? notFound(`${kind} template ${name} (approved are: ${names})`)
}

function sendTemplate(
  call: HandlerCall<ChatState>,
  row: string,
  to: number,
  contact: unknown,
): HandlerResult {
  const upsert =
    contact === undefined ? undefined : prepareUpsert(call.state, to, detailsOf(contact), call.now)
  upsert?.()
  return { body: { status: 'success', message: 'Message sent', data: recordMessage(call, row, to) } }
}

/** The contact's form is not documented: an object, JSON text of one, or plain text, which is then the name. */
function detailsOf(contact: unknown): unknown {
  if (typeof contact !== 'string') return contact
  const parsed = jsonOf(contact)
  return typeof parsed === 'object' && parsed !== null ? parsed : { name: contact }
}

/** The platform puts its brand into two wire names; this one is invented. */
function recordMessage({ state, body, now }: HandlerCall<ChatState>, row: string, to: number) {
  const serial = state.serial++
  const id = `msg.${hexId('message', serial)}`
  const chatId = hexId(`chat-${to}`, 0)
  state.messages.push({ id, chatId, row, to: String(to), body, sentAt: isoOf(now) })
  return {
    to: String(to),
    chatId,
    acmechatResponse: {
      messaging_product: 'acmechat',
      contacts: [{ input: String(to), acmechat_id: String(to) }],
      messages: [{ id, message_status: 'accepted' }],
      status: 200,
    },
  }
}
