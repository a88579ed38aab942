import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const gzipFileAsResource = defineServiceChange({
  name: 'everything gzip-file-as-resource',
  summary: 'Compresses a single file using gzip compression',
  area: 'everything',
  input: z.object({
    name: z.string().optional().describe('Name of the output file'),
    data: z.string().optional().describe('URL or data URI of the file content to compress'),
    outputType: z.enum(['resourceLink', 'resource']).optional().describe('How the resulting gzipped file should be returned'),
  }),
  examples: ['everything gzip-file-as-resource --name README.md.gz'],
  uses: ['everything.gzipFileAsResource'],
  plan: z.object({ body: requests.gzipFileAsResource.body }),
  async prepare({ name, data, outputType }) {
    return ok({ body: { name, data, outputType } })
  },
  preview: () => ({ title: 'Gzip file as resource', tone: 'plain', blocks: [] }),
  row: 'everything.gzipFileAsResource',
  request: ({ body }) => ({ body }),
  done: (_, { data }) => ({ message: 'Gzip file as resource: done.', view: openView('Gzip file as resource', data) }),
})
