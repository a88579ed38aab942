import { fileURLToPath } from 'node:url'
import type Sharp from 'sharp'
import { chartSvg } from '../../../src/lib/view/chart-svg.ts'
import type { Chart } from './section.ts'

const fontFile = fileURLToPath(new URL('../../../assets/fonts/DejaVuSans.ttf', import.meta.url))

let ready: Promise<typeof Sharp> | undefined

/** The chart as a PNG, twice as fine as it is wide. */
export const drawChart = async (chart: Chart): Promise<Buffer> => {
  ready ??= load()
  const sharp = await ready
  return sharp(Buffer.from(chartSvg(chart).svg), { density: 144 })
    .png({ compressionLevel: 8 })
    .toBuffer()
}

/** A machine without fonts would lose all words silently: writing one with our own font makes it known to the renderer. */
const load = async (): Promise<typeof Sharp> => {
  const { default: sharp } = await import('sharp')
  await sharp({ text: { text: 'x', font: 'DejaVu Sans', fontfile: fontFile } })
    .raw()
    .toBuffer()
  return sharp
}
