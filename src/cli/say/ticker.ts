import { longAgo, msBetween, ticks } from '../../lib/clock.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { progressBar } from '../../lib/view/text.ts'

const drawMs = 200
const wonderMs = 1_000

/** A line that shows how far a look-up is; it begins when people start to wonder, and is wiped at the end. */
export const createTicker = (
  screen: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number } = process.stderr,
) => {
  const began = ticks()
  let drawn = longAgo
  return (label: string, done: number, total: number): void => {
    const at = ticks()
    if (!screen.isTTY || msBetween(began, at) < wonderMs || (msBetween(drawn, at) < drawMs && done < total))
      return
    drawn = at
    const words = `${progressBar(done, total, 30)}  ${formatNumber(done)} of ${formatNumber(total)} ${label.toLowerCase()}`
    screen.write(done < total ? `\r\u001b[2K${words.slice(0, (screen.columns ?? 80) - 1)}` : '\r\u001b[2K')
  }
}
