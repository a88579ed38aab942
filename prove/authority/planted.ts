import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A fault as somebody tired would make it, and the test of its kind that must notice. */
export type Planted = {
  kind: string
  fault: string
  file: string
  from: string
  to: string
  test: string
  named: string
}

const kinds = {
  rights: 'a right comes from the policy in force and from nowhere else',
  whole: 'what proves is complete',
  words: 'words from outside are data',
  links: 'a contradiction is looked for in both directions',
  leaves: 'what must not leave is left out by field',
  needed: 'nobody uses up what all need',
} as const

const of = (kind: keyof typeof kinds, test: string, named: string) => (fault: string, file: string) => ({
  plant: (from: string, to: string): Planted => ({ kind: kinds[kind], fault, file, from, to, test, named }),
})

const ended = of('rights', 'test/features/grants/ends.test.ts', 'while a request waits counts no more')
const counted = of('rights', 'test/features/grants/grants.test.ts', 'of forty requests at once')
const uncovered = of('rights', 'test/features/grants/grants.test.ts', 'is covered by any grant')
const beyond = of('rights', 'test/features/grants/grants.test.ts', 'approved by people alone')
const restores = of('rights', 'test/backup/returns.test.ts', 'gives no right back')
const sealedPacks = of('rights', 'test/start/sealed.test.ts', 'may not come into force runs no pack')
const drafts = of('rights', 'test/start/sealed.test.ts', 'signed and withdrawn never comes into force')
const variables = of('rights', 'test/policy/file/variables.test.ts', '')
const parts = of('whole', 'test/features/receipts/stand-alone.test.ts', 'in which any file is another')
const pins = of('whole', 'test/packs/load.test.ts', 'has a pin that covers the code that runs')
const views = of('words', 'test/view/outside.test.ts', 'somebody wrote into a field of a service')
const typed = of('words', 'test/view/outside.test.ts', 'somebody types into a parameter of any command')
const directions = of('links', 'test/pipeline/said-links.test.ts', 'in either direction')
const ways = of('links', 'test/model/contradictions.test.ts', 'money never goes from two of one kind')
const strangers = of('links', 'test/pipeline/said-links.test.ts', 'is their word, unless the file says')
const fields = of('leaves', 'test/features/stream/left-out.test.ts', 'holds no field of any command')
const addresses = of('leaves', 'test/features/stream/left-out.test.ts', 'shows people no key')
const places = of('needed', 'test/mcp/tasks.test.ts', 'places altogether')
const signIns = of('needed', 'test/pipeline/passkeys.test.ts', 'however often strangers ask')
const texts = of('needed', 'test/model/bounded-yaml.test.ts', 'is refused in words')

/** What the histories cannot show, as nobody decides there: the faults of the first kind are theirs. */
export const planted: readonly Planted[] = [
  restores('a restore keeps who stands in for whom', 'src/cli/backup/returns.ts').plant(
    "sql: 'DELETE FROM absences'",
    "sql: 'DELETE FROM absences WHERE ends_at < 0'",
  ),
  ended('a yes in advance counts after its grant has ended', 'src/kernel/law/advance.ts').plant(
    "if (grant?.advance?.giver !== personNow(policy, by)) return 'their approval in advance has ended'",
    'if (grant?.advance?.giver !== personNow(policy, by)) return undefined',
  ),
  counted('one more than was approved in advance passes', 'src/features/grants/left.ts').plant(
    'uses.length < times',
    'uses.length <= times',
  ),
  uncovered('a grant covers whatever its rule names', 'src/features/grants/section.ts').plant(
    "!uncovered.includes(command.split(' ')[0] ?? '')",
    "command !== ''",
  ),
  beyond('a yes in advance reaches past budgets and repetitions', 'src/kernel/policy/evaluate.ts').plant(
    "...(over.length > 0 ? ['past a budget'] : []),",
    '',
  ),
  sealedPacks('packs are those of the file, sealed or not', 'src/cli/start/sealed-start.ts').plant(
    'return sealing.ok ? text : sealing.stays',
    'return text',
  ),
  drafts('a signed text fits any place in the order', 'src/kernel/policy/file/seal.ts').plant(
    'if (said === digest) return undefined',
    'if (said !== undefined) return undefined',
  ),
  variables(
    'only whole names of variables count as the bot’s own',
    'src/kernel/policy/file/variables.ts',
  ).plant('families.some((family) => bare.startsWith(family))', 'families.includes(bare)'),
  parts('what was taken out is not missed', 'verify.mjs').plant(
    '!seen.has(name.toLowerCase()))',
    'name === listName)',
  ),
  parts('what is beside the parts is passed over', 'verify.mjs').plant(
    'if (!listed.has(name)) return no(',
    'if (!listed.has(name)) continue; else if (false) return no(',
  ),
  pins('packages that a pack depends on are in no pin', 'src/cli/packs/code.ts').plant(
    '[...own, ...packages.toSorted()]',
    'own',
  ),
  pins('code of a pack imports what it likes', 'src/cli/packs/code.ts').plant(
    "if (packs.length === 0 || found.url.startsWith('node:')) return found",
    'return found',
  ),
  views('facts of a card are drawn as they come', 'src/lib/view/drawable.ts').plant(
    'value: visibleWords(value)',
    'value',
  ),
  typed('what was typed is told back as it came', 'src/lib/view/outside.ts').plant(
    '.replace(closing, "\'")}"`',
    '}"`',
  ),
  typed('a mark of theirs closes ours', 'src/lib/view/outside.ts').plant(
    'most).replace(closing, "\'")}”`',
    'most)}”`',
  ),
  directions('links are followed without looking back', 'src/kernel/model/known-person.ts').plant(
    'onlyAgreeing ? await withoutContradicted(found, linksOf, start.kind) : found',
    'found',
  ),
  ways('who else is led there by way of others is not asked', 'src/kernel/model/known-person.ts').plant(
    'for (let step = 0; frontier.length > 0 && step < maxSteps; step++) {\n    const links = (await',
    'for (let step = 0; frontier.length > 0 && step < 1; step++) {\n    const links = (await',
  ),
  strangers('a field that customers write is taken for seen', 'src/kernel/context/command-context.ts').plant(
    "isWritten ? 'their word' : (links?.trust ?? 'view')",
    "links?.trust ?? 'view'",
  ),
  fields('what leaves has what was asked for', 'src/features/stream/ocsf.ts').plant(
    "    'contradicts',",
    "    'contradicts',\n    'input',\n    'reason',\n    'line',",
  ),
  fields('a webhook tells the line', 'src/features/webhooks/event.ts').plant(
    '      command,\n',
    '      command,\n      line: change.line,\n',
  ),
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is source
  addresses('an address is shown without its query alone', 'src/lib/view/shown-url.ts').plant(
    "`${protocol}//${host}${isShown ? `/${first}` : ''}${hasMore ? '/…' : ''}`",
    '`${protocol}//${host}${pathname}`',
  ),
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is source
  places('one caller may hold every place', 'adapters/mcp/wait.ts').plant('own >= ofCaller || ', ''),
  signIns('whoever asks to sign in takes up a row', 'src/kernel/actors/passkeys.ts').plant(
    '  toSignIn: async () => {',
    "  toSignIn: async () => {\n    await offer(core, 'sign', randomBytes(16), null, {})",
  ),
  texts('aliases are not counted', 'src/lib/codecs/bounded-yaml.ts').plant(
    '++aliases > most.aliases',
    'false',
  ),
]

/** Whether the test fails with the fault in the source as every process of it reads it. */
export const isNoticed = async (one: Planted): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-planted-'))
  const report = join(folder, 'report.json')
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$)/.test(name))
  try {
    const child = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        ...['run', one.test, '-t', one.named, '--project', 'all', '--maxWorkers', '1'],
        ...['--reporter', 'json', '--outputFile', report],
      ],
      {
        stdio: 'ignore',
        env: {
          ...Object.fromEntries(own),
          NODE_OPTIONS: `--import ${new URL('./plant.ts', import.meta.url).href}`,
          PLANTED: JSON.stringify({ ...one, file: new URL(`../../${one.file}`, import.meta.url).href }),
        },
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
      },
    )
    await new Promise((resolve) => child.on('close', resolve))
    const { numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as { numFailedTests: number }
    return numFailedTests > 0
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
