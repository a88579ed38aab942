import { answersAsRecorded, defineSandbox } from 'bellhop/pack'
import type { everything } from './endpoints.ts'

/** Answers each tool with a result: one that the server gave, or one that is made up in the form of its schema. */
export const sandbox = defineSandbox<Record<string, never>, typeof everything.rows>({
  seed: () => ({}),
  handlers: {
    callEcho: answersAsRecorded({"content":[{"type":"text","text":"Echo Tool: made up"}]}),
    getStructuredContent: answersAsRecorded({"content":[{"type":"text","text":"{\"temperature\":1,\"conditions\":\"example\",\"humidity\":1}"}],"structuredContent":{"temperature":1,"conditions":"example","humidity":1}}),
    getSum: answersAsRecorded({"content":[{"type":"text","text":"Get Sum Tool: made up"}]}),
    gzipFileAsResource: answersAsRecorded({"content":[{"type":"text","text":"GZip File as Resource Tool: made up"}]}),
    toggleSimulatedLogging: answersAsRecorded({"content":[{"type":"text","text":"Toggle Simulated Logging: made up"}]}),
  },
})
