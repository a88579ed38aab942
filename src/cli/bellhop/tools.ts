/** One thing that the command `bellhop` can do. */
export type Tool = {
  summary: string
  /** What may follow the name, as help shows it. */
  usage?: string
  /** The words of which one comes first. */
  words?: readonly string[]
  /** Its flags, and whether each takes a value. */
  flags?: Readonly<Record<string, boolean>>
  /** It reads its arguments itself; those of the others are checked against this table. */
  isFree?: true
  /** It has a help of its own. */
  hasHelp?: true
}

/**
 * Everything that `bellhop` can do: its help, its dispatch and its completion in shells are made from this. Each is the file of
 * its name in src/cli; `bellhop` alone is `bellhop start`.
 */
export const tools: Readonly<Record<string, Tool>> = {
  start: { summary: 'Run the bot; with nothing set up, the demo, which keeps its data in ./data' },
  say: {
    summary: 'Run one line in the terminal, or open a prompt',
    usage: '[--as <person>] ["<line>"]',
    flags: { as: true },
    isFree: true,
    hasHelp: true,
  },
  doctor: { summary: 'Check everything that a start relies on' },
  init: {
    summary: 'Write a policy file, bellhop.yml, to start from',
    usage: '[--yes] [--file <file>]',
    flags: {
      yes: false,
      file: true,
      requester: true,
      approver: true,
      'second-approver': true,
      small: true,
      daily: true,
      large: true,
      approvals: true,
      'customer-field': true,
      'customers-write': true,
    },
    isFree: true,
    hasHelp: true,
  },
  policy: {
    summary:
      'Explain what the policy asks of a line, test or sign it, replay what happened by another one, or print its schema',
    usage: 'explain | test | replay | sign | seal | schema',
    words: ['explain', 'test', 'replay', 'sign', 'seal', 'schema'],
    flags: { as: true, file: true, since: true, json: false, key: true },
    isFree: true,
    hasHelp: true,
  },
  audit: {
    summary: 'Give the audit log another key, or put a restore on record',
    usage: 'rotate | restored --as <person> --reason "<why>"',
    words: ['rotate', 'restored'],
    flags: { as: true, reason: true, 'without-old-key': false },
    isFree: true,
    hasHelp: true,
  },
  backup: {
    summary: 'Write database, key and policy into one file, while the bot runs',
    usage: '<file> [--recipient <age1...> | --without-key]',
    flags: { recipient: true, 'without-key': false },
    isFree: true,
    hasHelp: true,
  },
  restore: {
    summary: 'Put a backup back into an empty place, frozen; or try that out with --drill',
    usage: '<file> [--identity <file> | --without-key] [--drill]',
    flags: { identity: true, 'without-key': false, drill: false },
    isFree: true,
    hasHelp: true,
  },
  migrate: {
    summary: 'Bring the database to a version: forward, or from the newest one back',
    usage: '[--to <version>]',
    flags: { to: true },
    isFree: true,
    hasHelp: true,
  },
  register: {
    summary: 'Register the commands in Discord, if they differ',
    usage: '[--dry-run]',
    flags: { 'dry-run': false },
  },
  agent: {
    summary: 'Ask the running bot as an agent; without a line, list what it may ask',
    usage: '["<line>"]',
    isFree: true,
  },
  sandbox: {
    summary: 'Run the made-up services alone',
    usage: '[--port <number>]',
    flags: { port: true },
  },
  packs: {
    summary: 'Pin the packs that bellhop.yml names, as they are now',
    usage: 'pin',
    words: ['pin'],
  },
  pack: {
    summary:
      'Write a pack for another service from its OpenAPI description, or from what its MCP server says',
    usage:
      'new (--openapi <file> --operations <id,id|all> | --mcp <url | command> --tools <name,name|all>) --out <folder>',
    words: ['new'],
    flags: {
      openapi: true,
      mcp: true,
      out: true,
      operations: true,
      tools: true,
      'token-as': true,
      record: false,
    },
    isFree: true,
    hasHelp: true,
  },
  version: { summary: 'Say which version this is' },
  completion: {
    summary: 'Print what lets a shell complete these words: eval "$(bellhop completion bash)"',
    usage: 'bash | zsh | fish',
    words: ['bash', 'zsh', 'fish'],
  },
  help: { summary: 'Show this, or what one of these takes', usage: '[<name>]' },
}

export const toolNamed = (name: string): Tool | undefined =>
  Object.hasOwn(tools, name) ? tools[name] : undefined

export const toolUsageOf = (name: string, { usage }: Tool): string =>
  usage === undefined ? `bellhop ${name}` : `bellhop ${name} ${usage}`
