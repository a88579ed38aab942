import { expect, test } from 'vitest'
import { cardOf, wholeCardOf } from '../../../src/kernel/cards/card.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { blocksOf, factsIn, notesIn } from '../../commands/bot.ts'
import { openTeamBot, teamPolicy } from '../../commands/team-bot.ts'
import { openTestApp, textOf } from '../../harness/app.ts'

const bot = await openTeamBot()

const asked = async (line: string, person = 'fay') => {
  const reply = await bot.say(line, person)
  if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
  const button = reply.view.actions?.find(({ verb }) => verb === 'show_all')?.id
  return { ...reply, button }
}

const shownTo = async (person: string, button = '') => {
  const reply = await bot.press('show_all', button, person)
  if (reply.kind !== 'answer' || reply.file === undefined) throw new Error(JSON.stringify(reply))
  return reply.file
}

test('a card with more recipients than it has room for says so, and the details have every one', async () => {
  const emails = Array.from({ length: 45 }, (_, at) => `p${at}@example.com`)
  const { change, view, button } = await asked(`campaign send cmp_welcome ${emails.join(',')}`)
  expect(factsIn(view)).toMatchObject({ Recipients: '45 addresses' })
  expect(blocksOf(view, 'list')[0]?.items.at(-1)).toMatch(/^and \d+ more$/)
  expect(notesIn(view)).toContain('Not everything is shown')
  const file = await shownTo('finn', button)
  expect(file.name).toBe(`change-${change.id}.txt`)
  const details = await bot.press('show_all', button ?? '', 'finn')
  expect(textOf(details)).toContain(`All of it is in change-${change.id}.txt.`)
  expect(textOf(details)).not.toContain('What is sent')
  const body = JSON.stringify({ campaignId: 'cmp_welcome', emails }, null, 2)
  const sent = `To the email service:\nPOST /campaigns/send-to-individual\n${body}`.replace(/^/gm, '  ')
  expect(file.content).toContain(`\n\nLine\n  ${change.line}\n\nWhat is sent\n${sent}\n`)
  for (const email of emails) expect(file.content).toContain(`- ${email}\n`)
})

test('the details have the whole body of an api call', async () => {
  const name = 'x'.repeat(3_500)
  const { button } = await asked(
    `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"name": "${name}"}'`,
  )
  expect((await shownTo('fay', button)).content).toContain(`"name": "${name}"`)
})

test('the details are for whoever asked or may approve, and are on record', async () => {
  const name = 'x'.repeat(3_500)
  const { change, button } = await asked(
    `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"name": "${name}"}'`,
    'fay',
  )
  expect(await bot.press('show_all', button ?? '', 'sam')).toMatchObject({
    kind: 'refused',
    refusal: { code: 'may_not_approve' },
  })
  await shownTo('finn', button)
  const [rows] = blocksOf(await bot.look('audit find --who finn --all'), 'table')
  expect(rows?.rows[0]).toEqual(expect.arrayContaining(['Finn', 'looked at', change.id]))
})

test('the details are also for whoever votes for somebody who is away', async () => {
  const policy = teamPolicy.replace('approve: ["*"] }', 'approve: ["*"], delegate: true }')
  const { say, press } = await openTestApp({ policy, tasks: false })
  const reply = await say('refund pay_1001 60', 'fay')
  const button = reply.kind === 'change' ? reply.change.id : ''
  expect((await press('show_all', button, 'sam')).kind).toBe('refused')
  const away = await say('away set --until "in 9h" --to sam', 'finn')
  if (away.kind === 'change') await press('confirm', away.change.id, 'finn')
  expect((await press('show_all', button, 'sam')).kind).toBe('answer')
})

test('what is cut nowhere and still fills more than a screen or two is a file too', async () => {
  const { change } = await asked('refund pay_1001 60')
  const withRule = (length: number) => ({ ...change, rule: 'r'.repeat(length) })
  const lengthOf = (one: Change) => textOfView(wholeCardOf(one, Date.now())).length
  const most = 3_000 - lengthOf(withRule(1)) + 1
  const isFile = async (length: number, version: number) => {
    const stored = { ...withRule(length), version }
    expect(cardOf(stored, Date.now()).isCut).toBe(false)
    await bot.store.changes.swap(stored)
    return 'file' in (await bot.press('show_all', change.id, 'fay'))
  }
  expect(await isFile(most, change.version + 1)).toBe(false)
  expect(await isFile(most + 1, change.version + 2)).toBe(true)
})

test('of what is short the details are an answer, without a file', async () => {
  const { view, button, change } = await asked('refund pay_1001 60')
  expect(notesIn(view)).not.toContain('Not everything')
  const reply = await bot.press('show_all', button ?? '', 'fay')
  expect(reply).toMatchObject({ kind: 'answer', isDetails: true })
  expect(reply).not.toHaveProperty('file')
  const words = textOf(reply)
  for (const one of ['Rule', change.rule, change.id, 'POST /transaction/refund/pay_1001'])
    expect(words).toContain(one)
})

test('a field of an api call that is named like a fact of the card does not pass for it', async () => {
  const { view } = await asked(
    `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"amount": 1, "Asked by": true}'`,
  )
  const shown = factsIn({ ...view, blocks: [...view.blocks, ...(view.details ?? [])] })
  expect(shown).toMatchObject({ 'Field "Amount"': '1', 'Field "Asked by"': 'yes' })
  expect(shown).not.toHaveProperty('Amount')
})
