import { parseSync } from 'oxc-parser'
import { sqlFaults } from './sql-faults.ts'

type Range = { start: number; end: number }
/**
 * One planted fault: the text between two offsets of a file is replaced. `whole` is the expression or statement around it that
 * a switch can choose instead; `statement` is the statement that begins where it does. `isAtLoad` where it stands in no function.
 */
export type Fault = Edit & {
  file: string
  whole: Range
  statement?: Range
  isAtLoad: boolean
}

type Node = Range & { type: string } & Record<string, unknown>
type Edit = Range & { replacement: string; kind: string; differs?: Difference }
/**
 * Where the value that something has without the fault tells whether the fault would change anything: a condition on it, called
 * `value`. A fault without one changes something wherever it is come to.
 */
type Difference = Range & { when: string }

const comparisons: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const sums: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*' }
/** Calls that turn into their opposite. */
const opposites = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
])
/** Calls that a forgetful person leaves out: `list.filter(f)` becomes `list`. */
const leftOut = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'toLowerCase',
])

/**
 * Of two sides one alone is left: what the other is where that makes a difference. The right side is only come to where it
 * decides; what it would be elsewhere nobody knows, so there each counts as different.
 */
const removed = {
  '&&': { left: ['right', 'value !== true'], right: ['left', '!value'] },
  '||': { left: ['right', 'value !== false'], right: ['left', 'value'] },
  '??': { left: ['right', 'true'], right: ['left', 'value != null'] },
} as const

/** Every fault that this tool can plant in one file, in the order of the text. */
export const faultsIn = (file: string, text: string): Fault[] => {
  const faults: Fault[] = []
  visit(parseSync(file, text).program as unknown as Node, [], (node, parents) => {
    const whole = wholeOf(node, parents)
    const statement = parents.find(
      ({ type, start }) => type === 'ExpressionStatement' && start === whole.start,
    )
    const isAtLoad = !parents.some(({ type }) => /Function/.test(type))
    for (const edit of editsOf(node, text))
      faults.push({
        file,
        ...edit,
        isAtLoad,
        whole: rangeOf(whole),
        ...(statement && { statement: rangeOf(statement) }),
      })
  })
  return faults.sort((one, other) => one.start - other.start)
}

const rangeOf = ({ start, end }: Range): Range => ({ start, end })

/** What can be put between parentheses: not a part of a template, nor a link of a chain that `?.` may cut short. */
const wholeOf = (node: Node, parents: Node[]): Node => {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') return node.test as Node
  if (node.type === 'TemplateElement') {
    const [template, tagged] = parents as [Node, Node | undefined]
    return tagged?.type === 'TaggedTemplateExpression' ? tagged : template
  }
  let inner = node
  for (const parent of parents) {
    if (parent.type === 'ChainExpression') return parent
    if (parent.object !== inner && parent.callee !== inner && parent.type !== 'TSNonNullExpression') break
    inner = parent
  }
  return node
}

const editsOf = (node: Node, text: string): Edit[] => {
  const child = (key: string) => node[key] as Node
  const sourceOf = ({ start, end }: Node) => text.slice(start, end)
  const replace = (target: Node, replacement: string, kind: string, differs?: Difference): Edit => ({
    start: target.start,
    end: target.end,
    replacement,
    kind,
    ...(differs && { differs }),
  })
  switch (node.type) {
    case 'BinaryExpression': {
      const operator = node.operator as string
      const other = comparisons[operator] ?? sums[operator]
      const texts = [child('left'), child('right')].some(({ type }) => type === 'TemplateLiteral')
      if (other === undefined || (operator === '+' && texts)) return []
      const from = text.indexOf(operator, child('left').end)
      const kind = comparisons[operator] ? 'comparison' : 'arithmetic'
      return [{ start: from, end: from + operator.length, replacement: other, kind }]
    }
    case 'LogicalExpression':
      return (['left', 'right'] as const).map((side) => {
        const [other, when] = removed[node.operator as keyof typeof removed][side]
        const differs = { ...rangeOf(child(other)), when }
        return replace(node, sourceOf(child(side)), 'condition removed', differs)
      })
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((constant) =>
        replace(child('test'), constant, 'condition', {
          ...rangeOf(child('test')),
          when: constant === 'true' ? '!value' : 'value',
        }),
      )
    case 'UnaryExpression':
      return node.operator === '!' ? [replace(node, sourceOf(child('argument')), 'negation')] : []
    case 'Literal':
      if (typeof node.value === 'boolean') return [replace(node, String(!node.value), 'constant')]
      if (typeof node.value === 'number') return [replace(node, String(node.value + 1), 'constant')]
      return typeof node.value === 'string' ? sqlFaults(text, node.start, node.end) : []
    case 'TemplateElement':
      return sqlFaults(text, node.start, node.end)
    case 'CallExpression': {
      const callee = child('callee')
      if (callee.type !== 'MemberExpression' || callee.computed) return []
      const property = callee.property as Node
      const name = sourceOf(property)
      const [first] = node.arguments as Node[]
      if (name === 'at' && first && ['0', '-1'].includes(sourceOf(first)))
        return [replace(first, sourceOf(first) === '0' ? '-1' : '0', 'first and last')]
      const opposite = opposites.get(name)
      if (opposite) return [replace(property, opposite, 'first and last')]
      return leftOut.has(name) ? [replace(node, sourceOf(callee.object as Node), 'call left out')] : []
    }
    case 'ExpressionStatement': {
      const expression = child('expression')
      const call = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression
      const logs = /^(?:\w+\.)*log\.\w+\(/.test(sourceOf(call))
      return call.type === 'CallExpression' && !logs ? [replace(node, ';', 'statement left out')] : []
    }
    default:
      return []
  }
}

/** Types run nowhere, and the words of an error or of the log are not behaviour. */
const visit = (node: Node, parents: Node[], see: (node: Node, parents: Node[]) => void): void => {
  const wraps = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
  if ((node.type.startsWith('TS') && !wraps) || node.type === 'ImportDeclaration') return
  see(node, parents)
  for (const [key, value] of Object.entries(node)) {
    if ((wraps && key !== 'expression') || (key === 'key' && node.computed === false)) continue
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'object' && each !== null && typeof each.type === 'string')
        visit(each as Node, [node, ...parents], see)
    }
  }
}
