import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { decideOperation } from '../../src/cli/pack/decide.ts'
import { readOpenApi } from '../../src/cli/pack/read-openapi.ts'
import { writePack } from '../../src/cli/pack/write-pack.ts'
import type { Pack } from '../../src/cli/packs/surface.ts'
import { newFolder } from '../harness/bot-process.ts'
import { runTool } from '../harness/tool.ts'

const square = 'examples/square/square.openapi.json'

/** Writes a pack of all operations of a document. */
const written = async (file: string, folder: string, name: string) => {
  const document = await readOpenApi(file)
  const operations = document.operations.map(decideOperation)
  return { operations, files: writePack(folder, name, document, operations) }
}

const bellhop = (cwd: string, tool: string, ...args: string[]) => runTool(tool, args, { cwd })

test('the example is what the document of the payment provider gives, and nobody wrote a letter of it', async () => {
  const folder = newFolder()
  const { files } = await written(square, join(folder, 'square'), 'square')
  const own = new Set([...files, 'README.md', 'extract.js', 'square.openapi.json', 'settling.ts'])
  expect(new Set(filesIn('examples/square'))).toEqual(own)
  for (const file of files) {
    const [made, kept] = [join(folder, 'square'), 'examples/square'].map((from) =>
      readFileSync(join(from, file), 'utf8'),
    )
    expect(made, file).toBe(kept)
  }
})

test('whatever writes is sent once, what could be otherwise is marked, and what sounds of money moves it', async () => {
  const { operations } = await readOpenApi(square)
  const decided = operations.map(decideOperation).map(({ id, method, effect, movesMoney, doubts }) => ({
    id,
    isRight: effect === (method === 'GET' ? 'read' : 'once'),
    movesMoney,
    doubts: doubts.length,
  }))
  expect(decided.filter(({ isRight }) => !isRight)).toEqual([])
  expect(decided.filter((one) => one.movesMoney).map(({ id }) => id)).toEqual(['RefundPayment'])
  const marked = decided.filter(({ doubts }) => doubts > 0).map(({ id }) => id)
  expect(marked).toEqual(['SearchCustomers', 'UpdateCustomer', 'DeleteCustomer', 'RefundPayment'])
})

test('the example loads by packs:, answers from its sandbox, and asks somebody else before money moves', async () => {
  const folder = newFolder()
  await bellhop(folder, 'init', '--yes')
  const policy = join(folder, 'bellhop.yml')
  const finance = readFileSync(policy, 'utf8')
  // A copy: what was loaded by `packs:` may import nothing else in this process, and the example has a test beside it.
  cpSync('examples/square', join(folder, 'square'), { recursive: true })
  writeFileSync(policy, `${finance}\npacks: [./square]\n`)
  const listed = await bellhop(folder, 'say', '--as', 'fay-finance', 'square list-payment-refunds')
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('10 USD') })
  expect(listed.err).toContain('is not pinned')
  const line = 'square refund-payment pay_1 12.50 USD --reason "Charged twice"'
  const asked = await bellhop(folder, 'say', '--as', 'fay-finance', line)
  expect(asked).toMatchObject({ code: 3, out: expect.stringContaining('12.50 USD') })
  const [, id = ''] = /approval approve (\w+)/.exec(asked.out) ?? []
  expect(await bellhop(folder, 'say', '--as', 'fay-finance', `approval approve ${id}`)).toMatchObject({
    code: 2,
  })
  const approved = await bellhop(folder, 'say', '--as', 'finn-finance', `approval approve ${id}`)
  expect(approved).toMatchObject({ code: 3, out: expect.stringContaining('Accepted, not settled yet') })
})

/** Names that meet, words of the language, quotes and lines that would end a string or a comment. */
const awkward = `
openapi: 3.1.0
info: { title: "O'Neill \\\\ \\"API\\"\\n*/ process.exit(1)", version: "1" }
servers: [{ url: https://example.com }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
paths:
  /things/{thing-id}:
    parameters: [{ name: thing-id, in: path, required: true, schema: { type: string } }]
    put:
      operationId: delete
      description: "It's 'quoted', and \\\\ more.\\nSecond."
      parameters:
        - { name: version, in: query, schema: { type: integer } }
        - { name: at, in: query, schema: { type: string } }
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [colour, "odd name"]
              properties:
                version: { type: integer }
                colour: { type: string, enum: ["it's red", "blue\\nish"] }
                "odd name": { type: array, items: { type: string } }
                parts: { type: array, items: { type: object } }
                self: { $ref: "#/components/schemas/Node" }
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Node" } } } } }
  /sums:
    post:
      operationId: createSum
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [amount, currency]
              properties:
                amount: { type: integer, description: A sum in cents }
                currency: { type: string }
      responses: { "201": { description: ok } }
`.replace(
  '  securitySchemes:',
  `  schemas: { Node: { type: object, properties: { id: { type: string }, next: { $ref: "#/components/schemas/Node" } } } }
  securitySchemes:`,
)

test('a pack of an awkward document builds, and nothing in the document becomes code', async () => {
  // Inside the project, where bellhop/pack is found.
  const folder = mkdtempSync(resolve('examples/made-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'odd.yaml'), awkward)
  await written(join(folder, 'odd.yaml'), join(folder, 'odd'), 'odd')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('tsconfig.json'),
      compilerOptions: { incremental: false },
      include: ['odd'],
    }),
  )
  execFileSync(resolve('node_modules/.bin/tsc'), ['--singleThreaded', '-p', folder], { encoding: 'utf8' })
  const { pack } = (await import(join(folder, 'odd/index.ts'))) as { pack: Pack }
  expect(pack).toMatchObject({ auth: { header: 'X-Key' }, title: expect.stringMatching(/^O'Neill/) })
  expect(pack.rows.callDelete).toMatchObject({ path: '/things/{thing_id}', effect: 'once' })
  const [change, sum] = pack.commands
  const shape = Object.keys((change as { input: { shape: object } }).input.shape)
  expect(shape).toEqual(['thingId', 'colour', 'oddName', 'version', 'atValue', 'versionToo', 'parts', 'self'])
  const amountOf = (sum as unknown as { amountOf(plan: object): object }).amountOf
  expect(amountOf({ body: { amount: 1250, currency: 'USD' } })).toEqual({ value: 12.5, currency: 'USD' })
})

test.each([
  [['new'], /Say --openapi, --out, --operations too/],
  [['make'], /There is no "make" here/],
  [['new', '--openapi', 'gone.json', '--out', 'some', '--operations', 'all'], /gone\.json cannot be used/],
  [
    ['new', '--openapi', resolve(square), '--out', 'Bad-Name', '--operations', 'all'],
    /one word of small letters/,
  ],
  [
    ['new', '--openapi', resolve(square), '--out', 'some', '--operations', 'Nothing'],
    /has no operation Nothing\. It has: ListCustomers/,
  ],
  [
    ['new', '--openapi', resolve(square), '--out', resolve('examples/square'), '--operations', 'all'],
    /holds index\.ts/,
  ],
])('bellhop pack %j is refused with what to do', async (args, words) => {
  const { code, err } = await bellhop(newFolder(), 'pack', ...args)
  expect(err).toMatch(words)
  expect(code).toBe(2)
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
}
