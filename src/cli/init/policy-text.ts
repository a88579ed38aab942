import { readFileSync } from 'node:fs'
import { type Document, isScalar, parseDocument, visit, type YAMLMap } from 'yaml'
import { demoPolicyFile } from '../start/config.ts'

/** Who somebody is: their name, and their accounts by messenger. */
export type NamedPerson = { name: string; accounts: Record<string, string> }

export type InitAnswers = {
  requester: NamedPerson
  approver: NamedPerson
  secondApprover: NamedPerson
  /** Channels by messenger. */
  channels: Record<string, string>
  /** What one person decides alone, what one day may hold, and what one approval is enough for. */
  small: number
  daily: number
  large: number
  /** The field that holds the id of the billing customer, and whether customers write it themselves. */
  customerField: string
  isCustomersWrite: boolean
}

/** Who asks in the demo, and in its tests. */
const demoRequester = 'p-support'

const header = `# Who may ask for what, and what it needs. docs/policy.md says all that can stand here.
# Approvals in order are stages, and a requester's manager can be one of them:
#   require: { stages: [{ approvals: 1, from: [manager] }, { approvals: 1, from: [finance] }] }`

/** The demo's policy with somebody's own people and sums in it, comments and tests included. */
export const policyTextOf = (answers: InitAnswers): string => {
  const { requester, approver, secondApprover, channels, small, daily, large } = answers
  const { customerField, isCustomersWrite } = answers
  const demo = readFileSync(demoPolicyFile, 'utf8')
  const people = [requester, approver, secondApprover]
  const ids = idsOf(people)
  const text = demo
    .replace(/^#.*/, header)
    .replaceAll(demoRequester, ids[0] ?? '')
    // The demo makes up a token for its agent; here somebody has to set one first.
    .replace(/^agents:\n(?: .*\n)+/m, (section) => section.replace(/^(?=.)/gm, '# '))
  const doc = parseDocument(text)
  withoutSigning(doc)
  people.forEach(({ name, accounts }, at) => {
    const roles = doc.getIn(['people', at, 'roles'])
    const manager = at === 0 ? { manager: ids[1] } : {}
    doc.setIn(
      ['people', at],
      doc.createNode({ id: ids[at], name, ...accounts, ...manager, roles }, { flow: true }),
    )
  })
  if (Object.keys(channels).length > 0) {
    const sections = (doc.contents as YAMLMap).items
    const place = sections.findIndex(({ key }) => String(key) === 'policies')
    sections.splice(place, 0, doc.createPair('approvals', doc.createNode(channels, { flow: true })))
  }
  const before = {
    small: doc.getIn(['policies', 0, 'amount', 'upTo']),
    large: doc.getIn(['policies', 1, 'amount', 'upTo']),
    daily: doc.getIn(['budgets', 0, 'limit']),
  }
  doc.setIn(['links', 'customer'], customerField)
  doc.setIn(['links', 'customersWrite'], doc.createNode(isCustomersWrite ? ['customer'] : [], { flow: true }))
  doc.setIn(['policies', 0, 'amount', 'upTo'], small)
  doc.setIn(['policies', 1, 'amount', 'upTo'], large)
  doc.setIn(['budgets', 0, 'limit'], daily)
  inTests(doc, (value) =>
    value.replace(/(?<=^refund \S+ )\d+$/, (sum) => {
      const [key] = Object.entries(before).find(([, one]) => String(one) === sum) ?? []
      return key === undefined ? sum : String(answers[key as keyof typeof before])
    }),
  )
  return doc.toString({ lineWidth: 0 })
}

/** Passkeys need an https address, which nobody was asked for here: docs/policy.md says how to have them. */
const withoutSigning = (doc: Document): void => {
  const isSigned = (part: unknown) => JSON.stringify(part).includes('"sign":"passkey"')
  for (const section of ['policies', 'tests']) {
    const parts = (doc.toJS() as Record<string, unknown[]>)[section] ?? []
    for (let at = parts.length - 1; at >= 0; at--) if (isSigned(parts[at])) doc.deleteIn([section, at])
  }
}

const inTests = (doc: Document, to: (value: string) => string): void => {
  const tests = doc.get('tests', true)
  visit(tests as Parameters<typeof visit>[0], {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string') node.value = to(node.value)
    },
  })
}

/** `Zoë Lind` is zoe-lind; somebody without such letters goes by their place. */
const idsOf = (people: readonly NamedPerson[]): string[] => {
  const ids: string[] = []
  for (const { name } of people) {
    const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    const id = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
    ids.push(id === '' || ids.includes(id) ? `person-${ids.length + 1}` : id)
  }
  return ids
}
