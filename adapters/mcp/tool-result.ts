import type { CallToolResult } from '@modelcontextprotocol/server'
import type { OutFile } from '../../src/kernel/command/define.ts'
import { type CallResult, fileText } from './results.ts'

/** An answer as the protocol has it. */
export const toToolResult = ({ data, words, isError = false, file }: CallResult): CallToolResult => ({
  content: [
    ...words.map((text) => ({ type: 'text' as const, text })),
    ...(file === undefined ? [] : [fileContent(file)]),
  ],
  structuredContent: data,
  ...(isError ? { isError } : {}),
})

const fileContent = (file: OutFile): CallToolResult['content'][number] => {
  const text = fileText(file)
  return text === undefined
    ? { type: 'text', text: `The file ${file.name} is too long for this answer: ask for it in a messenger.` }
    : {
        type: 'resource',
        resource: { uri: `bellhop://files/${encodeURIComponent(file.name)}`, mimeType: file.type, text },
      }
}
