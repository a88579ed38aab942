import { z } from 'zod'
import { linksSaidBy } from '../../../lib/services/links-in.ts'
import { isRecord } from '../../../lib/services/read-answer.ts'
import type { Database } from '../../../lib/sql/database.ts'
import { pairOf } from '../../../lib/things/link.ts'
import { createLinks } from '../links.ts'

const docRow = z.object({ id: z.string(), doc: z.string() })
const itemsRow = z.object({ n: z.number(), items: z.string() })
const page = 200

/** What people wrote into fields of the email service before that was remembered: their stored plans still say it. */
export const fieldsWritten = async (db: Database): Promise<void> => {
  for (let after = ''; ; ) {
    const found = await db.all(
      docRow,
      `SELECT id, doc FROM changes WHERE id > $1 AND state IN ('applying', 'applied', 'unknown', 'held', 'accepted', 'not_applied', 'failed')
       ORDER BY id LIMIT ${page}`,
      [after],
    )
    for (const { doc } of found) await rememberOf(db, JSON.parse(doc))
    const last = found.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

const rememberOf = async (db: Database, change: Record<string, unknown>): Promise<void> => {
  if (change.area !== 'email' || !isRecord(change.requester)) return
  const { name, person } = change.requester
  const at = Number(change.updatedAt)
  const by = String(name ?? person)
  const links = createLinks(db, () => at)
  const remember = (sent: unknown) => links.write(saidIn(sent), by)
  await remember(change.plan)
  if (!isRecord(change.pinned)) return
  for (let after = -1; ; ) {
    const chunks = await db.all(
      itemsRow,
      `SELECT n, items FROM bulk_chunks WHERE job_id = $1 AND n > $2 ORDER BY n LIMIT ${page}`,
      [String(change.pinned.set), after],
    )
    for (const { items } of chunks) for (const item of JSON.parse(items)) await remember(item)
    const last = chunks.at(-1)
    if (last === undefined) return
    after = last.n
  }
}

/** A plan or an item of one: to whom it is sent, and the body. */
const saidIn = (sent: unknown) => {
  if (!isRecord(sent)) return []
  const { params, email, body } = sent
  const said = linksSaidBy({ service: 'email' }, { params: isRecord(params) ? params : { email }, body })
  return said
    .flatMap(({ subject, values }) => values.map((value) => pairOf(subject, value)))
    .filter((pair) => pair !== undefined)
}
