import { defineRow, defineService } from 'bellhop/pack'
import * as answers from './answers.ts'
import mcp from './mcp.json' with { type: 'json' }
import * as requests from './requests.ts'

// Everything, at the MCP server node. A line that begins with "Decide" is for you: change what follows it, or take the line out.
export const everything = defineService({
  name: 'everything',
  title: 'Everything',
  auth: 'none',
  mcp,
  environment: { baseUrl: 'EVERYTHING_MCP_URL', keys: {} },
  rows: {
    callEcho: defineRow({
      method: 'POST',
      path: '/echo',
      noun: 'everything',
      effect: 'read',
      shown: true,
      summary: 'Echoes back the input string',
      body: requests.callEcho.body,
      answer: answers.callEcho,
    }),
    getStructuredContent: defineRow({
      method: 'POST',
      path: '/get-structured-content',
      noun: 'everything',
      effect: 'read',
      shown: true,
      summary: 'Returns structured content along with an output schema for client data validation',
      body: requests.getStructuredContent.body,
      answer: answers.getStructuredContent,
    }),
    getSum: defineRow({
      method: 'POST',
      path: '/get-sum',
      noun: 'everything',
      effect: 'read',
      shown: true,
      summary: 'Returns the sum of two numbers',
      body: requests.getSum.body,
      answer: answers.getSum,
    }),
    // Decide: The server says that it may be repeated. If that is so, its effect is idempotent.
    gzipFileAsResource: defineRow({
      method: 'POST',
      path: '/gzip-file-as-resource',
      noun: 'everything',
      effect: 'once',
      shown: true,
      summary: 'Compresses a single file using gzip compression',
      body: requests.gzipFileAsResource.body,
      answer: answers.gzipFileAsResource,
    }),
    toggleSimulatedLogging: defineRow({
      method: 'POST',
      path: '/toggle-simulated-logging',
      noun: 'everything',
      effect: 'once',
      shown: true,
      summary: 'Toggles simulated, random-leveled logging on or off',
      answer: answers.toggleSimulatedLogging,
    }),
  },
})

declare module 'bellhop/pack' {
  interface Tables {
    everything: typeof everything
  }
}
