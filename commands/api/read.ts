import { answer } from '../../src/kernel/command/answer.ts'
import { type Definition, defineQuery, type QueryCommand } from '../../src/kernel/command/define.ts'
import { defined } from '../../src/lib/defined.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import type { AboutCall } from './about.ts'
import { jsonBlocks, jsonFile } from './json.ts'
import type { Request } from './request.ts'
import { standsForOf } from './stands-for.ts'

/** A reading endpoint: its answer as it came, envelope and all. */
export const readOf = (
  { named, summary, params, query, path }: Request,
  others: readonly Definition[],
  about: AboutCall,
): QueryCommand =>
  defineQuery({
    ...about,
    area: named.service,
    sameAs: standsForOf(named, 'query', others),
    uses: [named.id],
    async run(_, { read }) {
      const { body } = await read(named.id, { params, query })
      const file = jsonFile(named.name, body)
      return answer(
        {
          title: `${named.row.method} ${path}`,
          tone: 'plain',
          blocks: [
            ...(query === undefined ? [] : [facts({ Query: JSON.stringify(query) })]),
            ...jsonBlocks(body),
            ...(file === undefined ? [] : [note('plain', `The complete answer is in ${file.name}.`)]),
          ],
          footer: `${summary}, ${named.service} service`,
        },
        defined({ file }),
      )
    },
  })
