import { z } from 'zod'
import { type McpServer, toolSchema } from '../../lib/services/mcp/tool.ts'

/** The part of a pack that says what an MCP server is known to offer. It is data, so it can be compared with the server before anything of the pack runs. */
export const mcpFile = 'mcp.json'

export type McpFile = McpServer & { service: string }

export const mcpFileText = (file: McpFile): string => `${JSON.stringify(file, null, 2)}\n`

export const mcpFileSchema = z.object({
  service: z.string().regex(/^[a-z]{2,20}$/),
  tokenAs: z.string().optional(),
  signIn: z.object({ tokenUrl: z.url(), scope: z.string().optional() }).optional(),
  tools: z.array(toolSchema),
})
