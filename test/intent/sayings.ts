import { readFileSync } from 'node:fs'
import { commandLineOf } from '../../src/kernel/command/line/print.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { View } from '../../src/lib/view/view.ts'
import { fromOf, openTestApp, type TestApp } from '../harness/app.ts'
import { changeOf } from '../pipeline/harness.ts'

/** What somebody said, perhaps right after another line, and what it may lead to. */
export type Said = { person: string; before?: string; saying: string; wanted: readonly string[] }

export const sayingsIn = (set: string): Said[] => {
  let wanted: string[] = []
  let person = ''
  return readFileSync(new URL(`sayings/${set}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('= ')) wanted = line.slice(2).split(' or ')
      if (line.startsWith('as ')) person = line.slice(3)
      if (line === '' || /^(?:#|= |as )/.test(line)) return []
      const [before, saying] = line.split(' > ').map((one) => one.replaceAll('\\n', '\n'))
      const said = saying === undefined ? { saying: before as string } : { before: before as string, saying }
      return [{ person, ...said, wanted }]
    })
}

/** A bot in which Sam and Fay know Ada and two refunds wait. */
export const openSayings = async (engine: Engine = 'sqlite') => {
  const app = await openTestApp({ engine })
  for (const who of ['p-support', 'p-finance']) {
    await app.say('person get ada@example.com', who)
    for (const id of ['cus_1001', 'cus_1009']) await app.say(`transaction find ${id}`, who)
  }
  const asked = {
    pay_1004: changeOf(await app.say('refund pay_1004 240 --customer cus_1002', 'p-support')).id,
    pay_1006: changeOf(await app.say('refund pay_1006 90 --customer cus_1004', 'p-finance2')).id,
  }
  let count = 0
  return async ({ person, before, saying, wanted }: Said) => {
    const channel = `C${++count}`
    const say = (line: string) =>
      app.handle({
        from: fromOf(person),
        place: { channel, handle: null, direct: true },
        forms: true,
        intent: { kind: 'line', line },
      })
    if (before !== undefined) await say(before)
    const reply = await say(saying)
    const outcome = await outcomeOf(app, person, reply)
    const text = 'view' in reply ? textOfView(reply.view, { details: true, isWhole: true }) : ''
    const named = (words: string) => words.replace(/\{(pay_\d+)\}/g, (_, id: keyof typeof asked) => asked[id])
    return { outcome, isRight: wanted.some((one) => isRight(named(one), outcome, text)), text }
  }
}

/** The offer of a change among others. */
const changes =
  /\d\. (?:refund|upgrade|downgrade|subscriber (?:create|update|delete)|list (?:add|remove)|campaign send)/

const isRight = (wanted: string, outcome: string, text: string): boolean => {
  const [kind = '', ...words] = wanted.split(' ')
  const rest = words.join(' ')
  if (kind === 'nothing') return !/^(offer|form)/.test(outcome) && !changes.test(outcome)
  if (kind === 'none')
    return !outcome.startsWith('offer') && !`${outcome} ${text}`.includes(rest.replace('of ', ''))
  if (kind === 'ask') return outcome === wanted || outcome === `ask ${rest}`
  if (kind === 'show') return /^(run|card)/.test(outcome) && text.includes(rest)
  if (kind === 'people')
    return rest.split(', ').every((one) => text.includes(one)) && !outcome.startsWith('offer')
  if (kind === 'draft') return [`offer ${rest}`, `form ${rest}`].some((one) => outcome.startsWith(one))
  if (kind === 'like')
    return (
      outcome.startsWith(rest.split(' & ')[0] as string) &&
      rest.split(' & ').every((part) => outcome.includes(part))
    )
  if (kind === 'drafts')
    return outcome.startsWith('drafts ') && rest.split(' & ').every((part) => outcome.includes(part))
  if (kind === 'form') return outcome.startsWith(wanted) || outcome.startsWith(`choose ${rest} `)
  if (kind === 'refused') return outcome.startsWith(wanted)
  if (kind === 'choose') return rest.split(' | ').every((line) => outcome.includes(line))
  return outcome === wanted
}

/** What came of it, as a heading would say it. */
const outcomeOf = async ({ store, registry }: TestApp, person: string, reply: Reply): Promise<string> => {
  const lineOf = (command: string, input: Record<string, unknown>) =>
    commandLineOf(command, registry.get(command)?.params ?? [], input)
  switch (reply.kind) {
    case 'change':
      return reply.isDecided
        ? `decided ${reply.change.id}`
        : `offer ${lineOf(reply.change.command, given(reply.change))}`
    case 'form':
      return `form ${lineOf(reply.form.command, reply.form.values)}`
    case 'refused':
      // What was meant cannot be done to what is there now.
      if (understoodAs(reply.view) !== undefined) return `offer ${understoodAs(reply.view)}`
      if (reply.view.actions?.some(({ verb }) => verb === 'edit')) return `form ${understoodIn(reply.view)}`
      return `refused ${reply.refusal.code}: ${textOfView(reply.view).split('\n')[0]}`
    case 'answer': {
      const { view } = reply
      const verbs = (view.actions ?? []).map(({ verb }) => verb)
      const lines = view.blocks.flatMap((block) => (block.kind === 'code' ? [block.text] : []))
      const isAsked = /^I did not understand/.test(view.title)
      const isRun = verbs.includes('share')
      const drafts = textOfView(view).match(/Understood as: [^\n]*/g) ?? []
      const each = drafts.join(' ').split('Understood as: ').slice(1)
      if (each.length > 1 && verbs.includes('run_it') && !isRun) return `drafts ${each.join(' & ')}`
      const drafted = verbs.includes('run_it') && !isRun ? understoodAs(view) : undefined
      if (drafted !== undefined) return `offer ${drafted}`
      if (verbs.includes('run_it') && !isRun) return `${isAsked ? 'ask' : 'offer'} ${lines[0]}`
      if (verbs.includes('edit')) return `form ${lines[0]}`
      if (verbs.includes('choose')) return `choose ${textOfView(view)}`
      if (reply.isChoice) return `choose ${reply.command} ${textOfView(view)}`
      if (/^Hello /.test(view.title)) return 'greeting'
      if (/^You are welcome/.test(view.title)) return 'thanks'
      if (!verbs.includes('share')) return `said ${view.title}`
      const [last] = await store.answers.recent(person, 0, 1)
      const { command, input } = (last?.doc ?? {}) as { command: string; input: Record<string, unknown> }
      return `run ${lineOf(command, input)}`
    }
    default:
      return reply.kind
  }
}

const understoodAs = (view: View): string | undefined => /Understood as: (.*)$/m.exec(textOfView(view))?.[1]

/** The line that a complaint ends with, as far as it was understood. */
const understoodIn = ({ blocks }: View): string =>
  blocks.flatMap((block) => (block.kind === 'code' ? [block.text] : [])).at(-1) ?? ''

const given = ({ input }: { input: Record<string, unknown> }) => input
