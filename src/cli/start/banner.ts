import { styleText } from 'node:util'
import type { Service } from '../../lib/services/endpoints/row.ts'
import { allServices } from '../../lib/services/endpoints/tables.ts'
import { placeWords } from '../../lib/services/mcp/place.ts'
import { serversIn } from '../../lib/sql/address.ts'
import { type Config, demoPolicyName } from './config.ts'
import { version } from './runtime.ts'

/** What is on, what is off and the variable that turns it on, in plain words. */
export const bannerOf = (
  config: Config,
  base: string,
  messengers: readonly {
    title: string
    state: string | undefined
    turnOn: string
    address?: string | undefined
  }[],
): string => {
  const service = ({ name, title, environment, mcp }: Service): [string, string] => {
    const one = config.services[name]
    return [
      title,
      typeof one === 'object'
        ? mcp === undefined
          ? new URL(one.baseUrl).origin
          : placeWords(one.baseUrl)
        : `SANDBOX, made-up data   (${environment.baseUrl} turns the real one on)`,
    ]
  }
  const rows: [string, string][] = [
    ...allServices().map(service),
    ...messengers.map(({ title, state, turnOn, address }): [string, string] => [
      title,
      address ?? state ?? `off   (${turnOn})`,
    ]),
    [
      'Database',
      config.database.url === undefined
        ? `embedded, in ${config.database.dataDir}   (DATABASE_URL for PostgreSQL)`
        : `PostgreSQL at ${serversIn(config.database.url)}`,
    ],
    [
      'Policy',
      config.policySource.from === demoPolicyName
        ? 'the demo policy   (bellhop.yml, or BELLHOP_CONFIG)'
        : config.policySource.from,
    ],
    ['Server', base],
  ]
  const title = `Bellhop ${version}${config.demo ? ', demo' : ''}`
  const lines = rows.map(([label, value]) => `  ${label.padEnd(10)} ${value}`)
  const page = messengers.find(({ address }) => address !== undefined)?.address
  const next =
    page === undefined
      ? 'Stop with Ctrl-C.'
      : `Open ${styleText('bold', page)} and try: refund pay_1001 120 --customer cus_1001.\nActing as somebody is for trying out: outside the demo people sign in, each as themselves.\nStop with Ctrl-C.`
  return `\n${styleText('bold', title)}\n\n${lines.join('\n')}\n\n${next}\n\n`
}
