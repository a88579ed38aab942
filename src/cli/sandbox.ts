import { parseArgs } from 'node:util'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'

const usage = 'usage: npm run sandbox [-- --port 4010]'

try {
  const sandbox = await startSandbox({
    port: portOf(process.argv.slice(2)),
    log: (line) => console.error(line),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => sandbox.close())
  console.log(introductionOf(sandbox))
} catch (error) {
  const sentence = sentenceOf(error as NodeJS.ErrnoException)
  if (!sentence) throw error
  console.error(sentence)
  process.exitCode = 1
}

function portOf(args: string[]): number {
  const { values } = parseArgs({ args, options: { port: { type: 'string', default: '4010' } } })
  return Number(values.port)
}

function introductionOf({ email, chat, billing }: Sandbox): string {
  return [
    'The sandbox is running. Nothing here is real; Ctrl-C stops it.',
    '',
    `export EMAIL_BASE_URL=${email.baseUrl}`,
    `export EMAIL_API_KEY=${email.apiKey}`,
    `export CHAT_BASE_URL=${chat.baseUrl}`,
    `export CHAT_API_KEY=${chat.apiKey}`,
    `export BILLING_BASE_URL=${billing.baseUrl}`,
    `export BILLING_API_KEY=${billing.apiKey}`,
    `export BILLING_SECRET_KEY=${billing.secretKey}`,
    '',
    `curl -H 'Authorization: Bearer ${email.apiKey}' ${email.baseUrl}/subscribers/ada@example.com`,
    `curl -u ${billing.apiKey}:${billing.secretKey} ${billing.baseUrl}/transactions/cus_1001`,
    '',
    `Faults: POST ${new URL(email.baseUrl).origin}/faults; requests so far: GET /wire; start over: POST /reset`,
  ].join('\n')
}

function sentenceOf({ code, message }: NodeJS.ErrnoException): string | undefined {
  if (code === 'EADDRINUSE') return `That port is in use; choose another one (${usage}).`
  if (code === 'EACCES') return `That port may not be opened by this account; choose another one (${usage}).`
  if (code === 'ERR_SOCKET_BAD_PORT') return `A port is a number from 0 to 65535 (${usage}).`
  return code?.startsWith('ERR_PARSE_ARGS') ? `${message} (${usage}).` : undefined
}
