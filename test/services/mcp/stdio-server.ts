import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createScript } from './scripted.ts'

// The scripted server as a process: HEARD names the file in which it writes down what was called.
const { answer } = createScript(
  (call) => appendFileSync(process.env.HEARD ?? '', `${call}\n`),
  () => ({ ...process.env, token: process.env.SCRIPTED_KEY }),
)

for await (const line of createInterface({ input: process.stdin })) {
  const { said, after } = answer(JSON.parse(line))
  for (const message of said) process.stdout.write(`${JSON.stringify(message)}\n`)
  if (after === 'cut') process.exit(7)
}
