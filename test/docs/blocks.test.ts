import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { z } from 'zod'
import { pack as resend } from '../../examples/resend/index.ts'
import type { PlatformKeys } from '../../src/kernel/messenger/definition.ts'
import { loadPolicy } from '../../src/kernel/policy/file/load.ts'
import { commandsWith } from '../harness/commands.ts'
import { platforms } from '../harness/platforms.ts'

type Block = { place: string; kind: string; text: string }

/** The fenced blocks of a page, also those inside a list. */
const blocksIn = (file: string): Block[] => {
  const page = readFileSync(file, 'utf8')
  return [...page.matchAll(/^( *)```(\S*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: kind = '', 3: text = '' }) => ({
      place: `${file}:${page.slice(0, index).split('\n').length}`,
      kind,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

const pages = globSync(['*.md', 'docs/**/*.md'])
const blocks = pages.flatMap(blocksIn)
// The pages show policies for a pack that comes as an example.
const commands = commandsWith([resend]).all

const run = (program: string, args: string[], input?: string): string => {
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', input })
  if (error) throw error
  return `${stdout}${stderr}`
}

/** The messenger that docs/adding-a-messenger.md adds. */
const acmeChat: PlatformKeys = { name: 'acmechat', title: 'Acme Chat', accounts: { account: z.string() } }

/** What a page says is as good as what its tool says about it: nothing. */
const complaintsAbout: Record<string, (block: Block) => string[]> = {
  'a policy': ({ place, text }) => {
    const loaded = loadPolicy(text, { file: place, commands, platforms: [...platforms, acmeChat] })
    return loaded.ok ? loaded.warnings() : loaded.problems.map(({ message }) => message)
  },
  'lines for a shell': ({ text }) => [run('bash', ['-n'], text)].filter(Boolean),
  JSON: ({ text }) => (JSON.parse(text) === undefined ? ['nothing'] : []),
  TypeScript: ({ text }) => (stripTypeScriptTypes(text) === '' ? ['nothing'] : []),
}

/** Which tool reads it; undefined for what is only looked at or is applied as a whole in a test of its page. */
const readerOf = ({ place, kind, text }: Block): string | undefined => {
  if (['', 'mermaid', 'diff'].includes(kind)) return undefined
  if (kind === 'yaml') {
    const { errors } = parseDocument(text)
    if (errors.length > 0) throw new Error(`${place}: ${errors[0]?.message}`)
    const keys = Object.keys(parse(text, { merge: true }) as object)
    // A key of a feature from outside is known to a bot that has it: the test of its page starts one.
    if (keys.includes('features')) return undefined
    return 'a policy'
  }
  const reader = { sh: 'lines for a shell', json: 'JSON', ts: 'TypeScript' }[kind]
  if (reader === undefined) throw new Error(`${place}: no tool reads ${kind}. Name one here.`)
  return reader
}

describe('what a page shows is read by its own tool without a complaint', () => {
  const byReader = Map.groupBy(blocks, readerOf)

  test('every kind that has a tool is in some page', () => {
    expect(new Set(byReader.keys())).toEqual(new Set([undefined, ...Object.keys(complaintsAbout)]))
  })

  for (const [reader, own] of byReader) {
    if (reader === undefined) continue
    test(reader, () => {
      const complaints = own.flatMap((block) =>
        (complaintsAbout[reader]?.(block) ?? []).map((words) => `${block.place}: ${words}`),
      )
      expect(complaints).toEqual([])
    })
  }
})
