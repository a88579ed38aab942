import { readFileSync } from 'node:fs'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import { discard } from '../../src/kernel/messenger/spool.ts'
import type { LogSigner } from '../../src/kernel/model/checkpoint.ts'
import { textOf } from './app.ts'

/** The file that an answer brings. */
export const fileOf = async (reply: Reply): Promise<Buffer> => {
  if (reply.kind !== 'answer' || reply.file === undefined) throw new Error(`no file: ${textOf(reply)}`)
  const { path, content } = reply.file
  if (path === undefined) return Buffer.from(content)
  const bytes = readFileSync(path)
  await discard(reply.file)
  return bytes
}

type Proved = { leaf: string; seq: number }[]
type Proof = { key: string; entries: Proved; enrolments?: Proved }

const data = /(<script type="application\/json" id="receipt">\n)(.*)(\n<\/script>)/

/** What a receipt proves. */
export const proofIn = (receipt: string): Proof => JSON.parse(data.exec(receipt)?.[2] ?? '')

/** The page of somebody who has the key of the log, and says something else. */
export const withProof = (receipt: string, proof: Proof, { seal }: Pick<LogSigner, 'seal'>): string => {
  const page = receipt
    .replace(/\n<!-- seal: .*\n$/, '')
    .replace(data, (_, before, __, after) => before + JSON.stringify(proof) + after)
  return `${page}\n<!-- seal: ${seal(page)} -->\n`
}
