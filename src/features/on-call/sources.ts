import { z } from 'zod'
import type { OutsideGroups } from '../../kernel/policy/outside-groups.ts'

/** A page of an answer: the addresses of those who are on duty, and whether there is another page. */
export type DutyPage = { addresses: (string | null | undefined)[]; isMore?: boolean | undefined }

/** Who keeps schedules: where and how they are asked, and how people are read from the answer. */
export type DutySource = OutsideGroups & {
  /** The variable that names another address of the API. */
  readonly url: string
  readonly base: string
  readonly headers: (token: string) => Readonly<Record<string, string>>
  /** What a page of a schedule is at, by its number from 0 on. */
  readonly at: (schedule: string, page: number) => string
  readonly read: (schedule: string) => z.ZodType<DutyPage>
}

const schedulePhrase = 'the id of a schedule, without spaces'
const id = z.string(schedulePhrase).regex(/^[^\s/?#]{1,100}$/, schedulePhrase)
const namePhrase = 'the id or the name of a schedule'
const idOrName = z
  .string(namePhrase)
  .trim()
  .regex(/^[^/?#]{1,100}$/, namePhrase)
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Of those on duty a page lists at most so many. */
export const pageSize = 100

const known = <const S extends readonly DutySource[]>(...sources: S): S => sources

export const dutySources = known(
  {
    ...{ name: 'pagerduty', title: 'PagerDuty', plural: 'schedules', id, token: 'PAGERDUTY_TOKEN' },
    ...{ url: 'PAGERDUTY_API_URL', base: 'https://api.pagerduty.com' },
    headers: (token) => ({
      authorization: `Token token=${token}`,
      accept: 'application/vnd.pagerduty+json;version=2',
    }),
    at: (schedule, page) =>
      `/oncalls?${new URLSearchParams([
        ['schedule_ids[]', schedule],
        ['include[]', 'users'],
        ['limit', String(pageSize)],
        ['offset', String(page * pageSize)],
      ])}`,
    // Whoever is on duty without a schedule, or in another one, is not who was asked for.
    read: (schedule) =>
      z
        .object({
          oncalls: z.array(
            z.object({
              user: z.object({ email: z.string().nullish() }),
              schedule: z.object({ id: z.string() }).nullish(),
            }),
          ),
          more: z.boolean().nullish(),
        })
        .transform(({ oncalls, more }) => ({
          addresses: oncalls.filter((one) => one.schedule?.id === schedule).map(({ user }) => user.email),
          isMore: more === true,
        })),
  },
  {
    ...{ name: 'opsgenie', title: 'Opsgenie', plural: 'schedules', id: idOrName, token: 'OPSGENIE_API_KEY' },
    ...{ url: 'OPSGENIE_API_URL', base: 'https://api.opsgenie.com' },
    headers: (token) => ({ authorization: `GenieKey ${token}`, accept: 'application/json' }),
    at: (schedule) =>
      `/v2/schedules/${encodeURIComponent(schedule)}/on-calls?flat=true&scheduleIdentifierType=${uuid.test(schedule) ? 'id' : 'name'}`,
    // The names of users are their addresses there.
    read: () =>
      z
        .object({ data: z.object({ onCallRecipients: z.array(z.string()) }) })
        .transform(({ data }) => ({ addresses: data.onCallRecipients })),
  },
  {
    ...{ name: 'rootly', title: 'Rootly', plural: 'schedules', id, token: 'ROOTLY_TOKEN' },
    ...{ url: 'ROOTLY_API_URL', base: 'https://api.rootly.com' },
    headers: (token) => ({
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.api+json',
      'content-type': 'application/vnd.api+json',
    }),
    at: (schedule) =>
      `/v1/oncalls?${new URLSearchParams([
        ['filter[schedule_ids]', schedule],
        ['include', 'user'],
      ])}`,
    read: (schedule) =>
      z
        .object({
          data: z.array(
            z.object({
              attributes: z.object({
                user_id: z.union([z.string(), z.number()]).transform(String),
                schedule_id: z.string().nullish(),
              }),
            }),
          ),
          included: z
            .array(
              z.object({
                type: z.string(),
                id: z.union([z.string(), z.number()]).transform(String),
                attributes: z.object({ email: z.string().nullish() }),
              }),
            )
            .default([]),
        })
        .transform(({ data, included }) => {
          const users = new Map(
            included
              .filter(({ type }) => type === 'users')
              .map((one) => [one.id, one.attributes.email] as const),
          )
          return {
            addresses: data
              .filter(({ attributes: { schedule_id: of } }) => (of ?? schedule) === schedule)
              .map(({ attributes }) => users.get(attributes.user_id)),
          }
        }),
  },
)
