import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawChart } from '../../../adapters/discord/render/chart-image.ts'
import { chartSvg } from '../../../src/lib/view/chart-svg.ts'
import { chart } from '../../../src/lib/view/view.ts'
import { anyText } from '../../harness/any-text.ts'

const bars = chart('Subscribers by status', 'bar', { subscribed: 180, unsubscribed: 12, bounced: 3 })

describe('a drawn chart', () => {
  it('is a PNG wide enough for a sharp screen', async () => {
    const { format, width } = await sharp(await drawChart(bars as never)).metadata()
    expect(format).toBe('png')
    expect(width).toBe(1440)
  })

  it('has its words on a machine without fonts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-fonts-'))
    try {
      writeFileSync(join(folder, 'fonts.conf'), '<fontconfig></fontconfig>')
      const script = `
        import { drawChart } from ${JSON.stringify(new URL('../../../adapters/discord/render/chart-image.ts', import.meta.url).href)}
        process.stdout.write((await drawChart(${JSON.stringify(bars)})).toString('base64'))`
      const drawn = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
        env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
        maxBuffer: 1 << 26,
      })
      const here = await inkOf(await drawChart(bars as never))
      const there = await inkOf(Buffer.from(drawn.toString(), 'base64'))
      expect(here).toBeGreaterThan(1_000)
      expect(Math.abs(there - here) / here).toBeLessThan(0.1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.each(['bar', 'line', 'pie'] as const)(
    'has a place for the largest figures there are, as a %s',
    (shape) => {
      const figures = { least: -Number.MAX_VALUE, most: Number.MAX_VALUE, other: Number.MAX_VALUE }
      expect(chartSvg(chart('Figures', shape, figures) as never).svg).not.toMatch(/NaN|Infinity/)
    },
  )

  it('is drawn from whatever the data is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('bar' as const, 'line' as const, 'pie' as const),
        fc.array(fc.record({ label: anyText({ maxLength: 60 }), value: fc.double() }), {
          maxLength: 30,
        }),
        anyText(),
        async (shape, points, title) => {
          const drawn = await drawChart({
            kind: 'chart',
            title,
            shape,
            series: [
              { name: title, points },
              { name: 'b', points: [] },
            ],
          })
          expect(drawn.subarray(1, 4).toString()).toBe('PNG')
        },
      ),
      { numRuns: 25 },
    )
  })
})

/** How many pixels are as dark as words are; boxes in their place have far fewer. */
const inkOf = async (png: Buffer): Promise<number> => {
  const pixels = await sharp(png).greyscale().raw().toBuffer()
  return pixels.reduce((count, shade) => count + (shade < 80 ? 1 : 0), 0)
}
