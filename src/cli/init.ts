import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { messengers } from '../../adapters/index.ts'
import { hasAccounts } from '../kernel/policy/file/values.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { exitCodes } from './exit-codes.ts'
import { type InitAnswers, type NamedPerson, policyTextOf } from './init/policy-text.ts'
import { schemaText } from './policy/schema.ts'
import { ConfigError, loadFile } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadCommands } from './start/load-commands.ts'

const named = messengers.filter(hasAccounts).map(({ name }) => name)
const example = named.map((name) => `${name}=<id>`).join(' ')

/** What is asked, in this order; each is a flag of the same name. */
const questions = {
  requester: { words: 'Who asks for refunds and other changes?', usual: 'Sam Support' },
  approver: { words: 'Who approves them?', usual: 'Fay Finance' },
  'second-approver': { words: 'And who else?', usual: 'Finn Finance' },
  small: { words: 'Up to which sum may they refund without anybody else?', usual: '50' },
  daily: { words: 'How much may one person refund in a day before two people must look?', usual: '200' },
  large: { words: 'Above which sum must two people approve a refund?', usual: '500' },
  approvals: { words: `In which channel do people see what waits for them (${example})?`, usual: '' },
  'customer-field': {
    words: 'Which custom field of subscribers holds the id of the billing customer?',
    usual: 'billing_id',
  },
  'customers-write': {
    words: 'Can customers write that field themselves, as in a form (yes or no)?',
    usual: 'yes',
  },
} as const
type Key = keyof typeof questions
const keys = Object.keys(questions) as Key[]

const usage = `${toolLine('init', '[--yes]')} [--file bellhop.yml] ${keys.map((key) => `[--${key} ...]`).join(' ')}
People are a name and, if known, their accounts: --requester "Sam Okafor ${example}"`

try {
  await init()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

/** `npm run init`: writes a policy file that starts, and never over one that is there. */
async function init(): Promise<void> {
  const { file: given, yes, help, ...flags } = flagsIn(process.argv.slice(2))
  if (help) return console.log(usage)
  const file = given ?? ownEnvironment().BELLHOP_CONFIG ?? './bellhop.yml'
  if (existsSync(file)) throw new ConfigError([isThere(file)])
  const isAsked = !yes && Object.keys(flags).length === 0
  const text = policyTextOf(answersOf(isAsked ? await ask() : flags))
  const loaded = loadFile(text, { file, commands: (await loadCommands(messengers)).all, messengers })
  if (!loaded.ok) throw new ConfigError([...loaded.problems, `Nothing was written. Say it as in: ${usage}`])
  const schema = join(dirname(file), 'bellhop.schema.json')
  if (!existsSync(schema)) write(schema, schemaText())
  write(file, `# yaml-language-server: $schema=${basename(schema)}\n${text}`)
  console.log(`Wrote ${file}. Read it: every part says what it is for. Editors complete it by ${schema}.
Then: ${toolLine('policy', 'test')}, ${toolLine('doctor')} and ${toolLine('start')}.`)
}

function flagsIn(
  args: string[],
): { file?: string; yes?: boolean; help?: boolean } & Partial<Record<Key, string>> {
  const text = { type: 'string' } as const
  const options = {
    ...(Object.fromEntries(keys.map((key) => [key, text])) as Record<Key, typeof text>),
    file: text,
    yes: { type: 'boolean', short: 'y' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new ConfigError([`${(error as Error).message}. Say: ${usage}`])
  }
}

async function ask(): Promise<Partial<Record<Key, string>>> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const lines = terminal[Symbol.asyncIterator]()
  const given: Partial<Record<Key, string>> = {}
  console.log(
    `A few questions; Enter takes what is in brackets. Accounts are optional: Sam Okafor ${example}\n`,
  )
  for (const key of keys) {
    const { words, usual } = questions[key]
    process.stdout.write(`${words} [${usual || 'none'}] `)
    const { value, done } = await lines.next()
    // What is safe may be left out by whoever answers from a file.
    if (done && (key === 'customer-field' || key === 'customers-write')) continue
    if (done)
      throw new ConfigError([
        `\nNobody answered, and nothing was written. ${toolLine('init', '--yes')} asks nothing.`,
      ])
    if (value.trim() !== '') given[key] = value.trim()
  }
  terminal.close()
  return given
}

function answersOf(given: Partial<Record<Key, string>>): InitAnswers {
  const said = (key: Key) => given[key] ?? questions[key].usual
  const [small, daily, large] = (['small', 'daily', 'large'] as const).map((key) => sumIn(key, said(key)))
  if (small === undefined || daily === undefined || large === undefined || small >= daily || daily > large) {
    throw new ConfigError([
      `small (${small}) must be below daily (${daily}), and daily not above large (${large}): what is small is confirmed, and a day of it holds no more than one large refund.`,
    ])
  }
  return {
    requester: personIn('requester', said('requester')),
    approver: personIn('approver', said('approver')),
    secondApprover: personIn('second-approver', said('second-approver')),
    channels: accountsIn(said('approvals')).accounts,
    small,
    daily,
    large,
    customerField: said('customer-field'),
    isCustomersWrite: yesIn('customers-write', said('customers-write')),
  }
}

function yesIn(key: Key, written: string): boolean {
  const answer = written.trim().toLowerCase()
  if (answer === 'yes' || answer === 'no') return answer === 'yes'
  throw new ConfigError([`${key}: "${written}" is neither yes nor no. Write one of them.`])
}

function sumIn(key: Key, written: string): number {
  const sum = Number(written)
  if (!/^\d{1,12}$/.test(written.trim()) || sum === 0) {
    throw new ConfigError([
      `${key}: "${written}" is no sum that can be refunded. Write a whole number such as ${questions[key].usual}.`,
    ])
  }
  return sum
}

function personIn(key: Key, written: string): NamedPerson {
  const { name, accounts } = accountsIn(written)
  if (name === '')
    throw new ConfigError([`${key}: "${written}" holds no name. Write it first: Sam Okafor ${example}`])
  return { name, accounts }
}

/** `Sam Okafor slack=U01SAM`: words with a messenger's name before them are accounts there. */
function accountsIn(written: string): NamedPerson {
  const pattern = new RegExp(`^(${named.join('|')})=(.+)$`)
  const words = written.trim().split(/\s+/)
  const found = words.flatMap((word) => {
    const [, platform, id] = pattern.exec(word) ?? []
    return platform === undefined || id === undefined ? [] : [[platform, id]]
  })
  return {
    name: words.filter((word) => !pattern.test(word)).join(' '),
    accounts: Object.fromEntries(found),
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigError([code === 'EEXIST' ? isThere(file) : `${file} cannot be written: ${message}.`])
  }
}

function isThere(file: string): string {
  return `${file} is there already, and nothing is written over it. Move it away, or name another place with --file.`
}
