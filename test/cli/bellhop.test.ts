import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completions } from '../../src/cli/bellhop/completion.ts'
import { tools } from '../../src/cli/bellhop/tools.ts'
import { startProcess } from '../harness/bot-process.ts'

const bellhop = async (...args: string[]) => {
  const ran = startProcess({ args: ['bin/bellhop', ...args] })
  const { code } = await ran.ended
  return { code, out: ran.out(), err: ran.err() }
}

test.each([
  [['doctr'], 'There is no bellhop doctr. Did you mean bellhop doctor?'],
  [['whoami'], 'bellhop say "<line>"'],
  [['start', '--port', '1'], "Unknown option '--port'"],
  [['doctor', 'now'], "Unexpected argument 'now'"],
  [['register', '--dry'], "Unknown option '--dry'"],
  [['completion'], 'Say one of bash, zsh, fish'],
  [['completion', 'tcsh'], 'Say one of bash, zsh, fish'],
  [['help', 'nothing'], 'There is no bellhop nothing'],
])('bellhop %j is refused with what to say instead', async (args, words) => {
  const { code, err } = await bellhop(...args)
  expect(err).toContain(words)
  expect(code).toBe(2)
})

test('every tool has a help that begins without starting it, and its words are those of the command', async () => {
  for (const [name, { summary, hasHelp }] of Object.entries(tools)) {
    const { code, out } = await bellhop(name, '--help')
    expect([name, code]).toEqual([name, 0])
    expect(out, name).toContain(hasHelp ? `bellhop ${name}` : summary)
    expect(out, name).not.toContain('npm run')
  }
})

/** Each word of a tool, by both doors: nothing but the help happens, wherever it is asked for. */
const asked = Object.entries(tools).flatMap(([name, { words = [], flags = {} }]) => {
  const file = name === 'start' ? 'src/main.ts' : `src/cli/${name}.ts`
  const valued = Object.keys(flags).find((flag) => flags[flag])
  const more = valued === undefined || name === 'say' ? [] : [`--${valued}`, 'x']
  const byFile = existsSync(file) ? [['src/cli/run.js', file, ...more, '-h']] : []
  const byWord = words.flatMap((word) => [
    ['bin/bellhop', name, word, '--help'],
    ...(existsSync(file) ? [['src/cli/run.js', file, word, ...more, '--help']] : []),
  ])
  return [...byFile, ...byWord].map((args): [string, string[]] => [name, args])
})
test.each(asked)('%s is told, and not run, for whoever asks for help: %j', async (name, args) => {
  const ran = startProcess({ args })
  const { code } = await ran.ended
  expect([code, ran.err()]).toEqual([0, ''])
  expect(ran.out()).toMatch(new RegExp(`(bellhop|npm run) ${name}|npm start|^bellhop <name>`))
})

/** The flags that a tool reads, by its own words. */
test.each(['init', 'audit', 'policy', 'pack'])('the table has every flag of bellhop %s', async (name) => {
  const { out } = await bellhop(name, '--help')
  const told = new Set([...out.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag))
  expect(Object.keys(tools[name]?.flags ?? {})).toEqual(expect.arrayContaining([...told]))
})

test('bash completes what the table says', () => {
  const complete = (line: string): string[] => {
    const words = line.split(' ')
    const script = `${completions.bash?.()}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _bellhop; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
  }
  expect(complete('bellhop ')).toEqual(Object.keys(tools))
  expect(complete('bellhop po')).toEqual(['policy'])
  expect(complete('bellhop policy re')).toEqual(['replay'])
  expect(complete('bellhop audit --re')).toEqual(['--reason'])
})

test.each(['zsh', 'fish'])('%s is told every tool, word and flag', (shell) => {
  const script = completions[shell]?.() ?? ''
  for (const [name, { words = [], flags = {} }] of Object.entries(tools)) {
    const flagged = Object.keys(flags).map((flag) => (shell === 'fish' ? `-l ${flag}` : `--${flag}`))
    for (const word of [name, ...words, ...flagged]) expect(script).toContain(word)
  }
})

test('every tool that npm runs by its own name is one of the command, but for what developers need', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const forUsers = ['start', 'say', 'agent', 'init', 'policy', 'audit', 'doctor', 'sandbox', 'register']
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(forUsers))
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(forUsers))
})
