import { createHash } from 'node:crypto'
import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Checked } from '../../kernel/feature.ts'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { wallTime } from '../../lib/clock.ts'
import { nearestFolderOf } from '../../lib/private-files.ts'
import { absolute } from '../../lib/view/format.ts'
import { createAuthorityWitness } from './authority.ts'
import { witnessStates } from './outside.ts'
import { anchorOf } from './section.ts'
import { whyAway } from './witness.ts'

/** The witnesses of the audit log: whether each would take a checkpoint, and which has a gap. */
export const checkWitnesses = async ({ policy, messengers, fromStore }: Checked): Promise<CheckResult[]> => {
  const anchor = anchorOf(policy)
  if (anchor === undefined) return [checkPassed('witnesses', 'none. Name some under anchor in bellhop.yml.')]
  return [
    ...(anchor.folder === undefined ? [] : [await checkFolder(anchor.folder)]),
    ...Object.keys(anchor.channels).map((name) =>
      messengers[name] === undefined
        ? checkFailed(
            'witnesses',
            `${name} is named under anchor and is not turned on. Turn it on, or take it out.`,
          )
        : checkPassed('witnesses', `${name}: checkpoints go to its channel.`),
    ),
    ...(anchor.tsa === undefined ? [] : [await checkAuthority(anchor.tsa)]),
    ...(await fromStore(async (store) =>
      (
        await witnessStates(store, anchor, wallTime())
      ).flatMap(({ name, away }) =>
        away === undefined
          ? []
          : [
              checkFailed(
                'witnesses',
                `${name} is away since ${absolute(away.since)}: ${away.why}. It gets the newest checkpoint when it is back.`,
              ),
            ],
      ),
    )),
  ]
}

const checkFolder = async (folder: string): Promise<CheckResult> => {
  try {
    const there = nearestFolderOf(resolve(folder))
    if (!(await stat(there)).isDirectory()) throw new Error('no folder')
    await access(there, constants.W_OK | constants.X_OK)
    return checkPassed('witnesses', `folder: ${folder} can be written to.`)
  } catch {
    return checkFailed(
      'witnesses',
      `folder: ${folder} cannot be written to. Make it a folder that this account may use.`,
    )
  }
}

/** Asks for a stamp on nothing of ours. */
const checkAuthority = async (url: string): Promise<CheckResult> => {
  try {
    await createAuthorityWitness(url).keep({ size: 0, note: createHash('sha256').digest('hex') })
    return checkPassed('witnesses', 'tsa: gives time stamps that can be checked.')
  } catch (error) {
    return checkFailed(
      'witnesses',
      `tsa: ${whyAway(error)}. Look at its address under anchor in bellhop.yml.`,
    )
  }
}
