import { expect, it } from 'vitest'
import { actorOf } from '../../../src/kernel/actors/authorization.ts'
import type { Inbound, Reply } from '../../../src/kernel/messenger/inbound.ts'
import { candidatesFor } from '../../../src/kernel/things/candidates.ts'
import { kindsWith } from '../../../src/lib/things/kinds.ts'
import type { Verb, View } from '../../../src/lib/view/view.ts'
import { fromOf, openTestApp, textOf } from '../../harness/app.ts'
import { conversations } from './conversations.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance] }
  - { id: lea, name: Lea, roles: [look] }
  - { id: ned, name: Ned }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
  look: { run: ["subscriber get", "subscriber find", "person get", "approval get"] }
  robot: { run: ["subscriber *", "refund", "person get", "approval list"] }
everyone: { run: ["bellhop *"] }
agents:
  - { id: helper, name: Helper, owner: sam, roles: [robot], token: { env: HELPER_TOKEN } }
administrators: [fay]
policies:
  - { name: lists, commands: [list create], require: confirm }
  - { name: large refund, commands: [refund], amount: { from: 100 }, require: { approvals: 2, from: [finance] } }
`

/** Everything that somebody reads of a reply, and what they can press. */
const toldOf = (reply: Reply): string => {
  const words = [
    reply.kind === 'answer'
      ? [reply.isChoice && 'choice', reply.isDetails && 'details', reply.command].filter(Boolean).join(' ')
      : reply.kind === 'refused'
        ? `refused ${reply.refusal.code}`
        : reply.kind,
    ...('view' in reply ? [wordsOf(reply), ...pressable(reply.view)] : []),
    ...('file' in reply && reply.file !== undefined ? [`file ${reply.file.name}`] : []),
    ...(reply.kind === 'form'
      ? [
          `${reply.form.command}: ${reply.form.title}`,
          ...reply.form.fields.map(({ name, label, required }) =>
            [
              `${name} (${label}${required ? ', required' : ''})`,
              JSON.stringify(reply.form.values?.[name]),
            ].join(' '),
          ),
        ]
      : []),
    ...(reply.kind === 'reason' ? [`${reply.verb}: ${reply.title}`] : []),
  ]
  return words.join('\n').replace(/^/gm, '    ').replace(/ +$/gm, '')
}

/** Of a look-up its first and last words, and of a card what differs from step to step: the rest is looked at elsewhere. */
const wordsOf = (reply: Exclude<Reply, { kind: 'form' | 'reason' | 'repeated' }>): string => {
  const lines = textOf(reply).trimEnd().split('\n')
  if (reply.kind === 'change')
    return lines
      .filter((line, at) => at < 8 || /^(?:Votes|Line|Change|Reason|Amount:|Runs:|Found)/.test(line))
      .join('\n')
  const isLookUp = reply.kind === 'answer' && !reply.isChoice && !reply.isDetails
  return isLookUp && !/^(?:bellhop help|approval approve)$/.test(reply.command) && lines.length > 6
    ? [lines[0], '...', ...lines.slice(-3)].join('\n')
    : lines.join('\n')
}

const pressable = ({ actions = [], menu, marks }: View): string[] => [
  ...actions.map(({ verb, label, isMore }) =>
    ['[', verb, label === undefined ? '' : `: ${label}`, isMore ? ', more' : '', ']'].join(''),
  ),
  ...(menu?.items ?? []).map(({ at, label, actions: can }) => `<${at} ${label ?? ''}: ${can.join(', ')}>`),
  ...(marks === undefined ? [] : [`marks ${marks.map(({ label }) => label).join(', ')}`]),
]

/**
 * "sam: a line", "sam with forms: a line", "sam in C1: a line", "sam presses edit 2", "fay presses reject because no",
 * "later 11m", "fault refundPayment drop_after". ASKED is the last request, and BEFORE the one before it.
 */
const step =
  /^(\w+)(?: in (\w+))?( with forms)?(?:: (.*)| presses (\w+)(?: ((?!because )\S.*?))?(?: because (.*))?)$/

const converse = async (steps: readonly string[], isStoredMeanwhile: boolean) => {
  let clock = Date.parse('2026-11-16T10:00:00Z')
  let ids = 0
  const counted: string[] = []
  const app = await openTestApp({
    policy,
    tasks: false,
    now: () => clock,
    servicesNow: () => clock,
    newId: () => `id${String(ids++).padStart(4, '0')}`,
    count: (one) => {
      if (one.kind === 'command') counted.push(`${one.command} ${one.result} ${one.platform}`)
    },
  })
  const { core } = app.app
  /** However slow the machine is, the names of things are known: a saying waits only so long for them. */
  const learnNames = () =>
    Promise.all(
      kindsWith(({ byName }) => byName === true).map((kind) =>
        candidatesFor(core, actorOf(core.policy, fromOf('sam')), [kind], ''),
      ),
    )
  await learnNames()
  const told: string[] = []
  let last: View | undefined
  let asked = ''
  let before = ''
  for (const one of steps) {
    const minutes = /^later (\d+)m$/.exec(one)?.[1]
    if (minutes !== undefined) {
      clock += Number(minutes) * 60_000
      await learnNames()
      continue
    }
    const fault = /^fault (\w+) drop_after$/.exec(one)?.[1]
    if (fault !== undefined) {
      app.sandbox.fault({ row: fault, kind: 'drop_after' })
      continue
    }
    const [, who = '', channel = null, forms, line, verb, which = '1', reason] = step.exec(one) ?? []
    if (who === '') throw new Error(`no step: ${one}`)
    const meant = (words: string) => words.replaceAll('ASKED', asked).replaceAll('BEFORE', before)
    const intent =
      line === undefined
        ? pressOf(last, verb as Verb, meant(which), reason)
        : ({ kind: 'line', line: meant(line) } as const)
    const reply = await app.handle({
      from: who === 'helper' ? fromOf('helper', 'mcp') : fromOf(who),
      place: { channel, handle: null, direct: channel === null },
      forms: forms !== undefined,
      canBeAsked: forms !== undefined,
      intent,
      ...(isStoredMeanwhile ? { storing: Promise.resolve('first' as const) } : {}),
    })
    if ('view' in reply && pressable(reply.view).length > 0) last = reply.view
    if (reply.kind === 'change' && reply.change.id !== asked) [before, asked] = [asked, reply.change.id]
    told.push(`${one}\n${toldOf(reply)}`)
  }
  const entries = await app.store.audit.find({ limit: 500 })
  const recorded = entries
    .filter(({ kind }) => kind !== 'log signed by')
    .map(({ kind, who, command, doc }) => `${who}: ${kind}, ${command ?? ''} ${doc.line ?? ''}`.trimEnd())
  const sent = app.sandbox.wire.filter(({ method }) => method !== 'GET').map(({ row }) => `${row}`)
  return { told, recorded, counted, sent }
}

const plain = (told: readonly string[]) => told.map((words) => words.replace(/id\d{4}/g, 'id'))

it.each(conversations)(
  '%s, also where each delivery is stored while it is answered',
  async (title, steps) => {
    const { told, recorded, counted, sent } = await converse(steps, false)
    const kept = [...told, 'Recorded:', ...recorded.sort(), 'Counted:', ...counted, 'Sent:', ...sent]
    await expect(`${kept.join('\n')}\n`).toMatchFileSnapshot(
      `conversations/${title.replaceAll(' ', '-')}.txt`,
    )
    expect(plain((await converse(steps, true)).told)).toEqual(plain(told))
  },
)

/** The button of that verb, by its number; of a menu, "0.refund" is its first row and what to do with it. */
const pressOf = (view: View | undefined, verb: Verb, which: string, reason?: string): Inbound['intent'] => {
  if (which.startsWith('=')) return { kind: 'press', verb, id: which.slice(1), reason }
  const id =
    verb === 'act'
      ? view?.menu && `${view.menu.id}.${which}`
      : view?.actions?.filter((one) => one.verb === verb)[Number(which) - 1]?.id
  if (id === undefined) throw new Error(`no ${verb} ${which} in ${JSON.stringify(view?.actions)}`)
  return { kind: 'press', verb, id, reason }
}
