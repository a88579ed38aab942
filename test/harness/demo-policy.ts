import { readFileSync } from 'node:fs'
import { demoPolicyFile } from '../../src/config.ts'

export const demoPolicy = readFileSync(demoPolicyFile, 'utf8')
