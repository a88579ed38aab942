import { run } from './tools.ts'

export type Answer = { status: number; server: string; body: string }

/** Hosts with an address each on a network that nothing outside can see. */
export type Network = {
  /** The file that makes a process part of the host's network. */
  spaceOf(host: string): string
  /** For /etc/hosts. */
  hosts: string
  /** The command line that runs another one on that host's network. */
  on(host: string, ...command: string[]): [string, ...string[]]
  /** Asks as somebody from outside the containers, so many times in a row. */
  ask(url: string, times?: number): Promise<Answer[]>
  close(): Promise<void>
}

const request = `const [, url, times] = process.argv
  const answers = []
  for (let time = 0; time < times; time++) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) })
    const { status, headers } = answer
    answers.push({ status, server: headers.get('server') ?? '', body: await answer.text() })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  console.log(JSON.stringify(answers))`

export const openNetwork = async (names: string[]): Promise<Network> => {
  const outside = 'outside'
  const nameOf = (host: string) => `bellhop-${process.pid}-${host}`
  const addressOf = (host: string) => `10.0.0.${2 + names.indexOf(host)}`
  const ip = (host: string, ...args: string[]) => run('ip', '-netns', nameOf(host), ...args)
  const on = (host: string, ...command: string[]): [string, ...string[]] => [
    'ip',
    ...['netns', 'exec', nameOf(host), ...command],
  ]
  const hosts = names.map((name) => `${addressOf(name)} ${name}\n`).join('')
  const close = async () => {
    for (const host of [outside, ...names]) await run('ip', 'netns', 'delete', nameOf(host)).catch(() => {})
  }
  try {
    await run('ip', 'netns', 'add', nameOf(outside))
    await ip(outside, 'link', 'add', 'bridge', 'type', 'bridge')
    await ip(outside, 'address', 'add', '10.0.0.1/24', 'dev', 'bridge')
    await ip(outside, 'link', 'set', 'bridge', 'up')
    for (const name of names) {
      const port = `port${names.indexOf(name)}`
      await run('ip', 'netns', 'add', nameOf(name))
      const peer = ['peer', 'name', 'eth0', 'netns', nameOf(name)]
      await ip(outside, 'link', 'add', port, 'type', 'veth', ...peer)
      await ip(outside, 'link', 'set', port, 'master', 'bridge', 'up')
      await ip(name, 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0')
      await ip(name, 'link', 'set', 'eth0', 'up')
      await ip(name, 'link', 'set', 'lo', 'up')
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    spaceOf: (host) => `/run/netns/${nameOf(host)}`,
    hosts: `127.0.0.1 localhost\n${hosts}`,
    on,
    ask: async (url, times = 1) => {
      const { hostname } = new URL(url)
      const script = ['--input-type=module', '-e', request, url.replace(hostname, addressOf(hostname))]
      const [command, ...args] = on(outside, process.execPath, ...script, String(times))
      return JSON.parse(await run(command, ...args))
    },
    close,
  }
}
