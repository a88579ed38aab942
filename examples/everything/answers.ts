import { z } from 'bellhop/pack'

export const callEcho = z.unknown()

export const getStructuredContent = z.looseObject({
  temperature: z.number(),
  conditions: z.string(),
  humidity: z.number(),
})

export const getSum = z.unknown()

export const gzipFileAsResource = z.unknown()

export const toggleSimulatedLogging = z.unknown()
