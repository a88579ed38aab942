import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { z } from 'zod'
import type { PlatformKeys } from '../../src/kernel/messenger/definition.ts'
import { loadPolicy } from '../../src/kernel/policy/file/load.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { platforms } from '../harness/platforms.ts'
import { findProgram, type ProgramName, packageOf } from '../harness/programs.ts'

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
const commands = commandsWith().all

const run = (program: string, args: string[], input?: string): string => {
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', input })
  if (error) throw error
  return `${stdout}${stderr}`
}

const written = (name: string, text: string): string => {
  const file = join(newFolder(), name)
  writeFileSync(file, text)
  return file
}

/** The messenger that docs/adding-a-messenger.md adds. */
const acmeChat: PlatformKeys = { name: 'acmechat', title: 'Acme Chat', accounts: { account: z.string() } }

/** What a page says is as good as what its tool says about it: nothing. */
const complaintsAbout: Record<string, (block: Block) => string[]> = {
  'a policy': ({ place, text }) => {
    const loaded = loadPolicy(text, { file: place, commands, platforms: [...platforms, acmeChat] })
    return loaded.ok ? loaded.warnings() : loaded.problems.map(({ message }) => message)
  },
  'rules for Prometheus': ({ text }) => {
    const said = run(program('promtool'), ['check', 'rules', written('rules.yml', text)])
    return /SUCCESS: [1-9]\d* rules found/.test(said) ? [] : [said]
  },
  // It ends with 0 whatever it finds. The folder of the deployment is this one here.
  'a unit of systemd': ({ text }) => {
    const here = text.replaceAll('/opt/bellhop', resolve('.'))
    return [run(program('systemd-analyze'), ['verify', '--man=no', written('bellhop.service', here)])].filter(
      Boolean,
    )
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
    return keys.includes('groups') && !keys.includes('version') ? 'rules for Prometheus' : 'a policy'
  }
  const reader = { ini: 'a unit of systemd', sh: 'lines for a shell', json: 'JSON', ts: 'TypeScript' }[kind]
  if (reader === undefined) throw new Error(`${place}: no tool reads ${kind}. Name one here.`)
  return reader
}

const needs: Partial<Record<string, ProgramName>> = {
  'rules for Prometheus': 'promtool',
  'a unit of systemd': 'systemd-analyze',
}

const program = (name: ProgramName): string => findProgram(name) ?? name

describe('what a page shows is read by its own tool without a complaint', () => {
  const byReader = Map.groupBy(blocks, readerOf)

  test('every kind that has a tool is in some page', () => {
    expect(new Set(byReader.keys())).toEqual(new Set([undefined, ...Object.keys(complaintsAbout)]))
  })

  for (const [reader, own] of byReader) {
    if (reader === undefined) continue
    const needed = needs[reader]
    const isLacking = needed !== undefined && findProgram(needed) === undefined
    const advice = isLacking ? ` (to have it: apt-get install -y ${packageOf[needed]})` : ''
    test.skipIf(isLacking)(`${reader}${advice}`, () => {
      const complaints = own.flatMap((block) =>
        (complaintsAbout[reader]?.(block) ?? []).map((words) => `${block.place}: ${words}`),
      )
      expect(complaints).toEqual([])
    })
  }
})
