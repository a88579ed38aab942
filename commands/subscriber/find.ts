import { z } from 'zod'
import { nameOf, type Subscriber, standingOf } from '../../packs/email/subscriber.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { names, pageWords } from '../../src/lib/view/format.ts'
import { asTyped, theirs, theirWord } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { list, note, table, text } from '../../src/lib/view/view.ts'
import { filterParams, isScoreRange, scoreRange, suppressedIn } from './everybody.ts'

export const subscriberFind = defineQuery({
  name: 'subscriber find',
  summary: 'Find subscribers by name, status, tags, segments, lists or lead score',
  area: 'email',
  input: z
    .object({
      search: z.string().optional().describe('Part of an email address, first name or last name'),
      ...filterParams,
      page: z.int().min(1, 'pages start at 1').optional().describe('Page number, from 1'),
      limit: z
        .int()
        .min(1, 'a page has at least 1 subscriber')
        .max(100, 'a page has at most 100 subscribers')
        .optional()
        .describe('Subscribers per page, 1 to 100 (10 if not given)'),
    })
    .refine(isScoreRange, scoreRange),
  positional: ['search'],
  examples: ['subscriber find --tags customer --lead-score-min 70', 'subscriber find lindqvist'],
  uses: ['email.findSubscribers'],
  async run(input, context) {
    const { data } = await context.email.findSubscribers({ query: input })
    const found = data?.subscribers ?? []
    const { currentPage, totalPages, totalItems, hasNextPage, hasPrevPage } = data?.pagination ?? {}
    const page = currentPage ?? input.page ?? 1
    const isCounted = typeof totalItems === 'number'
    return answer(
      {
        title: isCounted ? plural(totalItems, 'subscriber') : 'Subscribers',
        tone: 'plain',
        blocks:
          found.length === 0
            ? nobody(page, totalPages ?? undefined, input.search)
            : [toTable(found, new Set(suppressedIn(data)))],
        ...(isCounted && found.length > 0
          ? { footer: pageWords(page, totalPages ?? page, totalItems, 'subscriber') }
          : {}),
      },
      { pages: { previous: hasPrevPage ?? page > 1, next: hasNextPage ?? page < (totalPages ?? page) } },
    )
  },
})

/** A status says nothing of suppression, so it is named beside it. */
const statusOf = (one: Subscriber, suppressed: ReadonlySet<string>): string => {
  const isSuppressed =
    standingOf({ ...one, status: undefined }) === 'suppressed' ||
    [one.email, one._id].some((key) => key && suppressed.has(key.toLowerCase()))
  return [one.status && theirWord(one.status), isSuppressed ? 'suppressed' : ''].filter(Boolean).join(', ')
}

const toTable = (found: Subscriber[], suppressed: ReadonlySet<string>) =>
  table(
    ['Email', 'Name', 'Status', 'Score#+', 'Tags'],
    found.map((one) => [
      one.email ?? one._id ?? '',
      nameOf(one),
      statusOf(one, suppressed),
      String(one.leadScore ?? ''),
      names(one.tags, ''),
    ]),
    found.map((one) => thing('subscriber', one.email || one._id, { name: nameOf(one) })),
  )

const nobody = (page: number, pages: number | undefined, search = '') => {
  if (pages !== undefined && pages > 0 && page > pages) {
    return [note('plain', `There is nothing on page ${page}: the last one is ${pages}.`)]
  }
  const words = search.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  return [
    note('plain', 'No subscribers match all of these filters.'),
    ...(words.length > 1
      ? [
          text('The service looks for all words within one name or address. Look for one of them:'),
          list(
            words
              .slice(0, 3)
              .map((word) => `subscriber find ${theirs(word) === word ? word : asTyped(word)}`),
          ),
        ]
      : []),
    text('Leave a filter out, or see which names exist:'),
    list(['list segments', 'subscriber stats', 'subscriber find']),
  ]
}
