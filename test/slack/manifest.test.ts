import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { manifestOf, optionalScopes, scopes, throughBellhop } from '../../adapters/slack/manifest.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { commandOfLine } from '../../src/kernel/command/line/parse.ts'
import { createRegistry } from '../../src/kernel/command/registry.ts'
import { commandsWith } from '../harness/commands.ts'
import { functionsSchema } from './fake/workflow.ts'

const url = z.literal('https://YOUR-HOST/slack/events')
const manifest = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.number() }),
  display_information: z.strictObject({
    name: z.string().max(35),
    description: z.string().max(140),
    long_description: z.string().min(175).max(4000),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(false),
    }),
    bot_user: z.strictObject({ display_name: z.string().max(80), always_online: z.boolean() }),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().max(24),
          type: z.enum(['global', 'message']),
          callback_id: z.string().max(255),
          description: z.string().max(150),
        }),
      )
      .max(10),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().min(2).max(32).startsWith('/'),
          url,
          description: z.string().min(1).max(2000),
          usage_hint: z.string().min(1).max(1000),
          should_escape: z.boolean(),
        }),
      )
      .max(50),
    unfurl_domains: z.array(z.string().regex(/^[a-z0-9.-]+\.[a-z]+$/)).max(5),
    rich_previews: z.strictObject({
      is_active: z.literal(true),
      entity_types: z.array(z.literal('slack#/entities/task')),
    }),
  }),
  oauth_config: z.strictObject({
    scopes: z.strictObject({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ request_url: url, bot_events: z.array(z.string()) }),
    interactivity: z.strictObject({
      is_enabled: z.literal(true),
      request_url: url,
      message_menu_options_url: url,
    }),
    org_deploy_enabled: z.literal(true),
    function_runtime: z.literal('remote'),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
  functions: functionsSchema,
})

describe('the manifest', () => {
  const registry = commandsWith()
  const made = manifest.parse(parse(manifestOf(registry)))

  const slashCommands = made.features.slash_commands.map(({ command }) => command.slice(1))

  test('has a slash command for every noun but those that Slack keeps for itself', () => {
    expect([...slashCommands, ...throughBellhop].sort()).toEqual([...registry.nouns].sort())
    expect(slashCommands).not.toContain('away')
  })

  test('refuses a name that Slack keeps for itself', () => {
    for (const name of ['remind', 'status', 'search', 'help', 'dnd']) {
      expect(() => manifestOf(createRegistry([command(name)]))).toThrow(`Slack keeps /${name} for itself`)
    }
  })

  test.each(registry.all.map(({ name }) => [name]))('/bellhop %s is that command', (name) => {
    const found = commandOfLine(registry, `bellhop ${name} and more`)
    expect(found.ok && found.value.command.name).toBe(name)
  })

  test('has a step for every change that is marked as one, with the inputs that the command has', () => {
    const marked = registry.all.filter((one) => one.kind === 'change' && one.workflow === true)
    expect(Object.keys(made.functions).sort()).toEqual(
      marked.map(({ name }) => name.replaceAll(' ', '_')).sort(),
    )
    expect(made.functions.refund?.input_parameters.payment_id).toMatchObject({
      type: 'string',
      is_required: true,
    })
    for (const { name, params } of marked) {
      const { input_parameters = {} } = made.functions[name.replaceAll(' ', '_')] ?? {}
      const taken = params.filter(({ type }) => type !== 'file').map((one) => one.flag.replaceAll('-', '_'))
      expect(Object.keys(input_parameters)).toEqual(taken)
    }
    expect(made.settings.event_subscriptions.bot_events).toContain('function_executed')
  })

  test('hears that it was uninstalled or its token revoked', () => {
    const events = made.settings.event_subscriptions.bot_events
    expect(events).toEqual(expect.arrayContaining(['app_uninstalled', 'tokens_revoked']))
  })

  test('is counted right in docs/slack.md', () => {
    const docs = readFileSync('docs/slack.md', 'utf8')
    const places = Object.values(made.settings)
      .flatMap((setting) => (typeof setting === 'object' ? Object.values(setting) : []))
      .filter((value) => value === 'https://YOUR-HOST/slack/events')
    const [, urls, commands] = /\((\d+) settings and (\d+) slash commands\)/.exec(docs) ?? []
    expect([Number(urls), Number(commands)]).toEqual([places.length, slashCommands.length])
    for (const name of throughBellhop) expect(docs).toContain(`\`/bellhop ${name} `)
  })

  test('asks for the scopes that docs/slack.md explains, and no others', () => {
    const docs = readFileSync('docs/slack.md', 'utf8')
    const explained = [...docs.matchAll(/^\| `([a-z_:]+)` \|/gm)].map(([, scope]) => scope)
    expect(explained.sort()).toEqual(Object.keys({ ...scopes, ...optionalScopes }).sort())
    expect(made.oauth_config.scopes.bot).toEqual(Object.keys(scopes))
    expect(made.oauth_config.scopes.bot_optional).toEqual(Object.keys(optionalScopes))
  })

  test('refuses at the start what Slack would refuse', () => {
    const many = Array.from({ length: 51 }, (_, at) =>
      command(
        `noun${'abcdefghijklmnopqrstuvwxyz'[Math.floor(at / 26)]}${'abcdefghijklmnopqrstuvwxyz'[at % 26]}`,
      ),
    )
    expect(() => manifestOf(createRegistry(many))).toThrow('Slack takes at most 50 slash commands')
  })
})

const command = (name: string) =>
  defineQuery({
    name,
    area: 'bellhop',
    summary: 'Made up for this test',
    input: z.object({}),
    examples: [name],
    uses: [],
    run: () => Promise.reject(new Error('never')),
  })
