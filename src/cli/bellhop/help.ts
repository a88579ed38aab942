import { toolLine } from '../../kernel/tool-words.ts'
import { type Tool, toolNamed, toolUsageOf } from './tools.ts'

export const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** Whether somebody asks how to say it, wherever among the words that stands; what follows `--` is nobody's flag. */
export const asksHelp = (args: readonly string[]): boolean =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).some(isHelp)

/** What the table says about a tool. */
export const helpOf = (name: string, tool: Tool): string => {
  const more = tool.hasHelp ? `\n\n${toolLine(name, '--help')} says more.` : ''
  return `${toolUsageOf(name, tool)}\n\n${tool.summary}.${more}`
}

/** Answers in the place of a tool that has no words of its own for it; whether it did. */
export const answersHelp = (name: string, args: readonly string[]): boolean => {
  const tool = toolNamed(name)
  if (tool === undefined || tool.hasHelp || !asksHelp(args)) return false
  console.log(helpOf(name, tool))
  return true
}
