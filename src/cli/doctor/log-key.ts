import { isKey, keysAt, nameOfSource } from '../../kernel/log/signer.ts'
import { type CheckResult, checkFailed, checkPassed } from '../../kernel/messenger/definition.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import type { Config } from '../start/config.ts'
import { fromStore } from './records.ts'

/** Whether the key at hand is the one that the audit log in the database has. Nothing is made for it. */
export const checkLogKey = async ({
  database,
  logKey,
}: Pick<Config, 'database' | 'logKey'>): Promise<CheckResult[]> =>
  fromStore(database, async (store) => {
    const { key } = await store.auditTree.state()
    const place = nameOfSource(logKey)
    if (key === '')
      return [checkPassed('audit log', `has no key yet; the first start gives it the one in ${place}.`)]
    return [
      keysAt(logKey).some((one) => isKey(one, key))
        ? checkPassed('audit log', `its key is in ${place}.`)
        : checkFailed(
            'audit log',
            `it is signed by ${key}, and that key is not in ${place}: a start would be refused. Give it that key, or see ${toolLine('audit', 'rotate --help')}.`,
          ),
    ]
  })
