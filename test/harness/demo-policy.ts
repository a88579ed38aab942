import { readFileSync } from 'node:fs'
import { demoPolicyFile } from '../../src/cli/start/config.ts'

const demoPolicyAsWritten = readFileSync(demoPolicyFile, 'utf8')

/** Most tests are about something else than whose payment it is, and leave that out. */
export const demoPolicy = demoPolicyAsWritten.replaceAll('\n    evidence: required', '')
