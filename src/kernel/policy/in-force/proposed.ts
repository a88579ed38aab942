import { textDigestOf } from '../../../lib/codecs/canonical-json.ts'
import type { PolicyVersion } from '../../store/policies.ts'
import type { Store } from '../../store/store.ts'
import { differencesOf } from '../file/differences.ts'

const prefix = 'proposal '

/** In the place of the name of a file, where a version came into force from the store. */
export const proposalSource = (id: string): string => `${prefix}${id}`

const isProposed = ({ source }: PolicyVersion): boolean => source.startsWith(prefix)

type WithPolicies = { policies: Pick<Store['policies'], 'newest' | 'list' | 'text'> }

const maxTold = 8

/**
 * How a file differs from the version in force where that is one that people approved as a proposal. `isBehind` if the file
 * is as it was before: then that version stays in force. One that was edited since is newer, and takes its place.
 */
export const besideProposed = async (
  { policies }: WithPolicies,
  text: string,
): Promise<
  { version: PolicyVersion; text: string; isBehind: boolean; differences: string[] } | undefined
> => {
  const digest = textDigestOf(text)
  const newest = await policies.newest()
  if (newest === undefined || !isProposed(newest) || newest.digest === digest) return undefined
  const inForce = await policies.text(newest.digest)
  if (inForce === undefined) return undefined
  let isBehind = false
  for (let skip = 1; ; skip += page) {
    const before = await policies.list({ skip, limit: page })
    const end = before.findIndex((one) => !isProposed(one))
    const since = end === -1 ? before : before.slice(0, end + 1)
    isBehind = since.some((one) => one.digest === digest)
    if (isBehind || end !== -1 || before.length < page) break
  }
  const all = differencesOf(text, inForce)
  const differences =
    all.length > maxTold ? [...all.slice(0, maxTold), `And ${all.length - maxTold} more.`] : all
  return { version: newest, text: inForce, isBehind, differences }
}

const page = 50

/** The version that stays in force though the file says less, and why. */
export const newerThanFile = async (
  store: WithPolicies,
  text: string,
): Promise<{ text: string; why: string } | undefined> => {
  const beside = await besideProposed(store, text)
  return beside?.isBehind === true ? { text: beside.text, why: besideWords(beside) } : undefined
}

/** Which of the two is newer, and how they differ. */
export const besideWords = ({
  version: { n, source, name },
  isBehind,
  differences,
}: Pick<
  NonNullable<Awaited<ReturnType<typeof besideProposed>>>,
  'version' | 'isBehind' | 'differences'
>): string => {
  const lacks =
    differences.length === 0 ? 'Only comments differ.' : `The file lacks: ${differences.join(' ')}`
  const which = `version ${n}, which is in force by ${source} of ${name}`
  return isBehind
    ? `The policy file is older than ${which}, and that stays in force. ${lacks} policy patch gives what to write into it.`
    : `The policy file was changed, so it is newer than ${which}: a start takes the file in. ${lacks} If that is still wanted, write it into the file first: policy patch gives it.`
}
