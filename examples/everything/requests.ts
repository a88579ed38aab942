import { z } from 'bellhop/pack'

export const callEcho = {
  body: z.object({
    message: z.string(),
  }),
}

export const getStructuredContent = {
  body: z.object({
    location: z.enum(['New York', 'Chicago', 'Los Angeles']),
  }),
}

export const getSum = {
  body: z.object({
    a: z.number(),
    b: z.number(),
  }),
}

export const gzipFileAsResource = {
  body: z.object({
    name: z.string().optional(),
    data: z.string().optional(),
    outputType: z.enum(['resourceLink', 'resource']).optional(),
  }),
}
