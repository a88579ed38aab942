/**
 * Makes open requests in every state, in the tree that it is copied into: `make.ts` runs it in trees of earlier commits. It uses
 * nothing but what the harness of the pipeline has had since then, and leaves out what a tree cannot do yet.
 */
import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { openHarness } from '../pipeline/harness.ts'

const folder = process.env.OPEN_REQUESTS ?? ''
const madeAt = Date.parse('2026-11-19T10:00:00Z')
const site = 'https://bellhop.example.com'

export const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
approvals: { slack: C0APPROVALS }
policies:
  - { name: held, commands: [refund], amount: { upTo: 10 }, require: { approvals: 1, from: [finance] }, hold: 1h }
SIGNED
  - { name: two, commands: ["*"], require: { approvals: 2, from: [finance] } }
`
const signed =
  '  - { name: keys, commands: [bellhop passkey], require: { approvals: 1, from: [finance] } }\n  - { name: signed, commands: [refund], amount: { upTo: 20 }, require: [{ approvals: 2, from: [finance] }, { approvals: 1, from: [finance], sign: passkey }] }'

const cards =
  '[{"fileUrl":"https://files.example.com/a.jpg","fileName":"a.jpg","bodyParams":["Mug"]},{"fileUrl":"https://files.example.com/b.jpg","fileName":"b.jpg","bodyParams":["Bowl"]}]'

/** Of each command that changes something one, which waits with one vote of two. */
export const lines = [
  'refund pay_1001 30 --customer cus_1001 --description "Charged twice"',
  'refund pay_1002',
  'upgrade sub_1001 plan_desk_business_m --payment-mode credit_card --activate immediately --quantity 5 --addons addon_seats:2',
  'downgrade sub_1002 plan_desk_team_m --payment-mode offline --activate eot',
  'subscriber update ada@example.com --first-name Adah --lead-score 3 --tags-to-add beta --company "Fern and Field"',
  'subscriber create new@example.com --first-name Noor',
  'subscriber delete rosa.yamada.1@example.com',
  'list create "Spring launch"',
  'list add ada@example.com --list-ids lst_vip',
  'list remove ada@example.com --list-ids lst_newsletter',
  'list move ada@example.com lst_newsletter lst_vip',
  'campaign send cmp_order_receipt ada@example.com,kim@example.com --subject Again',
  'campaign send cmp_spring_sale --status subscribed --tags customer',
  'campaign send-list cmp_order_receipt lst_vip',
  'contact create +15550119876 --name "Noor H" --optin no',
  `contact update 64b000000000000000000001 --name "Ada L" --optin no --tags-to-add support --attributes '{"city":"Lund"}'`,
  'message text 15550110000 "Your parcel, at last"',
  'message template 15550110000 order_update --body-params Ada,8',
  'message media 15550110000 order_invoice https://files.example.com/i.pdf --filename i.pdf',
  `message carousel 15550110000 spring_picks --cards '${cards}'`,
  'multiplan create prod_mail --page-title "Mail for all" --plans plan_mail_basic_m,plan_mail_pro_m',
  'multiplan update mp_desk --page-title "All of Desk"',
  'multiplan delete mp_desk_yearly',
  'addon create prod_desk --name "Data import" --code import --price 150 --billing-period y --billing-period-num 1 --billing-cycle onetime --status yes --associate-plans all_plans',
  'addon update addon_training --price 7 --status no',
  'addon delete addon_archive',
  'license delete prod_mail lic_514',
  'license delete-code prod_desk lic_502 HG-502-2',
  'transaction delete pay_1008',
  `api call billing PUT /products/prod_desk/licenses/lic_502 --body '{"name": "Desk pool two"}'`,
  'person link ada@example.com --customer cus_1001',
  'freeze agents --reason "Month end"',
]

type Made = { id: string; command: string; state: string; kind: string }

it.runIf(folder !== '')('open requests in every state are stored', { timeout: 120_000 }, async () => {
  let canSign = true
  const open = (text: string) =>
    openHarness({
      policy: text,
      now: () => madeAt,
      servicesNow: () => madeAt,
      tasks: false,
      vouchesFor: () => true,
    } as never)
  const bot = await open(policy.replace('SIGNED', signed)).catch(() => {
    canSign = false
    return open(policy.replace('SIGNED\n', ''))
  })
  bot.app.join(createFakeMessenger('slack'))
  const from = (person: string) => fromOf(`U0${person.toUpperCase()}`, 'slack')
  const made: Made[] = []
  const skipped: string[] = []
  const say = (line: string, person = 'sam') =>
    bot.handle({ from: from(person), intent: { kind: 'line', line } })
  const approve = async (id: string, person: string, assertion?: object) => {
    const reply = await bot.handle({
      from: from(person),
      intent: { kind: 'press', verb: 'approve', id, ...(assertion && { assertion }) } as never,
    })
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    return reply.change
  }
  const ask = async (kind: string, line: string, then: (id: string) => Promise<unknown>) => {
    const reply = await say(line)
    if (reply.kind !== 'change') {
      skipped.push(`${line}: ${textOf(reply)}`)
      return
    }
    const { id, command } = reply.change
    try {
      await then(id)
      const { state } = await bot.stored({ id })
      made.push({ id, command, kind, state })
    } catch (error) {
      skipped.push(`${kind}: ${String(error)}`)
      await bot.handle({ from: from('sam'), intent: { kind: 'press', verb: 'cancel', id } })
    }
  }
  const nothing = async () => undefined
  for (const line of lines) await ask('partly approved', line, (id) => approve(id, 'fay'))
  await ask('pending', 'refund pay_1003 40', nothing)
  await ask('held', 'refund pay_1004 8', (id) => approve(id, 'fay'))
  await ask('scheduled', 'refund pay_1005 12 --at "in 3h"', async (id) => {
    await approve(id, 'fay')
    await approve(id, 'finn')
  })
  await ask('amended', 'refund pay_1006 60', async (id) => {
    const reply = await say(`approval change ${id} --amount 50`)
    if (reply.kind !== 'change') throw new Error(textOf(reply))
    await approve(id, 'fay')
  })
  if (canSign)
    await ask('signed', 'refund pay_1007 15', async (id) => {
      const { createAuthenticator } = await import(`../harness/${'authenticator'}.ts`)
      const device = createAuthenticator(site)
      const { passkeys } = bot.app.bot as unknown as Record<
        string,
        Record<string, (...given: unknown[]) => Promise<{ value: Record<string, unknown> }>>
      >
      passkeys?.openAt?.(() => site)
      const [, link = ''] = /#([\w-]{43})/.exec(textOf(await say('bellhop passkey', 'fay'))) ?? []
      const begun = await passkeys?.begin?.(link)

      const kept = await passkeys?.keep?.(link, 'Laptop', device.make(begun?.value.options as object))
      const asked = await say(`bellhop passkey --key ${kept?.value.key}`, 'fay')
      if (asked.kind !== 'change') throw new Error(textOf(asked))
      await approve(asked.change.id, 'finn')
      const enrolled = await bot.stored(asked.change)
      if (enrolled.state !== 'applied') await approve(asked.change.id, 'sam').catch(() => undefined)
      const toSign = await passkeys?.toSign?.('fay', await bot.stored({ id }))
      if (toSign?.value === undefined) throw new Error(JSON.stringify(toSign))
      await approve(id, 'fay', device.sign(toSign.value as object))
    })
  await bot.app.stop(1_000)
  const file = `${folder}/open.sqlite`
  await bot.db.run(`VACUUM INTO '${file}'`, [])
  writeFileSync(
    `${folder}/made.json`,
    JSON.stringify({
      madeAt,
      made,
      skipped,
      policy: policy.replace('SIGNED', canSign ? signed : '').replace('\n\n', '\n'),
    }),
  )
})
